# SPDX-License-Identifier: Apache-2.0
"""The command `tilewright`, as the wheel installs it."""

from __future__ import annotations

import signal
import sys

from ._core import main as _main


def main() -> int:
    """Runs the command line of this process and returns its exit code."""
    # The program handles signals by itself, as if Python were not there.
    for number in (signal.SIGINT, signal.SIGPIPE):
        if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGPIPE:
            signal.signal(number, signal.SIG_DFL)
    return _main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
