"""skerry: the connected components of graphs, fast, exact, and the same answer every time.

>>> import skerry
>>> skerry.connected_components([(0, 1), (1, 2), (5, 6)]).count
4
"""

import logging as _logging
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _TYPE_CHECKING:
    from skerry.algorithms.catalog import Algorithm, algorithm, catalog
    from skerry.api import connected_components, estimate, verify
    from skerry.errors import (
        DeviceMemoryError,
        InputError,
        OutputError,
        SkerryError,
        SkerryWarning,
        UnsupportedError,
    )
    from skerry.frames import assign_components
    from skerry.graph.csr import Csr
    from skerry.graph.edges import Edges
    from skerry.graph.grid import Grid
    from skerry.patch import patch_scipy
    from skerry.request import StreamOptions
    from skerry.result.components import Components
    from skerry.result.estimate import Estimate
    from skerry.result.groups import Component, Groups
    from skerry.result.linkage import Linkage
    from skerry.result.links import Bridge, Bridges, Link, Links
    from skerry.result.plan import PassTime, Plan, Statistics
    from skerry.result.subgraph import Subgraph
    from skerry.result.threshold_sweep import ThresholdSweep
    from skerry.result.verify import Verification
    from skerry.thresholds import single_linkage, split_large, threshold_sweep
    from skerry.union_find.faces import UnionFind
    from skerry.union_find.sliding_window import SlidingWindow

__version__: str

__all__ = [
    "Algorithm",
    "Bridge",
    "Bridges",
    "Component",
    "Components",
    "Csr",
    "DeviceMemoryError",
    "Edges",
    "Estimate",
    "Grid",
    "Groups",
    "InputError",
    "Link",
    "Linkage",
    "Links",
    "OutputError",
    "PassTime",
    "Plan",
    "SkerryError",
    "SkerryWarning",
    "SlidingWindow",
    "Statistics",
    "StreamOptions",
    "Subgraph",
    "ThresholdSweep",
    "UnionFind",
    "UnsupportedError",
    "Verification",
    "algorithm",
    "assign_components",
    "catalog",
    "connected_components",
    "estimate",
    "patch_scipy",
    "single_linkage",
    "split_large",
    "threshold_sweep",
    "verify",
]

_HOMES = {
    "algorithms.catalog": ("Algorithm", "algorithm", "catalog"),
    "api": ("connected_components", "estimate", "verify"),
    "errors": (
        "DeviceMemoryError",
        "InputError",
        "OutputError",
        "SkerryError",
        "SkerryWarning",
        "UnsupportedError",
    ),
    "frames": ("assign_components",),
    "graph.csr": ("Csr",),
    "graph.edges": ("Edges",),
    "graph.grid": ("Grid",),
    "patch": ("patch_scipy",),
    "request": ("StreamOptions",),
    "result.components": ("Components",),
    "result.estimate": ("Estimate",),
    "result.groups": ("Component", "Groups"),
    "result.linkage": ("Linkage",),
    "result.links": ("Bridge", "Bridges", "Link", "Links"),
    "result.plan": ("PassTime", "Plan", "Statistics"),
    "result.subgraph": ("Subgraph",),
    "result.threshold_sweep": ("ThresholdSweep",),
    "result.verify": ("Verification",),
    "thresholds": ("single_linkage", "split_large", "threshold_sweep"),
    "union_find.faces": ("UnionFind",),
    "union_find.sliding_window": ("SlidingWindow",),
}
"""Modules and their public names. They are loaded with their first use: all of them, and NumPy,
would take longer than what most programs ask of them."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}
_MODULES = ("csgraph", "datasets", "generators", "io", "ndimage", "networkx", "patch")

_logging.getLogger("skerry").addHandler(_logging.NullHandler())

if not _TYPE_CHECKING:  # types would take any name for one of skerry's

    def __getattr__(name: str) -> object:
        """What loads with its first use."""
        if name == "__version__":
            metadata = _import_module("importlib.metadata")
            try:
                return metadata.version("skerry")
            except metadata.PackageNotFoundError:
                return "0.0.0"  # sources that are not installed
        if name in _MODULES:
            return _import_module(f"skerry.{name}")
        if name not in _HOME_OF:
            raise AttributeError(f"module 'skerry' has no attribute {name!r}")
        value = globals()[name] = getattr(_import_module(f"skerry.{_HOME_OF[name]}"), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_MODULES})
