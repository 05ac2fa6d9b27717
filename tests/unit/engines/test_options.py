"""Every option is honored or refused: by every kind of input, and by every engine."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
import re

import networkx
import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

import skerry
import skerry.io
import skerry.ray
import skerry.spark
from skerry.engines.dispatch import ENGINES, KINDS, select
from skerry.errors import InputError, UnsupportedError
from skerry.inputs import adjacency, batches, device, edge_sources, grid, host, igraph, tables
from skerry.inputs.recognize import recognize
from skerry.inputs.sources import InputKind
from skerry.request import Checkpoint, InputOptions, SolveOptions, Spill
from skerry.result.earlier import read_previous
from support.emulated import emulated_gpu
from support.emulator import works

SRC, DST, WEIGHT = np.array([0, 1, 3]), np.array([1, 2, 4]), np.array([0.9, 0.1, 0.8])

EXAMPLES = {
    "source": "src",
    "target": "dst",
    "vertices": [7],
    "weight": "weight",
    "threshold": 0.5,
    "keep": "below",
    "num_vertices": 9,
    "ids": "external",
    "symmetric": True,
    "format": "csv",
    "delimiter": ",",
    "header": True,
    "ids_as_text": True,
    "on_null": "drop",
    "groups": "dst",
    "algorithm": "afforest",
    "device": "cuda",
    "threads": 2,
    "labels": "dense",
    "dtype": np.dtype(np.int64),
    "statistics": True,
    "limit": 10**12,
    "progress": lambda _edges, _read: None,
    "previous": read_previous([0, 1, 0]),
    "forest": True,
    "checkpoint": Checkpoint("folder"),
    "spill": Spill("folder"),
}
"""A value for each option that differs from its default."""


def table():
    return pa.table({"src": SRC, "dst": DST, "weight": WEIGHT})


def matrix():
    return sp.csr_array((WEIGHT, (SRC, DST)), shape=(5, 5))


def rows():
    return skerry.Csr(matrix().indptr.astype(np.uint64), matrix().indices.astype(np.uint32))


def image():
    return skerry.Grid([5, 5, 5, 7, 7], values="equal")


def network():
    graph = networkx.Graph()
    graph.add_weighted_edges_from(zip(SRC.tolist(), DST.tolist(), WEIGHT.tolist(), strict=True))
    return graph


def file_of(folder):
    path = folder / "edges.csv"
    path.write_text("src,dst,weight\n0,1,0.9\n1,2,0.1\n3,4,0.8\n")
    return path


INPUTS = {
    "arrays": lambda _: (SRC, DST),
    "skerry.Edges": lambda _: skerry.Edges(SRC, DST, 5),
    "skerry.Csr": lambda _: rows(),
    "skerry.Grid": lambda _: image(),
    "sparse matrices": lambda _: matrix(),
    "networkx graphs": lambda _: network(),
    "mappings of neighbors": lambda _: {0: [1], 1: [2], 3: [4]},
    "tables": lambda _: table(),
    "batches": lambda _: [(SRC, DST)],
    "files": file_of,
    "an EdgeSource": lambda folder: skerry.io.read_edges(file_of(folder)),
}


def kinds():
    modules = (host, device, grid, adjacency, igraph, tables, batches, edge_sources)
    found = {id(kind): kind for module in modules for kind in vars(module).values()}
    return [kind for kind in found.values() if isinstance(kind, InputKind)]


def kind_named(name):
    return next(kind for kind in kinds() if kind.name.startswith(name))


def stated_alone(option, name):
    """Options with one stated; a weight, and a side of it, need their threshold."""
    if option == "groups":
        columns = name in ("tables", "files")  # others have pairs of ids and keys
        return InputOptions(**({"source": "src", "groups": "dst"} if columns else {"groups": True}))
    beside = {"threshold": 0.5} if option in ("weight", "keep") else {}
    if option in ("source", "target"):
        beside = {"source": "src", "target": "dst"}
    return InputOptions(**{**beside, option: EXAMPLES[option]})


def test_there_is_an_example_of_every_option():
    assert set(EXAMPLES) == {*InputOptions._fields, *SolveOptions._fields}
    assert InputOptions().stated == SolveOptions().stated == frozenset()
    for record in (InputOptions, SolveOptions):
        for name in record._fields:
            assert record(**{name: EXAMPLES[name]}).stated == {name}


def test_every_kind_of_input_is_tried():
    tried = {kind_named(name).name for name in INPUTS}
    on_device = {kind.name for kind in kinds() if "GPU" in kind.name}
    assert {kind.name for kind in kinds()} == tried | on_device | {"igraph graphs"}


@pytest.mark.parametrize("option", InputOptions._fields)
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_accept_or_refuse_every_option(name, option, tmp_path):
    kind, graph = kind_named(name), INPUTS[name](tmp_path)
    options = stated_alone(option, name)
    refused = options.stated - kind.accepts
    if option == "ids" and "external" not in kind.id_kinds:
        with pytest.raises(UnsupportedError, match='ids="external" is not supported'):
            recognize(graph, options)
    elif refused:
        with pytest.raises(UnsupportedError, match=f"{min(refused)}=.* not supported for"):
            recognize(graph, options)
    else:
        source = recognize(graph, options)
        assert source.facts.format


@pytest.mark.parametrize("option", SolveOptions._fields)
@pytest.mark.parametrize("entry", ENGINES, ids=lambda entry: entry.name)
def test_engines_honor_or_refuse_every_option(entry, option, tmp_path):
    """What an engine does not honor is refused, and the message names inputs that have it."""
    engine = entry.load()
    assert engine.name == entry.name
    assert engine.source is entry.source
    assert engine.honors <= {*SolveOptions._fields, "parts"}  # of device="cuda:0,1"
    source = recognize(*EXAMPLE_SOURCES[entry.name](tmp_path))
    options = SolveOptions(**{option: EXAMPLES[option]})
    candidates = [other.load() for other in ENGINES if other.source is entry.source]
    able = [
        other
        for other in candidates
        if other.refusal(source, options) is None and option in other.honors
    ]
    if able:
        assert select(source, options) is able[0]
        return
    with pytest.raises(UnsupportedError) as error:
        select(source, options)
    if engine.refusal(source, options) is None:
        assert f"{option}=" in str(error.value)
        able = {other.source for other in ENGINES if option in other.load().honors}
        assert all(KINDS[source] in str(error.value) for source in able)


@pytest.mark.parametrize("name", ["memory", "device", "grid", "adjacency", "streaming"])
def test_a_refusal_says_what_the_caller_stated(name, tmp_path):
    """Of any two options: those named are stated, exclude each other, and no engine is named."""
    source = recognize(*EXAMPLE_SOURCES[name](tmp_path))
    for pair in itertools.combinations(SolveOptions._fields, 2):
        try:
            select(source, SolveOptions(**{option: EXAMPLES[option] for option in pair}))
            continue
        except UnsupportedError as error:
            message = str(error)
        assert not ENGINE_WORDS.search(message), message
        named = {option for option in SolveOptions._fields if f"{option}=" in message}
        blamed = named & set(pair)
        assert blamed, (pair, message)
        with pytest.raises(UnsupportedError):  # what was not named had no part in it
            select(source, SolveOptions(**{option: EXAMPLES[option] for option in blamed}))
        for left_out in blamed if "cannot be used together" in message else ():
            select(source, SolveOptions(**{each: EXAMPLES[each] for each in blamed - {left_out}}))


ENGINE_WORDS = re.compile(r"engine|gather|streaming|adjacency|upload|spilling")


def on_device(_):
    return OnDevice(), InputOptions()


class OnDevice:
    """Looks like an array on a GPU."""

    def __dlpack_device__(self):
        return 2, 0


class ImageOnDevice(OnDevice):
    ndim, shape = 2, (3, 4)


EXAMPLE_SOURCES = {
    "memory": lambda _: ((SRC, DST), InputOptions()),
    "upload": lambda _: ((SRC, DST), InputOptions()),
    "parts": lambda _: ((SRC, DST), InputOptions()),
    "forest": lambda _: ((SRC, DST), InputOptions()),
    "device": on_device,
    "grid": lambda _: (image(), InputOptions()),
    "device grid": lambda _: (skerry.Grid(ImageOnDevice()), InputOptions()),
    "adjacency": lambda _: (network(), InputOptions()),
    "streaming": lambda folder: (file_of(folder), InputOptions()),
    "gathering": lambda folder: (file_of(folder), InputOptions()),
    "spilling": lambda folder: (file_of(folder), InputOptions()),
}

IN_MEMORY = set(INPUTS) - {"files", "tables", "batches", "an EdgeSource"}
HONORED = (
    *("algorithm", "threads", "labels", "dtype", "statistics", "limit", "progress"),
    "forest",
)
STREAM = tuple(field.name for field in dataclasses.fields(skerry.StreamOptions))


def stated(option, value):
    """The argument that states an option."""
    if option in STREAM:
        return {"stream": skerry.StreamOptions(**{option: value})}
    return {option: value}


@pytest.mark.parametrize("option", HONORED)
@pytest.mark.parametrize("name", INPUTS)
def test_what_is_accepted_has_its_effect(name, option, tmp_path):
    called = []
    value = EXAMPLES[option] if option != "progress" else lambda *counts: called.append(counts)
    graph = INPUTS[name](tmp_path)
    try:
        result = skerry.connected_components(graph, **stated(option, value))
    except UnsupportedError as error:
        assert name in IN_MEMORY and option in ("limit", "progress")
        assert f"{option}=" in str(error) and "but for files, tables" in str(error)
        return
    effect = {
        "algorithm": lambda: result.plan.algorithm == "afforest",
        "threads": lambda: result.plan.threads in (1, 2),
        "labels": lambda: result.labels.tolist() == [0, 0, 0, 1, 1],
        "dtype": lambda: result.labels.dtype == np.int64,
        "statistics": lambda: result.plan.statistics.hooks == 3,
        "limit": lambda: result.count == 2,
        "progress": lambda: called[-1][0] == 3,
        "forest": lambda: result.spanning_forest().row.tolist() == [0, 1, 2],
    }
    assert effect[option]()


def test_limits_are_kept(tmp_path):
    with pytest.raises(MemoryError, match="the limit is 10"):
        skerry.connected_components(file_of(tmp_path), stream=skerry.StreamOptions(limit=10))
    with pytest.raises(UnsupportedError, match=r'algorithm="ecl" and limit= cannot be used'):
        skerry.connected_components(
            file_of(tmp_path), stream=skerry.StreamOptions(limit=10**9), algorithm="ecl"
        )


def test_counts_of_a_file(tmp_path):
    result = skerry.connected_components(file_of(tmp_path), statistics=True)
    assert result.plan.engine == "gathering" and result.plan.statistics is not None
    seen = []
    skerry.connected_components(
        file_of(tmp_path),
        algorithm="ecl",
        stream=skerry.StreamOptions(progress=lambda edges, _: seen.append(edges)),
    )
    assert seen == [3]


@pytest.mark.skipif(not works(), reason="no compiler for the emulated GPU")
def test_a_device_refuses_what_it_cannot_honor():
    with emulated_gpu(on_device=True):
        for option in ("threads", "limit", "progress"):
            with pytest.raises(UnsupportedError, match=f"{option}= is not .* arrays on a GPU"):
                skerry.connected_components((SRC, DST), **stated(option, EXAMPLES[option]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"limit": "4 sheep"}, "limit must be a number of bytes, .*such as 4G.* got '4 sheep'"),
        ({"limit": 0}, "limit must be a number of bytes, 1 or more"),
        ({"limit": True}, "limit must be an integer"),
        ({"progress": 3}, "progress must be a function"),
        ({"progress": True}, "progress must be a function"),
        ({"checkpoint": 3}, "checkpoint must be the path of a folder"),
        ({"stream": {"limit": 3}}, "stream must be a StreamOptions"),
        ({"statistics": "yes"}, "statistics must be True or False, got 'yes'"),
        ({"statistics": 1}, "statistics must be True or False, got 1"),
        ({"symmetric": "no"}, "symmetric must be True, False or None"),
        ({"threshold": True}, "threshold must be a number"),
        ({"num_vertices": "9"}, "num_vertices must be an integer"),
    ],
)
def test_options_of_a_wrong_type(arguments, message, tmp_path):
    for graph in ((SRC, DST), file_of(tmp_path)):
        with pytest.raises(InputError, match=message):
            ((option, value),) = arguments.items()
            skerry.connected_components(graph, **stated(option, value))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"header": "no"}, "header must be True, False or None"),
        ({"ids_as_text": 1}, "ids_as_text must be True or False"),
        ({"format": 3}, "format must be text"),
        ({"delimiter": 3}, "delimiter must be text"),
        ({"on_null": 3}, 'on_null must be "error" or "drop"'),
    ],
)
def test_options_of_read_edges_of_a_wrong_type(arguments, message, tmp_path):
    with pytest.raises(InputError, match=message):
        skerry.io.read_edges(file_of(tmp_path), **arguments)


FUNCTIONS = {
    "connected_components": skerry.connected_components,
    "verify": lambda path, **options: skerry.verify(path, [0], **options),
    "read_edges": skerry.io.read_edges,
    "threshold_sweep": lambda path, **options: skerry.threshold_sweep(path, "w", [0.5], **options),
    "single_linkage": lambda path, **options: skerry.single_linkage(path, "w", **options),
    "split_large": lambda path, **options: skerry.split_large(path, "w", 3, **options),
    "distributed_components": skerry.ray.distributed_components,
    "Spark's distributed_components": skerry.spark.distributed_components,
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("symmetrical", r"did you mean symmetric=\? If so, it belongs to connected_components"),
        ("min_size", r"pass it to `table`, `columns`, `groups` or `write` of the result"),
        ("limit", r"pass stream=skerry.StreamOptions\(limit=...\) to skerry.connected_components"),
        ("nonsense", "no option of skerry has this name"),
    ],
)
def test_what_a_function_does_not_take(function, name, advice):
    if function == "connected_components":
        advice = advice.partition(" If so")[0]
    called = function.rpartition(" ")[2]
    message = rf"^{called}\(\) got an unexpected keyword argument '{name}': {advice}$"
    with pytest.raises(TypeError, match=message):
        FUNCTIONS[function]("edges.txt", **{name: 1})


@pytest.mark.parametrize(
    ("function", "name", "advice"),
    [
        ("connected_components", "delimiter", "pass it to skerry.io.read_edges, and what that"),
        ("connected_components", "delimeter", r"mean delimiter=\? If so, pass it to skerry.io.rea"),
        ("connected_components", "num-vertice", r"did you mean num_vertices=\?$"),
        ("verify", "symmetric", "it belongs to connected_components"),
        ("read_edges", "ids_as_txt", r"did you mean ids_as_text=\?$"),
        ("threshold_sweep", "kep", r"did you mean keep=\?$"),
    ],
)
def test_where_an_option_belongs(function, name, advice):
    with pytest.raises(TypeError, match=advice):
        FUNCTIONS[function]("edges.txt", **{name: 1})


def test_a_source_of_edges_has_its_own_weights(tmp_path):
    edges = skerry.io.read_edges(file_of(tmp_path), weight="weight")
    with pytest.raises(UnsupportedError, match="weight=None takes the weights that read_edges"):
        skerry.threshold_sweep(edges, "weight", [0.5])
    assert skerry.threshold_sweep(edges, None, [0.5]).counts.tolist() == [2]


@pytest.mark.parametrize("name", INPUTS)
def test_verify_takes_what_connected_components_takes(name, tmp_path):
    graph = INPUTS[name](tmp_path)
    result = skerry.connected_components(graph)
    assert skerry.verify(graph, result.labels)
    assert skerry.verify(graph, result)
    wrong = result.labels.copy()
    wrong[0] = 4
    assert not skerry.verify(graph, wrong)
    if name in ("arrays", "batches"):  # which do not say how many vertices there are
        assert skerry.verify(graph, np.append(result.labels, 5))
        return
    with pytest.raises(InputError, match="the graph has 5 vertices, but labels has 6"):
        skerry.verify(graph, np.append(result.labels, 5))


def test_verify_with_options(tmp_path):
    path = file_of(tmp_path)
    options = {"weight": "weight", "threshold": 0.5}
    result = skerry.connected_components(path, **options)
    assert result.ids.tolist() == [0, 1, 3, 4]
    assert skerry.verify(path, result.labels, **options)
    with pytest.raises(InputError, match="the graph has 5 vertices, but labels has 4"):
        skerry.verify(path, result.labels)


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("labels", ["min", "dense"])
def test_results_pickle(name, labels, tmp_path):
    result = skerry.connected_components(INPUTS[name](tmp_path), labels=labels)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.labels.tolist() == result.labels.tolist() and not copy.labels.flags.writeable
    assert copy.count == result.count and copy.plan == result.plan
    assert copy.table().equals(result.table())
    with pytest.raises(UnsupportedError, match=r"skerry\.verify\(graph, result\.labels\)"):
        copy.verify()


@pytest.mark.parametrize("name", INPUTS)
def test_labels_of_the_host_are_read_only(name, tmp_path):
    for labels in ("min", "dense"):
        result = skerry.connected_components(INPUTS[name](tmp_path), labels=labels)
        with pytest.raises(ValueError, match="read-only"):
            result.labels[0] = 1


def test_the_plan_says_what_was_read(tmp_path):
    plan = skerry.connected_components(file_of(tmp_path)).plan
    assert plan.engine == "streaming"
    assert (plan.input.format, plan.input.source, plan.input.target) == ("csv", ("src",), ("dst",))
    assert plan.input.header is True and plan.input.delimiter == ","
    assert skerry.connected_components(matrix()).plan.input.format == "sparse matrix"


def test_memory_of_a_plan_on_a_cpu(tmp_path):
    for algorithm in ("auto", "ecl", "afforest"):
        for graph in ((SRC, DST), matrix()):
            result = skerry.connected_components(graph, algorithm=algorithm)
            assert result.plan.bytes >= result.labels.nbytes
    assert skerry.connected_components(file_of(tmp_path)).plan.bytes >= 5 * 4
