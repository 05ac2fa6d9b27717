"""Launches of kernels through a driver: here one that keeps what a device would run."""

from __future__ import annotations

import ctypes

import pytest

from skerry import _native

VOID, UNSIGNED = ctypes.c_void_p, ctypes.c_uint
HANDLE = ctypes.POINTER(VOID)
ARGUMENTS = ctypes.POINTER(VOID)


class Node(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS_v1."""

    _fields_ = (
        ("function", VOID),
        ("grid", UNSIGNED * 3),
        ("block", UNSIGNED * 3),
        ("shared", UNSIGNED),
        ("arguments", ARGUMENTS),
        ("extra", ARGUMENTS),
    )


def words_at(arguments, count):
    """Values of arguments, given where they are."""
    places = [arguments[i] for i in range(count)]
    return [ctypes.cast(place, ctypes.POINTER(ctypes.c_uint64))[0] for place in places]


class Driver:
    """Runs what it is given: keeps kernels in the order in which a device would run them.

    Calls by the names in ``failing`` give a status of their own and have no effect.
    """

    def __init__(self, failing=(), missing=(), captured=()):
        self.failing, self.captured = failing, captured
        self.handles = 100
        self.graphs = {}  # by handle: the handles of nodes
        self.kernels = {}  # by handle of a node
        self.executables = {}  # by handle: kernels by node
        self.ran = []  # stream and kernel
        self.started = []  # executables and streams
        self.early = 0  # kernels that are set up while the one before still runs
        functions = {
            "launch": (self.launch, VOID, *[UNSIGNED] * 7, VOID, ARGUMENTS, VOID),
            "create": (self.create, HANDLE, UNSIGNED),
            "add": (self.add, HANDLE, VOID, HANDLE, ctypes.c_size_t, ctypes.POINTER(Node)),
            "instantiate": (self.instantiate, HANDLE, VOID, ctypes.c_ulonglong),
            "change": (self.change, VOID, VOID, ctypes.POINTER(Node)),
            "start": (self.start, VOID, VOID),
            "destroy": (lambda _: 0, VOID),
            "is_capturing": (self.is_capturing, VOID, ctypes.POINTER(ctypes.c_int)),
            "depend": (self.depend, VOID, HANDLE, HANDLE, VOID, ctypes.c_size_t),
        }
        self.kept = [
            ctypes.CFUNCTYPE(ctypes.c_int, *types)(self._failing(name, function))
            for name, (function, *types) in functions.items()
        ]
        self.entries = [
            0 if name in missing else ctypes.cast(one, VOID).value
            for name, one in zip(functions, self.kept, strict=True)
        ]

    def _failing(self, name, function):
        return lambda *arguments: 7 if name in self.failing else function(*arguments) or 0

    def _new(self, handle):
        self.handles += 1
        handle[0] = self.handles
        return self.handles

    def launch(self, function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra):
        assert (gy, gz, by, bz, shared, extra) == (1, 1, 1, 1, 0, None)
        self.ran.append((stream, (function, gx, bx, words_at(arguments, function % 10))))

    def create(self, graph, flags):
        assert flags == 0
        self.graphs[self._new(graph)] = []

    def add(self, node, graph, before, count, kernel):
        nodes = self.graphs[graph]
        assert [before[i] for i in range(count)] in (nodes[-1:], [])
        nodes.append(self._new(node))
        self.kernels[nodes[-1]] = self._read(kernel[0]), bool(count) or len(nodes) == 1

    def depend(self, graph, source, target, edge, count):
        assert ([source[0], target[0]], count) == (self.graphs[graph][-2:], 1)
        assert ctypes.string_at(edge, 8) == EARLY
        self.kernels[target[0]] = self.kernels[target[0]][0], True
        self.early += 1

    def instantiate(self, executable, graph, flags):
        assert flags == 0
        kernels = {node: self.kernels[node] for node in self.graphs[graph]}
        assert all(ordered for _, ordered in kernels.values())
        self.executables[self._new(executable)] = {n: kernel for n, (kernel, _) in kernels.items()}

    def change(self, executable, node, kernel):
        self.executables[executable][node] = self._read(kernel[0])

    def start(self, executable, stream):
        self.started.append((executable, stream))
        self.ran += [(stream, kernel) for kernel in self.executables[executable].values()]

    def is_capturing(self, stream, status):
        status[0] = stream in self.captured

    def _read(self, kernel):
        assert tuple(kernel.grid[1:]) + tuple(kernel.block[1:]) == (1, 1, 1, 1)
        words = words_at(kernel.arguments, kernel.function % 10)
        return kernel.function, kernel.grid[0], kernel.block[0], words


# The last digit of a function's address is how many arguments it takes.
ONE = [0x1002 // 10 * 10 + 2, 5, 256, 2, 11, 2**64 - 1]
TWO = [0x2002 // 10 * 10 + 1, 1, 32, 1, 77]
OTHER = [TWO[0], 9, 64, 1, 78]
EARLY = bytes([1, 0, 1, 0, 0, 0, 0, 0])  # from the programmatic port, to any, a programmatic edge
WITHOUT_GRAPHS = [
    *({"failing": (name,)} for name in ("create", "add", "instantiate")),
    {"missing": ("instantiate",)},
    {"captured": (3,)},
]


def assert_ran(driver, stream, *kernels):
    """What has run since the last question."""
    wanted = [(stream, (*kernel[:3], kernel[4:])) for kernel in kernels]
    assert driver.ran == wanted
    driver.ran.clear()


@pytest.mark.parametrize("driver", [{}, *WITHOUT_GRAPHS], ids=str)
def test_kernels_run_in_order_with_what_they_are_given(driver):
    """Also where a driver has no graphs, fails to make one, or captures the stream."""
    driver = Driver(**driver)
    launcher = _native.Launcher(driver.entries)
    for kernels in ((ONE,), (ONE, TWO), (ONE, TWO), (ONE, OTHER), (ONE, TWO), (TWO, ONE)):
        assert launcher.launch(3, [word for kernel in kernels for word in kernel]) == 0
        assert_ran(driver, 3, *kernels)
    assert len(driver.executables) in (0, 2)  # made once for each order of kernels


def test_each_stream_has_a_graph_of_its_own_so_that_calls_can_run_at_once():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    for _ in range(2):
        for stream in (42, 43):
            assert launcher.launch(stream, ONE + TWO) == 0
            assert_ran(driver, stream, ONE, TWO)
    executables = [executable for executable, _ in driver.started]
    assert executables[:2] == executables[2:] and len(driver.executables) == 2


def test_more_streams_share_the_graphs_of_eight():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    for stream in range(1, 31):
        assert launcher.launch(stream, ONE + TWO) == 0
        assert_ran(driver, stream, ONE, TWO)
    assert len(driver.executables) == 8
    assert len({executable for executable, _ in driver.started[-8:]}) == 8  # one after the other


@pytest.mark.parametrize("failing", ["launch", "start", "change"])
def test_failures_are_reported(failing):
    driver = Driver(failing=(failing,))
    launcher = _native.Launcher(driver.entries)
    if failing == "launch":
        assert launcher.launch(3, ONE) == 7
        return
    assert launcher.launch(3, ONE + TWO) == (7 if failing == "start" else 0)
    assert launcher.launch(3, [*ONE[:-1], 5, *TWO]) == 7


@pytest.mark.parametrize("words", [ONE[:-1], [1, 1, 1], [0, 1, 1, 0], [8, 1, 1, 33, *range(33)]])
def test_lists_that_are_no_launches(words):
    launcher = _native.Launcher(Driver().entries)
    with pytest.raises(ValueError, match=r"cut off|no kernel"):
        launcher.launch(3, words)


def test_numbers_that_are_no_words():
    launcher = _native.Launcher(Driver().entries)
    for wrong, error in ((-1, OverflowError), (2**64, OverflowError), ("x", TypeError)):
        with pytest.raises(error):
            launcher.launch(3, [*ONE[:-1], wrong])


def test_no_driver():
    for entries in ([], [0] * 9, [1] * 8):
        with pytest.raises(ValueError, match="no driver"):
            _native.Launcher(entries)


def program(driver, early=False):
    """ONE and TWO, told in places: blocks of both, the two words of ONE, the word of TWO."""
    words = [ONE[0], 0, 256, 2, 3, 2, TWO[0], 1, 32, 1, 3]
    return _native.RecordedLaunches(_native.Launcher(driver.entries), words, early)


NUMBERS = [5, 1, 100, 200]


class Events:
    """A driver of events that writes down where it records them."""

    def __init__(self):
        self.streams = []
        types = ((HANDLE, UNSIGNED), (VOID, VOID), (VOID,), (VOID, VOID, VOID), (VOID,))
        functions = (lambda *_: 0, self.record, *[lambda *_: 0] * 3)
        self.kept = [
            ctypes.CFUNCTYPE(ctypes.c_int, *each)(function)
            for each, function in zip(types, functions, strict=True)
        ]
        entries = [ctypes.cast(function, VOID).value for function in self.kept]
        self.recorder = _native.EventRecorder(entries)

    def record(self, _event, stream):
        self.streams.append(stream)
        return 0


def launched(ready, stream, values):
    """The driver's status; the events are recorded in the same stream."""
    events = Events()
    status, begin, end = ready.launch(stream, values, events.recorder)
    assert events.streams == [stream, stream] and begin.stream == end.stream == stream
    return status


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize(
    "driver", [{}, {"failing": ("depend",)}, {"missing": ("depend",)}, *WITHOUT_GRAPHS[:4]], ids=str
)
def test_kernels_of_a_program_run_with_their_numbers(driver, early):
    """Kernels that wait themselves are set up early, where the driver can."""
    able = not driver
    driver = Driver(**driver)
    ready = program(driver, early)
    for numbers in (NUMBERS, NUMBERS, [6, 1, 101, 200], [6, 9, 101, 200, 77], NUMBERS):
        blocks, other, second, first = numbers[:4]
        assert launched(ready, 7, numbers) == 0
        one = [ONE[0], blocks, 256, 2, first, second]
        assert_ran(driver, 7, one, [TWO[0], other, 32, 1, first])
    assert len(driver.executables) <= 1
    assert not able or driver.early == early


def test_a_program_of_one_kernel():
    driver = Driver()
    words = [TWO[0], 0, 32, 1, 1]
    ready = _native.RecordedLaunches(_native.Launcher(driver.entries), words, True)
    assert launched(ready, 7, [1, 104]) == 0
    assert_ran(driver, 7, [*TWO[:4], 104])


def test_programs_that_are_none():
    launcher = _native.Launcher(Driver().entries)
    with pytest.raises(ValueError, match="cut off"):
        _native.RecordedLaunches(launcher, ONE[:-1], False)
    for short in ([], NUMBERS[:-1]):
        with pytest.raises(ValueError, match="too few values"):
            launched(program(Driver()), 7, short)
