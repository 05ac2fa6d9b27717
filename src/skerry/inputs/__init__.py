"""Turns what the user has into `Edges` or `Csr`, validated, without a copy where none is needed."""

from skerry.inputs.adapt import adapt
from skerry.inputs.arrays import Adapted

__all__ = ["Adapted", "adapt"]
