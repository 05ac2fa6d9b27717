"""Numbers any ids 0..n-1, and gives them back in their own order."""

from skerry.ids.numbering import Numbering

__all__ = ["Numbering"]
