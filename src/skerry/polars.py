"""A namespace of polars: ``frame.skerry.components("a", "b")`` once this module is imported.

>>> import polars, skerry.polars
>>> pairs = polars.DataFrame({"a": ["kim", "bo"], "b": ["lee", "al"]})
>>> pairs.skerry.components("a", "b").rows()
[('al', 'al'), ('bo', 'al'), ('kim', 'kim'), ('lee', 'kim')]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from skerry.api import connected_components
from skerry.errors import UnsupportedError
from skerry.frames import assign_components
from skerry.keywords import FrameKeywords

try:
    import polars
except ImportError:
    raise UnsupportedError("skerry.polars needs polars: pip install polars") from None

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SkerryNamespace"]


@polars.api.register_lazyframe_namespace("skerry")
@polars.api.register_dataframe_namespace("skerry")
class SkerryNamespace:
    """The components of a frame of pairs: ``frame.skerry``; of lazy frames too.

    Type checkers do not know namespaces: ``SkerryNamespace(frame)`` is the same for them.

    Parameters
    ----------
    frame
        The frame of polars.

    Examples
    --------
    >>> import polars, skerry.polars
    >>> pairs = polars.DataFrame({"a": [5, 7], "b": [7, 9]})
    >>> pairs.skerry.components("a", "b", size=True).columns
    ['id', 'component', 'size']
    >>> skerry.polars.SkerryNamespace(pairs).components("a", "b")["component"].to_list()
    [5, 5, 5]
    """

    def __init__(self, frame: pl.DataFrame | pl.LazyFrame) -> None:
        self._frame = frame

    def components(
        self,
        source: Any = None,
        target: Any = None,
        *,
        size: bool = False,
        min_size: int = 1,
        **options: Unpack[FrameKeywords],
    ) -> pl.DataFrame:
        """Every id with its component.

        Parameters
        ----------
        source, target
            The columns of ids, as in `skerry.connected_components`.
        size
            Add a column with the size of the component.
        min_size
            Leave components of fewer vertices out.
        **options
            Further ones of `skerry.connected_components`.

        Returns
        -------
        polars.DataFrame
            As ``result.table()``: columns ``id`` and ``component``.
        """
        result = connected_components(self._frame, source=source, target=target, **options)
        return polars.DataFrame(result.table(size=size, min_size=min_size))

    def assign_components(
        self,
        source: Any,
        target: Any,
        *,
        name: str = "component",
        **options: Unpack[FrameKeywords],
    ) -> pl.DataFrame:
        """Adds a column with the component of every row; see `skerry.assign_components`.

        Parameters
        ----------
        source, target, name, **options
            As there.

        Returns
        -------
        polars.DataFrame
            The frame with one column more; a lazy one is collected.
        """
        frame = self._frame
        if isinstance(frame, polars.LazyFrame):
            frame = frame.collect()
        return assign_components(frame, source, target, name=name, **options)
