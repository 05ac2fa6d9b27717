"""What tests on a real GPU share: CuPy, or why there is none, and graphs as its arrays."""

from __future__ import annotations

import os
import warnings
from functools import cache

import numpy as np
import pytest

import skerry
from support.answers import FORCED, device_form
from support.specs import specs_on

# JAX would take most of the GPU's memory for itself.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

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


def on_device(graph, form, ids=np.uint32, offsets=np.uint32):
    """A form of a test graph as a caller has it on the device."""
    import cupy

    return device_form(graph, form, ids, offsets, cupy.asarray)


@cache
def right_labels(graph, dtype, labels="min"):
    """The oracle's labels, which must be the CPU's too."""
    found = skerry.connected_components(graph.edges, dtype=dtype, labels=labels).labels
    assert found.dtype == dtype
    right = graph.dense if labels == "dense" else graph.labels
    np.testing.assert_array_equal(found, right, graph.name)
    return found


def assert_labels(graph, result, where, dtype=np.uint32, labels="min"):
    """The labels are on the device, and are the CPU's bit for bit."""
    import cupy

    assert isinstance(result.labels, cupy.ndarray), where
    found, right = result.labels.get(), right_labels(graph, np.dtype(dtype), labels)
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
    assert_labels(graph, result, where, dtype, options.get("labels", "min"))
    return result
