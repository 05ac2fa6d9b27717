"""Other people's calls of scipy answered by skerry, for as long as you say.

`patch_scipy` is a context manager; ``python -m skerry.patch script.py`` runs a whole program so.
"""

from skerry.patch.scipy import Patched, patch_scipy

__all__ = ["Patched", "patch_scipy"]
