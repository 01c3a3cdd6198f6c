# SPDX-License-Identifier: Apache-2.0
"""`python -m tilewright` is the command `tilewright`."""

import sys

from ._cli import main

sys.exit(main())
