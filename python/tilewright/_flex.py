# SPDX-License-Identifier: Apache-2.0
"""What an accelerator may vary from layer to layer, and what that is worth."""

from __future__ import annotations

import json
from collections.abc import Mapping as Dictionary, Sequence
from typing import Any

from . import _core
from ._api import Share, _expect, _share
from ._core import Arch, FlexMarket, FlexResult, Network

#: `flexibility=`: a YAML text with the key `flexibility`, or what is under it as Python values.
Flexibility = str | Dictionary[str, Any]


def _flexibility(value: Flexibility) -> str:
    """Its YAML text."""
    if isinstance(value, str):
        return value
    if not isinstance(value, Dictionary):
        raise TypeError(f"flexibility is a YAML text or a dict, not {type(value).__name__}")
    # A line for each key, so that findings point at the one that is meant.
    lines = (f"  {json.dumps(str(key))}: {json.dumps(one)}\n" for key, one in value.items())
    return "flexibility:\n" + "".join(lines)


def flex(
    arch: Arch,
    network: Network,
    flexibility: Flexibility,
    *,
    objective: str = "latency",
    space: str = "ruby",
    classes: bool = False,
    threads: int = 0,
) -> FlexResult:
    """How flexible an accelerator is on a network, and what each axis of flexibility is worth.

    `flexibility` says what it may vary (docs/flexibility.md); `classes` adds the optima of all 16
    classes. The options are those of `tilewright flex`. Raises `KeyboardInterrupt` after Ctrl-C.
    """
    _expect("arch", arch, Arch)
    _expect("network", network, Network)
    return _core.flex(
        arch,
        network,
        _flexibility(flexibility),
        objective=objective,
        space=space,
        classes=classes,
        threads=threads,
    )


def buy_flexibility(
    arch: Arch,
    networks: Network | Sequence[Network],
    flexibility: Flexibility,
    *,
    area: Share,
    objective: str = "latency",
    space: str = "ruby",
    threads: int = 0,
) -> FlexMarket:
    """Which flexibility to buy if it may add so much area, and the front of area against objective.

    `area` is a share of the accelerator without flexibility (`"0.2%"`, 0.002) or an area
    (`"2000um2"`). Of several networks, the geometric mean counts. As `tilewright flex --buy`.
    """
    _expect("arch", arch, Arch)
    several = [networks] if isinstance(networks, Network) else list(networks)
    for network in several:
        _expect("network", network, Network)
    return _core.buy_flexibility(
        arch,
        several,
        _flexibility(flexibility),
        area=_share(area),
        objective=objective,
        space=space,
        threads=threads,
    )
