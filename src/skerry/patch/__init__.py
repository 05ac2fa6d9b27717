"""Other people's calls of scipy answered by skerry, for as long as you say.

`patch_scipy` patches, for good or in a ``with`` block; ``python -m skerry.patch script.py`` runs a
whole program so.
`Swap` is what the modules for other libraries give, such as `skerry.splink`.
"""

from skerry.patch.scipy import Patched, patch_scipy
from skerry.patch.swap import Swap

__all__ = ["Patched", "Swap", "patch_scipy"]
