"""Launches of kernels through a driver: here one that writes down what it is asked for."""

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
    """Gives a status of its own for calls by the names in ``failing``."""

    def __init__(self, failing=(), missing=(), captured=()):
        self.calls = []
        self.captured = captured
        self.failing = failing
        self.missing = missing
        self.handles = 100
        self.nodes = []
        self.started = []  # executables and streams
        self.alone = []  # whether a node was added without the one before it
        functions = {
            "launch": (self.launch, VOID, *[UNSIGNED] * 7, VOID, ARGUMENTS, VOID),
            "create": (self.create, HANDLE, UNSIGNED),
            "add": (self.add, HANDLE, VOID, HANDLE, ctypes.c_size_t, ctypes.POINTER(Node)),
            "instantiate": (self.instantiate, HANDLE, VOID, ctypes.c_ulonglong),
            "change": (self.change, VOID, VOID, ctypes.POINTER(Node)),
            "start": (self.start, VOID, VOID),
            "destroy": (self.destroy, VOID),
            "is_capturing": (self.is_capturing, VOID, ctypes.POINTER(ctypes.c_int)),
            "depend": (self.depend, VOID, HANDLE, HANDLE, VOID, ctypes.c_size_t),
        }
        self.kept = [
            ctypes.CFUNCTYPE(ctypes.c_int, *types)(function)
            for function, *types in functions.values()
        ]
        self.entries = [
            0 if name in missing else ctypes.cast(one, VOID).value
            for name, one in zip(functions, self.kept, strict=True)
        ]

    def called(self, name, *what):
        self.calls.append((name, *what))
        return 7 if name in self.failing else 0

    def _new(self, handle):
        self.handles += 1
        handle[0] = self.handles

    def launch(self, function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra):
        assert (gy, gz, by, bz, shared, extra) == (1, 1, 1, 1, 0, None)
        return self.called("launch", function, gx, bx, stream, words_at(arguments, function % 10))

    def create(self, graph, flags):
        assert flags == 0
        self.nodes.clear()
        self._new(graph)
        return self.called("create")

    def add(self, node, _graph, before, count, kernel):
        assert [before[i] for i in range(count)] in (self.nodes[-1:], [])
        self.alone.append(bool(self.nodes) and not count)
        self._new(node)
        self.nodes.append(node[0])
        return self.called("add", *self._read(kernel[0]))

    def depend(self, _graph, source, target, edge, count):
        assert (source[0], target[0], count) == (self.nodes[-2], self.nodes[-1], 1)
        return self.called("depend", ctypes.string_at(edge, 8))

    def instantiate(self, executable, _graph, flags):
        assert flags == 0
        self._new(executable)
        return self.called("instantiate")

    def change(self, _executable, node, kernel):
        return self.called("change", self.nodes.index(node), *self._read(kernel[0]))

    def start(self, executable, stream):
        self.started.append((executable, stream))
        return self.called("start", stream)

    def destroy(self, _graph):
        return self.called("destroy")

    def is_capturing(self, stream, status):
        status[0] = stream in self.captured
        return 0

    def _read(self, kernel):
        assert tuple(kernel.grid[1:]) + tuple(kernel.block[1:]) == (1, 1, 1, 1)
        words = words_at(kernel.arguments, kernel.function % 10)
        return kernel.function, kernel.grid[0], kernel.block[0], words


# The last digit of a function's address is how many arguments it takes.
ONE = [0x1002 // 10 * 10 + 2, 5, 256, 2, 11, 2**64 - 1]
TWO = [0x2002 // 10 * 10 + 1, 1, 32, 1, 77]
EXPECTED_ONE = (ONE[0], 5, 256, ONE[4:])
EXPECTED_TWO = (TWO[0], 1, 32, [77])


def test_one_kernel_is_launched_by_itself():
    driver = Driver()
    assert _native.Launcher(driver.entries).launch(42, ONE) == 0
    assert driver.calls == [("launch", *EXPECTED_ONE[:3], 42, EXPECTED_ONE[3])]


def test_several_are_a_graph_that_is_made_once():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    assert launcher.launch(42, ONE + TWO) == 0
    made = [
        ("create",),
        ("add", *EXPECTED_ONE),
        ("add", *EXPECTED_TWO),
        ("instantiate",),
        ("start", 42),
    ]
    assert driver.calls == made
    assert launcher.launch(42, ONE + TWO) == 0
    assert driver.calls[len(made) :] == [("start", 42)]


def test_each_stream_has_a_graph_of_its_own_so_that_calls_can_run_at_once():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    for _ in range(2):
        for stream in (42, 43):
            assert launcher.launch(stream, ONE + TWO) == 0
    assert [stream for _, stream in driver.started] == [42, 43, 42, 43]
    executables = [executable for executable, _ in driver.started]
    assert executables[:2] == executables[2:]
    assert len(set(executables)) == 2


def test_more_streams_share_the_graphs_of_eight():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    for stream in range(1, 31):
        assert launcher.launch(stream, ONE + TWO) == 0
    names = [name for name, *_ in driver.calls]
    assert (names.count("instantiate"), names.count("start")) == (8, 30)
    assert len({executable for executable, _ in driver.started[-8:]}) == 8  # one after the other


def test_only_what_changed_is_told_again():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    launcher.launch(1, ONE + TWO)
    driver.calls.clear()
    other = [TWO[0], 9, 64, 1, 78]
    assert launcher.launch(1, ONE + other) == 0
    assert driver.calls == [("change", 1, TWO[0], 9, 64, [78]), ("start", 1)]
    driver.calls.clear()
    assert launcher.launch(1, ONE + TWO) == 0
    assert driver.calls == [("change", 1, *EXPECTED_TWO), ("start", 1)]


def test_other_kernels_are_another_graph():
    driver = Driver()
    launcher = _native.Launcher(driver.entries)
    launcher.launch(1, ONE + TWO)
    driver.nodes.clear()
    driver.calls.clear()
    launcher.launch(1, TWO + ONE)
    launcher.launch(1, ONE + TWO)
    names = [name for name, *_ in driver.calls]
    assert names == ["create", "add", "add", "instantiate", "start", "start"]


@pytest.mark.parametrize("failing", ["create", "add", "instantiate"])
def test_without_graphs_kernels_are_launched_one_by_one(failing):
    driver = Driver(failing=(failing,))
    launcher = _native.Launcher(driver.entries)
    for _ in range(2):
        driver.calls.clear()
        assert launcher.launch(3, ONE + TWO) == 0
        assert [call for call in driver.calls if call[0] == "launch"] == [
            ("launch", *EXPECTED_ONE[:3], 3, EXPECTED_ONE[3]),
            ("launch", *EXPECTED_TWO[:3], 3, EXPECTED_TWO[3]),
        ]
    assert len(driver.calls) == 2  # a driver that could not is not asked again


def test_an_old_driver_without_graphs():
    driver = Driver(missing=("instantiate",))
    assert _native.Launcher(driver.entries).launch(3, ONE + TWO) == 0
    assert [name for name, *_ in driver.calls] == ["launch", "launch"]


def test_a_stream_that_is_captured_gets_kernels():
    driver = Driver(captured=(5,))
    launcher = _native.Launcher(driver.entries)
    assert launcher.launch(5, ONE + TWO) == 0
    assert [name for name, *_ in driver.calls] == ["launch", "launch"]
    driver.calls.clear()
    assert launcher.launch(6, ONE + TWO) == 0
    assert driver.calls[-1] == ("start", 6)


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


EARLY = bytes([1, 0, 1, 0, 0, 0, 0, 0])  # from the programmatic port, to any, a programmatic edge


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


def test_a_program_is_told_its_numbers():
    driver = Driver()
    ready = program(driver)
    assert launched(ready, 7, NUMBERS) == 0
    assert driver.calls[1:3] == [("add", *ONE[:3], [200, 100]), ("add", *TWO[:3], [200])]
    assert driver.calls[-1] == ("start", 7)
    driver.calls.clear()
    assert launched(ready, 7, NUMBERS) == 0
    assert driver.calls == [("start", 7)]
    driver.calls.clear()
    assert launched(ready, 7, [6, 1, 101, 200]) == 0
    assert driver.calls == [("change", 0, ONE[0], 6, 256, [200, 101]), ("start", 7)]
    driver.calls.clear()
    assert launched(ready, 7, [6, 9, 101, 200, 77]) == 0
    assert driver.calls == [("change", 1, TWO[0], 9, 32, [200]), ("start", 7)]


def test_a_program_of_one_kernel():
    driver = Driver()
    words = [TWO[0], 0, 32, 1, 1]
    ready = _native.RecordedLaunches(_native.Launcher(driver.entries), words, True)
    assert launched(ready, 7, [1, 104]) == 0
    assert driver.calls == [("launch", *TWO[:3], 7, [104])]


def test_kernels_that_wait_themselves_are_set_up_early():
    driver = Driver()
    assert launched(program(driver, early=True), 7, NUMBERS) == 0
    names = ["create", "add", "add", "depend", "instantiate", "start"]
    assert [name for name, *_ in driver.calls] == names
    assert driver.calls[3] == ("depend", EARLY)
    assert driver.alone == [False, True]


@pytest.mark.parametrize("failing", ["depend", "instantiate"])
def test_where_that_cannot_be_each_waits_for_the_end(failing):
    driver = Driver(failing=(failing,))
    ready = program(driver, early=True)
    assert launched(ready, 7, NUMBERS) == 0
    names = [name for name, *_ in driver.calls]
    if failing == "depend":
        again = ["destroy", "create", "add", "add", "instantiate", "start"]
        assert names == ["create", "add", "add", "depend", *again]
        assert driver.alone == [False, True, False, False]
    else:
        assert names.count("instantiate") == 2
        assert names[-2:] == ["launch", "launch"]


def test_an_old_driver_without_early_starts():
    driver = Driver(missing=("depend",))
    assert launched(program(driver, early=True), 7, NUMBERS) == 0
    assert [name for name, *_ in driver.calls] == ["create", "add", "add", "instantiate", "start"]


def test_programs_that_are_none():
    launcher = _native.Launcher(Driver().entries)
    with pytest.raises(ValueError, match="cut off"):
        _native.RecordedLaunches(launcher, ONE[:-1], False)
    for short in ([], NUMBERS[:-1]):
        with pytest.raises(ValueError, match="too few values"):
            launched(program(Driver()), 7, short)
