"""What tests on a real GPU share: CuPy, or why there is none, and graphs as its arrays."""

from __future__ import annotations

import os
import warnings
from functools import cache

import numpy as np
import pytest

import skerry
from support.specs import specs_on

# JAX would take most of the GPU's memory for itself.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

FORCED = (
    "rows[strategy=links]",
    "rows[strategy=direct]",
    "rows[strategy=plain]",
    "stream[share=1]",
    "stream[share=3]",
)
"""What `auto` leaves out on small graphs, which it does in one launch."""

NAMES = ("auto", *(spec.name for spec in specs_on("cuda")), *FORCED)


@cache
def why_not():
    """Why nothing can be run on a GPU here; empty where it can."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import cupy

            cupy.zeros(1).sum().get()
        except ImportError:
            return "needs CuPy"
        except Exception as error:
            return f"needs an NVIDIA GPU: {error}"
    return ""


def require_gpu():
    """CuPy; where it or a GPU is missing, the module that asks is skipped."""
    if why_not():
        pytest.skip(why_not(), allow_module_level=True)
    import cupy

    return cupy


def form_read_by(name):
    """The form that an algorithm reads without a conversion."""
    if name == "auto":
        return None
    return "edges" if skerry.algorithm(name).form == "edges" else "csr"


def forms_read_by(name):
    """All forms that it reads so, as attributes of a test graph."""
    return {None: ("edges", "csr", "symmetric"), "edges": ("edges",), "csr": ("csr", "symmetric")}[
        form_read_by(name)
    ]


def on_device(graph, form, ids=np.uint32, offsets=np.uint32):
    """A form of a test graph as a caller has it on the device."""
    import cupy

    if form == "edges":
        columns = (cupy.asarray(column.astype(ids)) for column in (graph.src, graph.dst))
        return skerry.Edges(*columns, graph.n)
    matrix = getattr(graph, form)
    return skerry.Csr(
        cupy.asarray(matrix.indptr.astype(offsets)),
        cupy.asarray(matrix.indices.astype(ids)),
        True if form == "symmetric" else None,
    )


@cache
def right_labels(graph, dtype):
    """The oracle's labels, which must be the CPU's too."""
    labels = skerry.connected_components(graph.edges, dtype=dtype).labels
    assert labels.dtype == dtype
    np.testing.assert_array_equal(labels, graph.labels, graph.name)
    return labels


def assert_labels(graph, result, where, dtype=np.uint32):
    """The labels are on the device, and are the CPU's bit for bit."""
    import cupy

    assert isinstance(result.labels, cupy.ndarray), where
    found, right = result.labels.get(), right_labels(graph, np.dtype(dtype))
    assert found.dtype == right.dtype and found.shape == right.shape, where
    wrong = np.flatnonzero(found != right)
    assert not len(wrong), (
        f"{graph.name} {where}: {len(wrong)} wrong labels; vertex {wrong[0]} has "
        f"{found[wrong[0]]}, not {right[wrong[0]]}"
    )
    assert result.count == graph.count, f"{graph.name} {where}: {result.count} components"


def assert_answer_on_gpu(graph, form, name, widths=(np.uint32, np.uint32, np.uint32), **options):
    """Asks for the components of a graph on the device; widths are of labels, ids and offsets."""
    dtype, ids, offsets = widths
    given = on_device(graph, form, ids, offsets)
    result = skerry.connected_components(given, algorithm=name, dtype=dtype, **options)
    where = f"{form} {name} {' '.join(np.dtype(width).name for width in widths)}"
    assert_labels(graph, result, where, dtype)
    return result
