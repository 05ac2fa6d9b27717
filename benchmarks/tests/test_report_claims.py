"""The papers' claims: judged by results that agree with them and by results that do not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from lab.made_up_results import CPU, GPU, all_lines, graph_line, result, run_line
from skerry_bench.report import published
from skerry_bench.report.claims import rules
from skerry_bench.report.claims.catalog import CLAIMS
from skerry_bench.report.claims.rules import CONCLUSIONS, strength
from skerry_bench.report.holds import count_table, sentences
from skerry_bench.report.html_holds import html_holds
from skerry_bench.report.measurements import Measurements
from skerry_bench.report.papers_programs import describe, papers_programs
from skerry_bench.results import Results

BY_ID = {claim.id: claim for claim in CLAIMS}


def verdict(name, lines):
    return BY_ID[name].judge(Measurements(Results(lines)))


def papers_world(power=1.0):
    """The papers' own times as if we had measured them; with power -1, all the other way round."""
    tables = {"cuda": ("Table 5",), "cpu": ("Table 7", "Table 9")}
    for device, names in tables.items():
        yield run_line(device, GPU if device == "cuda" else CPU)
        graphs = published.table("ECL-CC", "Table 5").milliseconds
        yield from (graph_line(graph, device) for graph in graphs)
        for name in names:
            for graph, times in published.table("ECL-CC", name).milliseconds.items():
                for implementation, ms in times.items():
                    yield result(
                        implementation, graph, 100 * (ms / 100) ** power, device, device=device
                    )
    for one in published.stated():
        if one.measure == "time over ECL-CC" and one.graph == published.MEAN:
            for graph in graphs:
                base = 100 * (graphs[graph]["ecl"] / 100) ** power
                ms = base * one.value**power
                yield result(one.implementation, graph, ms, "cuda", device="cuda")


FROM_TABLES = [
    claim.id
    for claim in CLAIMS
    if claim.paper == "ECL-CC"
    and (claim.id.split("-")[1] in ("titanx", "e5") or "gpu-" in claim.id or "-mean" in claim.id)
]


@pytest.mark.parametrize("name", [*FROM_TABLES, "eclcc-serial-fastest", "eclcc-devices"])
def test_the_papers_numbers_agree_with_the_papers(name):
    judged = verdict(name, papers_world())
    assert judged.conclusion == "agrees", judged.finding


NEARLY_TIED = {"eclcc-init1-mean", "eclcc-fini1-mean", "eclcc-e5-ndhybrid"}
"""Claims of a ratio near 1, with which its inverse agrees too."""


@pytest.mark.parametrize("name", sorted({*FROM_TABLES, "eclcc-serial-fastest"} - NEARLY_TIED))
def test_reversed_numbers_do_not(name):
    judged = verdict(name, papers_world(-1.0))
    assert judged.conclusion != "agrees", judged.finding


def test_claims_are_data():
    assert len(BY_ID) == len(CLAIMS) > 80
    assert {claim.paper for claim in CLAIMS} == set(published.PAPERS)
    assert all(claim.statement.endswith(".") and claim.where and claim.rule for claim in CLAIMS)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_claim_has_a_verdict(seed):
    measurements = Measurements(Results(all_lines(seed)))
    open_claims = []
    for claim in CLAIMS:
        judged = claim.judge(measurements)
        assert judged.conclusion in CONCLUSIONS
        assert judged.finding.endswith("."), judged.finding
        if judged.conclusion == "not measured":
            open_claims.append(claim.id)
        else:
            assert "the paper" in judged.finding
    assert len(open_claims) < 6, open_claims


def test_nothing_measured_is_not_measured():
    measurements = Measurements(Results())
    for claim in CLAIMS:
        judged = claim.judge(measurements)
        assert judged.conclusion == "not measured"
        assert judged.finding.startswith("Needs ")


GRAPHS = ("random-50M", "random-100M", "rmat-20M", "torus-100M", "twitter-35M")


def stages(wins, device="cuda"):
    yield run_line(machine=GPU if device == "cuda" else CPU)
    for number, graph in enumerate(GRAPHS):
        yield graph_line(graph, family="RMAT" if "rmat" in graph else "random")
        yield result("cc-updt", graph, 2.0, device=device)
        yield result("stages-cc", graph, 1.0 if number < wins else 3.0, device=device)


@pytest.mark.parametrize(
    ("wins", "conclusion"), [(5, "agrees"), (3, "agrees"), (2, "disagrees"), (0, "disagrees")]
)
def test_a_sentence_with_numbers(wins, conclusion):
    """The paper's "always" is of two graphs: the others are listed, but do not count."""
    judged = verdict("cong-muzio-stages-updt", stages(wins))
    assert judged.conclusion == conclusion
    assert judged.finding.startswith(f"Stages is faster than CC-updt on {wins} of 5 graphs")
    own = sum(graph in ("random-50M", "rmat-20M") for graph in GRAPHS[:wins])
    assert f"; on {own} of the 2 that the paper reports; " in judged.finding
    assert judged.finding.endswith("; the paper: always.")
    assert judged.platform == "Made-up GPU"


def test_ties_are_no_win_and_no_loss():
    lines = [
        run_line(machine=GPU),
        *(result("stages-cc", graph, 1.0, device="cuda") for graph in GRAPHS),
        *(result("cc-updt", graph, 1.02, device="cuda") for graph in GRAPHS[1:]),
        result("cc-updt", GRAPHS[0], 1.5, device="cuda"),
    ]
    judged = verdict("cong-muzio-stages-updt", lines)
    assert judged.conclusion == "agrees"
    assert "on 1 of 5 graphs, tied on 4 (" in judged.finding


def test_a_weaker_mean_agrees_in_part():
    def lines(ratio):
        yield run_line(machine=GPU)
        for graph in ("internet", "europe_osm"):
            yield result("ecl", graph, 1.0, device="cuda")
            yield result("gunrock", graph, ratio, device="cuda")

    conclusions = [
        verdict("eclcc-titanx-gunrock", lines(r)).conclusion for r in (9, 3, 1.2, 1.01, 0.5)
    ]
    assert conclusions == ["agrees", "agrees", "in part", "disagrees", "disagrees"]


def test_an_exception_of_the_paper_may_be_one_here():
    def lines(graph):
        yield run_line(machine=GPU)
        for one in ("internet", "europe_osm", "uk-2002"):
            yield result("ecl", one, 1.0, device="cuda")
            ms = 0.5 if one == graph else 2.0
            yield result("ecl[jump=single]", one, ms, device="cuda")

    assert verdict("eclcc-jump2-only-osm", lines("europe_osm")).conclusion == "agrees"
    assert verdict("eclcc-jump2-only-osm", lines("uk-2002")).conclusion == "in part"
    judged = verdict("eclcc-jump2-only-osm", lines(""))
    assert judged.conclusion == "in part"
    assert "on 0 of 3 graphs, not on europe_osm; " in judged.finding


def of_study(study, *cells, device="cuda"):
    yield run_line(machine=GPU if device == "cuda" else CPU)
    for implementation, graph, ms, fields in cells:
        yield graph_line(graph, entries=fields.pop("entries", 1_000_000))
        yield result(implementation, graph, ms, device=device, study=study, **fields)


def paths(length):
    return of_study("paths", ("ecl", "internet", 1.0, {"statistics": {"average_path": length}}))


def kernels(hook):
    passes = (("init", 1.0), ("hook short rows", hook), ("finish", 1.0))
    return of_study("kernels", ("ecl", "internet", 1.0, {"passes": passes}))


def l2_reads(halving):
    others = ("single", "multiple", "none")
    reads = (("ecl", halving), *((f"ecl[jump={one}]", 10.0) for one in others))
    return of_study(
        "l2", *((one, "internet", 1.0, {"statistics": {"l2_reads": n}}) for one, n in reads)
    )


def thresholds(worst):
    cells = ((17, 1.0), (5, 1.01), (65, worst))
    return of_study(
        "thresholds",
        *(
            (f"ecl[warp_from={w}]", "internet", t, {"parameter": {"warp_from": w}})
            for w, t in cells
        ),
    )


def teams(small):
    return of_study(
        "threads",
        ("ecl", "little", 1.0, {"threads": 1, "entries": 10}),
        ("ecl", "little", small, {"threads": 8, "entries": 10}),
        ("ecl", "large", 8.0, {"threads": 1}),
        ("ecl", "large", 2.0, {"threads": 8}),
        device="cpu",
    )


def orders(by_degree):
    cells = (("given", 1.0), ("degree", by_degree))
    return of_study(
        "reorder",
        *(("warp-per-row", "internet", ms, {"parameter": {"order": o}}) for o, ms in cells),
    )


@pytest.mark.parametrize(
    ("name", "make", "good", "bad"),
    [
        ("eclcc-paths", paths, 1.2, 5.0),
        ("eclcc-kernels", kernels, 9.0, 1.0),
        ("eclcc-l2", l2_reads, 8.0, 12.0),
        ("eclcc-thresholds", thresholds, 1.1, 3.0),
        ("eclcc-threads", teams, 2.0, 0.5),
        ("gerasimou-reorder", orders, 0.5, 2.0),
    ],
)
def test_counts(name, make, good, bad):
    assert verdict(name, make(good)).conclusion == "agrees"
    assert verdict(name, make(bad)).conclusion == "disagrees"


@pytest.mark.parametrize(
    ("mean", "published", "conclusion"),
    [
        *((9.0, 2.5, "agrees, stronger"), (3.0, 2.5, "agrees"), (1.2, 2.5, "in part")),
        *((0.9, 2.5, "disagrees"), (0.05, 0.5, "agrees, stronger"), (0.5, 0.4, "agrees")),
    ],
)
def test_a_mean_far_beyond_the_papers_does_not_confirm_it(mean, published, conclusion):
    assert strength(mean, published) == conclusion
    assert rules.verdict(True, "", judged=strength(mean, published)).conclusion == conclusion
    weaker = rules.verdict(False, "", judged=strength(mean, published)).conclusion
    assert weaker == ("disagrees" if conclusion == "disagrees" else "in part")


def mappings(thread, warp, block, graph="mawi_201512020330"):
    yield run_line(machine=GPU)
    yield graph_line(graph)
    for name, ms in (
        ("thread-per-vertex", thread),
        ("warp-per-row", warp),
        ("block-per-row", block),
    ):
        yield result(name, graph, ms, device="cuda")


def test_mappings():
    mawi = "gerasimou-best-mawi_201512020330"
    assert verdict(mawi, mappings(40, 3, 1)).conclusion == "agrees"
    assert verdict(mawi, mappings(40, 1, 3)).conclusion == "disagrees"
    assert verdict("gerasimou-collapse", mappings(40, 3, 1)).conclusion == "agrees"
    assert verdict("gerasimou-collapse", mappings(4, 3, 1)).conclusion == "disagrees"
    orkut = [*mappings(2, 1, 3, "com-Orkut")][1:]
    assert verdict("gerasimou-robust", mappings(4, 1, 3)).conclusion == "not measured"
    assert verdict("gerasimou-robust", [*mappings(4, 1, 3), *orkut]).conclusion == "agrees"
    assert verdict("gerasimou-robust", [*mappings(4, 9, 1), *orkut]).conclusion == "disagrees"
    assert verdict("gerasimou-best-com-Orkut", mappings(4, 3, 1)).conclusion == "not measured"


def both_devices(gpu, cpu, graph="random-50M", family="random", names=("cc", "cc")):
    for run, machine, device, name, ms in (
        ("g", GPU, "cuda", names[0], gpu),
        ("c", CPU, "cpu", names[1], cpu),
    ):
        yield run_line(run, machine)
        yield graph_line(graph, run, family=family)
        yield result(name, graph, ms, run, device=device)


def test_gpu_against_cpu():
    assert verdict("cong-muzio-cc-devices", both_devices(1, 3)).conclusion == "agrees"
    assert verdict("cong-muzio-cc-devices", both_devices(3, 1)).conclusion == "disagrees"
    torus = ("torus-100M", "torus", ("stages-cc", "rem"))
    assert verdict("cong-muzio-best-torus", both_devices(3, 1, *torus)).conclusion == "agrees"
    assert verdict("cong-muzio-best-torus", both_devices(1, 3, *torus)).conclusion == "disagrees"
    assert (
        verdict("cong-muzio-best-random", both_devices(3, 1, *torus)).conclusion == "not measured"
    )
    assert verdict("cong-muzio-cc-devices", both_devices(1, 1.3)).conclusion == "in part"


def pairs(device, *times, fast="ecl", slow="groute"):
    """One pair of implementations: (graph, time of the slow one over the fast one's)."""
    yield run_line(machine=GPU if device == "cuda" else CPU)
    for graph, ratio in times:
        yield graph_line(graph)
        yield result(fast, graph, 1.0, device=device)
        yield result(slow, graph, ratio, device=device)


@pytest.mark.parametrize(
    ("ratio", "conclusion"),
    [(1.04, "agrees"), (1.0, "agrees"), (1.12, "agrees"), (3.0, "in part"), (0.9, "disagrees")],
)
def test_a_mean_near_one_must_be_near_the_papers(ratio, conclusion):
    """Init1 costs 4%: three times as long is its direction, and not its number."""
    lines = pairs("cuda", ("internet", ratio), slow="ecl[init=own]")
    assert verdict("eclcc-init1-mean", lines).conclusion == conclusion


@pytest.mark.parametrize(
    ("times", "conclusion"),
    [
        ((2.0, 2.0, 2.0), "agrees"),
        ((1.2, 1.2, 1.2), "in part"),  # faster everywhere, and by far less than the paper's
        ((2.0, 3.0, 0.9), "in part"),
        ((2.0, 0.5, 0.9), "disagrees"),
    ],
)
def test_a_range_is_a_number_too(times, conclusion):
    graphs = zip(("random-50M", "random-100M", "rmat-20M"), times, strict=True)
    lines = [*pairs("cuda", *graphs, ("torus-100M", 0.1), fast="stages-cc", slow="cc")]
    judged = verdict("cong-muzio-stages-gpu", lines)
    assert judged.conclusion == conclusion
    assert "the paper: 1.7 to 2.3" in judged.finding


def race(*wins, graphs=GRAPHS, rivals=("cc", "cc-updt", "rem")):
    yield run_line(machine=GPU)
    for graph in graphs:
        yield graph_line(graph)
        yield result("stages-cc", graph, 1.0, device="cuda")
        for rival in rivals:
            yield result(rival, graph, 2.0 if graph in wins else 0.5, device="cuda")


def test_the_fastest():
    name = "cong-muzio-gpu-fastest"
    assert verdict(name, race("random-50M", "rmat-20M")).conclusion == "agrees"
    assert verdict(name, race("random-50M")).conclusion == "disagrees"
    assert verdict(name, race(*GRAPHS, rivals=("cc",))).conclusion == "not measured"
    others = ("grid", "path", "road")  # none of the paper's: all of them judge
    judged = verdict(name, race("grid", "path", graphs=others))
    assert judged.conclusion == "in part"
    assert "on 2 of 3 graphs (all stand-ins, none of the paper's own)" in judged.finding


def test_the_slowest():
    def lines(none):
        yield run_line(machine=GPU)
        for graph in ("internet", "uk-2002"):
            for jump, ms in (("multiple", 2.0), ("single", 1.5), ("none", none)):
                yield result(f"ecl[jump={jump}]", graph, ms, device="cuda", study="jump")
            yield result("ecl", graph, 1.0, device="cuda", study="jump")

    conclusions = [verdict("eclcc-jump3-last", lines(ms)).conclusion for ms in (4.0, 1.8, 1.2, 0.5)]
    assert conclusions == ["agrees", "in part", "disagrees", "disagrees"]


def two_devices(graph, run, size, *times):
    machine = GPU if run == "g" else CPU
    yield run_line(run, machine)
    yield graph_line(graph, run, size)
    for implementation, ms in times:
        yield result(implementation, graph, ms, run, device="cuda" if run == "g" else "cpu")


@pytest.mark.parametrize(
    ("ms", "conclusion"), [(19.0, "agrees"), (2.0, "in part"), (0.5, "disagrees")]
)
def test_devices_by_the_fastest_other_code(ms, conclusion):
    lines = [
        *two_devices("internet", "g", 1000, ("ecl", 1.0)),
        *two_devices("internet", "c", 1000, ("ndhybrid", ms), ("bfscc", 90.0), ("ecl", 0.1)),
    ]
    judged = verdict("eclcc-devices", lines)
    assert judged.conclusion == conclusion
    assert "ndHybrid" in judged.finding
    assert "over 1 graphs" in judged.finding
    assert verdict("eclcc-devices-serial", lines).conclusion == "not measured"


def test_graphs_of_other_sizes_are_no_comparison():
    lines = [
        *two_devices("internet", "g", 1000, ("ecl", 1.0)),
        *two_devices("internet", "c", 2000, ("ndhybrid", 19.0)),
    ]
    assert verdict("eclcc-devices", lines).conclusion == "not measured"


def test_a_smaller_size_with_both_counts_where_the_largest_has_one():
    lines = [
        run_line("g", GPU),
        graph_line("internet", "g", 2000),
        result("ecl", "internet", 1.0, "g", device="cuda"),
        run_line("h", GPU),
        graph_line("internet", "h", 1000),
        result("ecl", "internet", 1.0, "h", device="cuda"),
        result("soman", "internet", 4.0, "h", device="cuda"),
    ]
    assert verdict("eclcc-titanx-soman", lines).conclusion == "agrees"


def larger_on_the_gpu(lines, implementation, graph):
    """The same, and the graph in another size on the GPU alone: of which nothing can be said."""
    return [
        *lines,
        run_line("large", GPU),
        graph_line(graph, "large", 10**9),
        result(implementation, graph, 1e6, "large", device="cuda"),
    ]


def test_devices_are_compared_on_a_size_that_both_have():
    lines = [*both_devices(1, 3)]
    assert verdict("cong-muzio-cc-devices", larger_on_the_gpu(lines, "cc", "random-50M")) == (
        verdict("cong-muzio-cc-devices", lines)
    )
    lines = [
        *two_devices("internet", "g", 1000, ("ecl", 1.0)),
        *two_devices("internet", "c", 1000, ("ndhybrid", 19.0)),
    ]
    judged = verdict("eclcc-devices", larger_on_the_gpu(lines, "ecl", "internet"))
    assert judged == verdict("eclcc-devices", lines)
    assert judged.conclusion == "agrees"
    lines = [
        *two_devices("dictionary28", "g", 1000, ("warp-per-row", 1.0)),
        *two_devices("dictionary28", "c", 1000, ("union-find", 1.0)),
    ]
    judged = verdict("gerasimou-small", larger_on_the_gpu(lines, "warp-per-row", "dictionary28"))
    assert judged == verdict("gerasimou-small", lines)
    assert judged.conclusion == "agrees"


def test_what_another_study_measured_is_no_size_to_compare_on():
    lines = [
        *larger_on_the_gpu(both_devices(1, 3), "cc", "random-50M"),
        run_line("study", CPU),
        graph_line("random-50M", "study", 10**9),
        result("cc", "random-50M", 1.0, "study", study="rounds", device="cpu"),
    ]
    assert verdict("cong-muzio-cc-devices", lines).conclusion == "agrees"


def test_machines_are_not_mixed():
    """Thresholds on two GPUs differ by the GPUs, not by the thresholds."""
    other = replace(GPU, gpu=replace(GPU.gpu, name="Slower GPU"))
    lines = [
        line
        for run, machine, factor in (("a", GPU, 1.0), ("b", other, 9.0))
        for line in (
            run_line(run, machine),
            graph_line("internet", run),
            *(
                result(
                    f"ecl[warp_from={warp}]",
                    "internet",
                    factor,
                    run,
                    device="cuda",
                    study="thresholds",
                    parameter={"warp_from": warp},
                )
                for warp in (5, 9, 33)
            ),
        )
    ]
    judged = verdict("eclcc-thresholds", lines)
    assert judged.conclusion == "agrees"
    assert "1.00 times as long" in judged.finding


def test_the_serial_codes_of_the_suite_are_those_of_the_claim():
    from skerry_bench.suites import SUITES

    assert {"ecl-serial", "union-find", "dfs", "bfs"} <= set(SUITES["eclcc"].runs("cpu"))


def test_the_size_of_stand_ins_is_reported():
    lines = [
        run_line(machine=GPU),
        graph_line("internet", vertices=12_465, stand_in=True),
        result("ecl", "internet", 1.0, device="cuda"),
        result("soman", "internet", 4.0, device="cuda"),
    ]
    judged = verdict("eclcc-titanx-soman", lines)
    assert "over 1 graph (all stand-ins, at 0.1 of the original size)" in judged.finding


def measured_programs(original_graphs):
    """Soman by default fast, by the letter slow; the original, slower yet, on some graphs."""
    yield run_line(machine=GPU)
    for number, graph in enumerate(("internet", "rmat16.sym", "europe_osm", "uk-2002")):
        yield graph_line(graph)
        for name, ms in (("ecl", 1.0), ("soman", 0.5), ("soman[direction=alternate]", 2.0)):
            yield result(name, graph, ms, device="cuda")
        if number < original_graphs:
            yield result("soman_original", graph, 4.0, device="cuda", study="peers", peer=True)


@pytest.mark.parametrize(
    ("original_graphs", "program", "times"),
    [
        *((graphs, "soman[direction=alternate]", 2.0) for graphs in (0, 1)),
        *((graphs, "soman_original", 4.0) for graphs in (2, 4)),
    ],
)
def test_a_claim_is_judged_by_the_papers_own_program(original_graphs, program, times):
    own = Measurements(Results(measured_programs(original_graphs)))
    judged, (found,) = papers_programs(own)
    assert found.programs == {"soman": program} and found.study is None
    assert found.original == (program == "soman_original") == (original_graphs >= 2)
    finding = BY_ID["eclcc-titanx-soman"].judge(judged).finding
    assert finding.startswith(f"Soman takes {times:.2f} times as long as ECL-CC (ecl) on average")
    graphs = max(original_graphs, 2) if found.original else 4
    assert f"over {graphs} graphs" in finding
    assert BY_ID["eclcc-titanx-soman"].judge(own).finding.startswith("Soman takes 0.50 times")
    (text,) = describe([found])
    assert f"Soman ({program}; {found.graphs} graphs)" in text


def test_a_study_that_looks_into_our_program_keeps_it():
    lines = [
        *measured_programs(4),
        *(
            result("ecl_cc_11", graph, 3.0, device="cuda", study="peers", peer=True)
            for graph in ("internet", "rmat16.sym")
        ),
        result("ecl", "internet", 1.0, device="cuda", study="paths"),
    ]
    judged, _ = papers_programs(Measurements(Results(lines)))
    by_study = {c.result.study: c.milliseconds for c in judged.cells if c.implementation == "ecl"}
    assert by_study == {"paths": 1.0, None: 3.0}


def alternatives(*, all_originals):
    """Jump1 is slow by default, and fast in the original; by the letter both take the same."""
    yield run_line(machine=GPU)
    names = ("ecl", "ecl[jump=multiple]", "ecl[jump=single]", "ecl[jump=none]")
    originals = ("ecl_cc_11", *(f"ecl_cc_11_jump{n}" for n in (1, 2, 3)))
    for graph in ("internet", "europe_osm"):
        yield graph_line(graph)
        for name, original in zip(names, originals, strict=True):
            slow = name == "ecl[jump=multiple]"
            letter = f"{name[:-1]},loads=plain]" if "[" in name else "ecl[loads=plain]"
            yield result(name, graph, 3.0 if slow else 1.0, device="cuda", study="jump")
            yield result(letter, graph, 1.0, device="cuda", study="peers")
            if all_originals or name != "ecl[jump=none]":
                ms = 0.5 if slow else 1.0
                yield result(original, graph, ms, device="cuda", study="peers", peer=True)


@pytest.mark.parametrize(("all_originals", "times"), [(True, "0.50"), (False, "1.00")])
def test_alternatives_are_compared_in_one_program(all_originals, times):
    own = Measurements(Results(alternatives(all_originals=all_originals)))
    judged, substitutes = papers_programs(own)
    (found,) = (each for each in substitutes if each.study == "jump")
    assert found.original == all_originals
    finding = BY_ID["eclcc-jump1-mean"].judge(judged).finding
    assert finding.startswith(f"Jump1 (multiple) takes {times} times as long as Jump4 (halving)")


def test_other_papers_and_other_sizes_do_not_mix():
    lines = [
        run_line(machine=GPU),
        graph_line("internet"),
        graph_line("dictionary28"),
        result("ecl_cc_11", "internet", 3.0, device="cuda", study="peers", peer=True),
        result("eclaf", "internet", 2.0, device="cuda"),
        result("ecl", "dictionary28", 1.0, device="cuda"),
        run_line("larger", machine=GPU),
        graph_line("internet", "larger", 4_000_000),
        result("eclaf", "internet", 9.0, "larger", device="cuda"),
    ]
    judged, _ = papers_programs(Measurements(Results(lines)))
    times = {(c.implementation, c.graph.name): c.milliseconds for c in judged.cells}
    assert times["ecl", "internet"] == 3.0 and times["ecl", "dictionary28"] == 1.0
    assert times["eclaf", "internet"] == 2.0


def test_the_first_screen_counts_the_verdicts():
    judged = [(claim, claim.judge(Measurements(Results(papers_world())))) for claim in CLAIMS]
    first, *papers = sentences(judged)
    counts = Counter(verdict.conclusion for _, verdict in judged)
    held = counts["agrees"] + counts["agrees, stronger"]
    assert first.startswith(f"Of the papers' {len(CLAIMS)} claims {held} hold on these machines")
    assert len(papers) == 4 and f"{counts['disagrees']} do not" in first
    statement = BY_ID["eclcc-gpu-fastest"].statement.rstrip(".")
    assert f"“{statement}” holds here." in papers[0]
    header, rows = count_table(judged)
    assert sum(int(number) for row in rows for number in row[1:]) == len(CLAIMS)
    page = "".join(html_holds(judged))
    assert page.count("<tr>") == 4 and "Do the papers hold?" in page and header[0] == "paper"


def test_without_measured_claims_there_is_no_such_screen():
    judged = [(claim, claim.judge(Measurements(Results()))) for claim in CLAIMS]
    assert not list(sentences(judged)) and not list(html_holds(judged))
