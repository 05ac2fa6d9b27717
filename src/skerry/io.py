"""Reading and writing files: edges in, graphs and labels out.

>>> import numpy as np, skerry, skerry.io, tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "edges.txt"
>>> _ = path.write_text("0 1\\n2 3\\n")
>>> edges = skerry.io.read_edges(path)
>>> edges.facts.format
'snap'
>>> skerry.connected_components(edges).count
2
"""

from __future__ import annotations

import os
from typing import TypeAlias, Unpack

from skerry.formats.find import Inputs
from skerry.formats.open import open_edges
from skerry.formats.writers import write as writers
from skerry.formats.writers.labels import Labels as Columns
from skerry.formats.writers.write import write_graph
from skerry.graph.edge_source import Batch, EdgeSource, InputFacts, ReadPosition
from skerry.inputs.edge_sources import read_options, with_id_kind
from skerry.keywords import EdgeKeywords, check_keywords
from skerry.request import InputOptions, input_options
from skerry.result.components import Components

__all__ = [
    "Batch",
    "EdgeSource",
    "InputFacts",
    "ReadPosition",
    "read_edges",
    "write_graph",
    "write_labels",
]

Labels: TypeAlias = "Components | Columns"
"""A result; the labels of vertices 0..n-1; columns by name (NumPy integers, or Arrow); a table."""


def read_edges(
    paths: Inputs,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    ids_as_text: bool = False,
    **columns: Unpack[EdgeKeywords],
) -> EdgeSource:
    """Opens files of edges; nothing but their beginnings is read yet.

    Parameters
    ----------
    paths
        A path, an address (``s3://...``), a pattern (``part-*.txt``), a folder, or a list of these,
        which are read into a single graph.
    format
        Name of the format, where the suffix does not tell.
    delimiter, header, ids_as_text
        Of delimited text: the character between columns, whether the first line names them, and
        whether ids are text even where all look like integers. By default what the beginning of
        the file shows; where all cells are text, ``header`` is asked for.
    **columns
        ``source``, ``target``, ``weight``, ``ids``, ``on_null``, ``groups``: as in
        `skerry.connected_components`, which then takes none of them. Without ``weight`` no weights
        are read.

    Returns
    -------
    EdgeSource
        Lazy, and can be read again; ``facts`` says which format, columns and header were taken.

    Raises
    ------
    InputError
        If a file is missing, damaged or not of its format.
    UnsupportedError
        If an option means nothing for the format, or the format needs a package that is missing.

    Examples
    --------
    >>> import skerry.io, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("id_l,id_r,score\\nkim,lee,0.9\\n")
    >>> skerry.io.read_edges(path).facts.source
    ('id_l',)
    """
    check_keywords(read_edges, columns, EdgeKeywords)
    chosen = InputOptions(
        format=format, delimiter=delimiter, header=header, ids_as_text=ids_as_text, **columns
    )
    options = input_options(chosen, keeps_weights=True)
    return with_id_kind(open_edges(paths, read_options(options), format), options).edges


def write_labels(labels: Labels, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Writes labels; the file is complete or not there at all.

    Parameters
    ----------
    labels
        A result of `skerry.connected_components`, as its ``write`` does; an array of labels, which
        tables get with the column ``vertex`` (0..n-1) before it; columns by name, as
        ``result.columns()`` returns them; or a pyarrow Table. NPY takes an array,
        or a result whose ids are vertex numbers.
    path
        The file, or an address for fsspec (``s3://...``); one that exists is replaced. A suffix of
        compression (``.gz``, ``.zst``, ``.bz2``, ``.xz``) compresses it.
    format
        The name of a format; by default the suffix decides.

    Raises
    ------
    InputError
        If the labels are not integers, or the file cannot be written there.
    UnsupportedError
        If the format cannot hold these ids, or needs pyarrow and it is not installed: Parquet and
        Arrow do, and CSV with ids that are not integers.
    OutputError
        If the disk is full, for instance.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from skerry.io import write_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "labels.csv")
    ...     write_labels(np.array([0, 0, 2]), path)
    ...     print(path.read_text(), end="")
    vertex,component
    0,0
    1,0
    2,2
    """
    if isinstance(labels, Components):
        labels.write(path, format)
    else:
        writers.write_labels(labels, path, format)
