"""Calls that name a GPU, made on an emulated one; host arrays may be taken for a device's."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest

import skerry
import skerry.engines.device
import skerry.engines.device_stream
import skerry.inputs.recognize
from skerry.algorithms import gpu_planner
from skerry.algorithms.gpu import backend, row_solver
from skerry.algorithms.gpu.dry_runtime import DryRuntime, dry_csr, dry_edges
from support.answers import WIDTHS, device_form
from support.checks import assert_answer
from support.emulator import EmulatedRuntime, build_kernels, fibers


@contextmanager
def emulated_gpu(runtime=None, on_device=False, nothing_is_small=False):
    """Emulates ``device="cuda"``; with ``on_device``, every array counts as an array on a GPU."""
    runtime = runtime or EmulatedRuntime()
    with pytest.MonkeyPatch.context() as patch:
        for engine in (skerry.engines.device, skerry.engines.device_stream):
            patch.setattr(engine, "find_runtime", lambda _device: runtime)
        if on_device:
            patch.setattr(skerry.inputs.recognize, "device_of", lambda _graph: 0)
        if nothing_is_small:
            for limit in ("ONE_BLOCK", "CHECKED_FROM", "LINKS_FROM", "FEW_ENTRIES"):
                patch.setattr(gpu_planner, limit, -1)
            patch.setattr(gpu_planner, "COPIED_VERTICES", -1)
            patch.setattr(row_solver, "ONE_EACH", -1)
            row_solver._run.cache_clear()
        yield runtime
    if nothing_is_small:
        row_solver._run.cache_clear()


def assert_answer_on_device(graph, form, name, widths="narrow", keep=np.asarray, **options):
    """Asks for the components of arrays on an emulated device, inside of `emulated_gpu`."""
    dtype, ids, offsets = WIDTHS[widths]
    given = device_form(graph, form, ids, offsets, keep)
    return assert_answer(graph, given, f"{form} {widths}", algorithm=name, dtype=dtype, **options)


class _Recorder(DryRuntime):
    """Executes nothing, and records what it would compile."""

    def __init__(self):
        self.compiled = set()

    def kernel(self, source, name, defines):
        self.compiled.add((source, defines))
        return super().kernel(source, name, defines)


def build_ahead(names, widths=None, counting=(False,)):
    """Compiles the kernels of algorithms, several at a time: one by one takes twice as long."""
    recorder = _Recorder()
    for name in names:
        spec = skerry.algorithm(name)
        for labels, ids, offsets in widths or WIDTHS.values():
            for count in counting:
                bits = 8 * np.dtype(ids).itemsize
                for n in (10, gpu_planner.ONE_BLOCK + 1, (1 << 18) + 1):
                    graph = dry_csr(n, n, bits, 8 * np.dtype(offsets).itemsize)
                    if not spec.reads_rows("cuda"):
                        graph = dry_edges(n, n, bits)
                    backend.run(spec, recorder, graph, labels, count)
    fibers()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda kernel: build_kernels(*kernel), sorted(recorder.compiled)))
