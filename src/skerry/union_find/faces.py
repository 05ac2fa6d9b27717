"""`UnionFind` with its subclasses, which extend it and load with their first use."""

from __future__ import annotations

from typing import Any

from skerry.union_find.union_find import UnionFind

__all__ = ["UnionFind"]


def _external_face() -> type[Any]:
    from skerry.union_find.external import ExternalUnionFind

    return ExternalUnionFind


def _device_face() -> type[Any]:
    from skerry.union_find.on_device import DeviceUnionFind

    return DeviceUnionFind


UnionFind._external_face = staticmethod(_external_face)
UnionFind._device_face = staticmethod(_device_face)
