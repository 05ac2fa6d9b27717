"""`skerry.patch_scipy`: skerry answers calls of scipy until the patch ends, then no more."""

from __future__ import annotations

import multiprocessing
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

import skerry
from skerry.patch import scipy as patch
from skerry.patch.swap import Swap

HELD = (csgraph.connected_components,)  # in a tuple: a name of this module would be patched too
GRAPH = scipy.sparse.csr_array(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))


@pytest.fixture
def module(monkeypatch):
    """A module that took the function by names of its own, before any patch."""
    module = ModuleType("made_up_user")
    exec(
        "from scipy.sparse.csgraph import connected_components\n"
        "from scipy.sparse.csgraph import connected_components as components\n"
        "def weak(graph): return connected_components(graph)\n"
        "def undirected(graph): return components(graph, directed=False, connection='strong')\n"
        "def strong(graph): return components(graph, connection='strong')\n",
        vars(module),
    )
    monkeypatch.setitem(sys.modules, "made_up_user", module)
    return module


@pytest.fixture(autouse=True)
def everything_is_put_back(module):
    yield
    assert csgraph.connected_components is HELD[0]
    assert csgraph._traversal.connected_components is HELD[0]
    assert module.connected_components is module.components is HELD[0]
    assert not Swap._active.get("scipy") and patch.connected_components is not HELD[0]


def test_calls_go_to_skerry_wherever_they_come_from(module):
    with skerry.patch_scipy() as patched:
        for call in (module.weak, module.undirected, csgraph.connected_components):
            count, labels = call(GRAPH)
            assert count == 2 and labels.tolist() == [0, 0, 1] and labels.dtype == np.int32
        assert patched.by_skerry == 3
        assert csgraph.connected_components(csgraph=GRAPH, return_labels=False) == 2
    module.weak(GRAPH)
    assert patched.by_skerry == 4


def test_strong_components_stay_with_scipy(module):
    with skerry.patch_scipy() as patched:
        right = HELD[0](GRAPH, connection="strong")
        count, labels = module.strong(GRAPH)
        assert count == right[0] and labels.tolist() == right[1].tolist()
    assert patched.by_skerry == 1


def test_a_module_imported_meanwhile_is_put_back_too(monkeypatch):
    late = ModuleType("made_up_late")
    with skerry.patch_scipy():
        exec("from scipy.sparse.csgraph import connected_components", vars(late))
        monkeypatch.setitem(sys.modules, "made_up_late", late)
        assert late.connected_components is not HELD[0]
    assert late.connected_components is HELD[0]


def test_the_plain_call_patches_until_it_is_stopped(module):
    patched = skerry.patch_scipy()
    try:
        assert module.weak(GRAPH)[0] == 2 and patched.by_skerry == 1
        assert repr(patched).startswith("Patched(active")
    finally:
        patched.stop()
    assert module.connected_components is HELD[0]
    patched.stop()
    module.weak(GRAPH)
    assert patched.by_skerry == 1 and repr(patched).startswith("Patched(not active")


def test_a_block_ends_a_patch_that_was_made_before_it(module):
    patched = skerry.patch_scipy()
    module.weak(GRAPH)
    with patched:
        module.weak(GRAPH)
    assert module.connected_components is HELD[0]
    assert patched.by_skerry == 2


def test_a_patch_for_good_outlives_blocks_and_its_object(module):
    kept = skerry.patch_scipy().stop  # in a notebook nothing would be kept at all
    with skerry.patch_scipy():
        pass
    assert module.connected_components is not HELD[0]
    kept()


def test_nested_blocks_end_with_the_outer_one(module):
    with skerry.patch_scipy() as outer:
        module.weak(GRAPH)
        with skerry.patch_scipy() as inner:
            module.weak(GRAPH)
        assert module.connected_components is not HELD[0]
        module.weak(GRAPH)
    assert (outer.by_skerry, inner.by_skerry) == (3, 1)


def test_a_block_may_be_entered_again_but_not_twice_at_once(module):
    patched = skerry.patch_scipy()
    for _ in range(2):
        with patched:
            module.weak(GRAPH)
            with pytest.raises(RuntimeError, match="active already"), patched:
                pass
        assert patched.by_skerry == 1


def test_an_exception_puts_scipy_back(module):
    with pytest.raises(KeyError), skerry.patch_scipy():
        raise KeyError
    assert module.connected_components is HELD[0]


def test_errors_are_value_errors_as_those_of_scipy(module):
    with skerry.patch_scipy():
        for call in (HELD[0], module.connected_components):
            with pytest.raises(ValueError):
                call(GRAPH, connection="both")
            with pytest.raises(ValueError):
                call(np.zeros((2, 3)))


def test_blocks_of_many_threads(module):
    begin = threading.Barrier(4)

    def work(_number):
        begin.wait()
        for _ in range(20):
            with skerry.patch_scipy():
                assert module.weak(GRAPH)[0] == 2
                assert module.connected_components is not HELD[0]

    with ThreadPoolExecutor(4) as pool, skerry.patch_scipy() as patched:
        list(pool.map(work, range(4)))
    assert patched.by_skerry == 80


def test_a_reference_that_outlives_the_block_does_what_scipy_does():
    with skerry.patch_scipy() as patched:
        kept = csgraph.connected_components
    assert kept(GRAPH, return_labels=False) == 2
    assert patched.by_skerry == 0
    assert pickle.loads(pickle.dumps(kept)) is kept


def test_it_looks_like_the_function_of_scipy():
    with skerry.patch_scipy():
        assert csgraph.connected_components.__name__ == HELD[0].__name__


def child(connection):
    connection.send(csgraph.connected_components is HELD[0])
    csgraph.connected_components(GRAPH)
    connection.send(Swap._lock.locked())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_inherits_the_patch_and_no_lock():
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe()
    with skerry.patch_scipy():
        process = context.Process(target=child, args=(sender,))
        with Swap._lock:
            process.start()
        assert receiver.recv() is False
        assert receiver.recv() is False
        process.join()


def test_objects_that_stand_for_modules_are_left_alone(monkeypatch):
    class Lazy:
        __slots__ = ()

        def __getattr__(self, name):
            raise AssertionError("nothing is loaded")

    monkeypatch.setitem(sys.modules, "made_up_none", None)
    monkeypatch.setitem(sys.modules, "made_up_lazy", Lazy())
    with skerry.patch_scipy():
        pass


def test_without_scipy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse.csgraph", None)
    with pytest.raises(skerry.UnsupportedError, match=r"skerry\[scipy\]"), skerry.patch_scipy():
        pass


# python -m skerry.patch


def run(*arguments, cwd=None):
    command = [sys.executable, "-m", "skerry.patch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


SCRIPT = """
import sys, beside
from scipy.sparse.csgraph import connected_components
assert __name__ == "__main__"
print(sys.argv[1:], beside.graph, connected_components(beside.graph)[0])
sys.exit(7)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/script.py").write_text(SCRIPT)
    (tmp_path / "scripts/beside.py").write_text("import numpy\ngraph = numpy.eye(1)\n")
    return tmp_path


def test_a_script_runs_as_python_would_run_it(folder):
    done = run("--count", "scripts/script.py", "--count", "-m", cwd=folder)
    assert (done.returncode, done.stdout) == (7, "['--count', '-m'] [[1.]] 1\n"), done.stderr
    assert done.stderr == "skerry.patch: 1 calls answered by skerry\n"


def test_a_module_runs_as_python_would_run_it(folder):
    done = run("-m", "script", "-q", cwd=folder / "scripts")
    assert (done.returncode, done.stdout, done.stderr) == (7, "['-q'] [[1.]] 1\n", "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "name a script"),
        (["-m"], "name a script"),
        (["--counts", "script.py"], "no such option: --counts"),
        (["missing.py"], "no such file: missing.py"),
    ],
)
def test_what_cannot_be_run_is_refused(arguments, reason, tmp_path):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and f"error: {reason}" in done.stderr


def test_help():
    done = run("--help")
    assert done.returncode == 0 and done.stdout.startswith("usage: python -m skerry.patch")
