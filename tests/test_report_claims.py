"""The papers' claims: judged by results that agree with them and by results that do not."""

from __future__ import annotations

import pytest

from skerry.bench.results import Results
from skerry.report import published
from skerry.report.claims import CLAIMS, judge
from skerry.report.measured import Measured
from support.made_up_results import CPU, GPU, all_lines, graph_line, result, run_line

BY_ID = {claim.id: claim for claim in CLAIMS}


def verdict(name, lines):
    return judge(BY_ID[name], Measured(Results(lines)))


def papers_world(power=1.0):
    """The papers' own times as if we had measured them; with power -1, all the other way round."""
    tables = {"cuda": ("Table 5",), "cpu": ("Table 7", "Table 9")}
    for device, names in tables.items():
        yield run_line(device, GPU if device == "cuda" else CPU)
        graphs = published.table("ECL-CC", "Table 5").milliseconds
        yield from (graph_line(graph, device) for graph in graphs)
        for name in names:
            for graph, times in published.table("ECL-CC", name).milliseconds.items():
                for contender, ms in times.items():
                    yield result(contender, graph, 100 * (ms / 100) ** power, device, device=device)
    for one in published.stated():
        if one.measure == "time over ECL-CC" and one.graph == published.MEAN:
            for graph in graphs:
                base = 100 * (graphs[graph]["ecl"] / 100) ** power
                ms = base * one.value**power
                yield result(one.contender, graph, ms, "cuda", device="cuda")


FROM_TABLES = [
    claim.id
    for claim in CLAIMS
    if claim.paper == "ECL-CC"
    and (claim.id.split("-")[1] in ("titanx", "e5") or "gpu-" in claim.id or "-mean" in claim.id)
]


@pytest.mark.parametrize("name", [*FROM_TABLES, "eclcc-serial-fastest", "eclcc-devices"])
def test_the_papers_numbers_agree_with_the_papers(name):
    found = verdict(name, papers_world())
    assert found.outcome == "agrees", found.finding


@pytest.mark.parametrize("name", [*FROM_TABLES, "eclcc-serial-fastest"])
def test_numbers_the_other_way_round_do_not(name):
    found = verdict(name, papers_world(-1.0))
    near = name in ("eclcc-init1-mean", "eclcc-fini1-mean", "eclcc-e5-ndhybrid")  # about level
    assert found.outcome != "agrees" or near, found.finding


def test_claims_are_data():
    assert len(BY_ID) == len(CLAIMS) > 80
    assert {claim.paper for claim in CLAIMS} == set(published.PAPERS)
    assert all(claim.says.endswith(".") and claim.where and claim.rule for claim in CLAIMS)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_claim_has_a_verdict(seed):
    measured = Measured(Results(all_lines(seed)))
    open_claims = []
    for claim in CLAIMS:
        found = judge(claim, measured)
        assert found.outcome in ("agrees", "in part", "disagrees", "not measured")
        assert found.finding.endswith("."), found.finding
        if found.outcome == "not measured":
            open_claims.append(claim.id)
        else:
            assert "the paper" in found.finding
    assert len(open_claims) < 6, open_claims


def test_nothing_measured_is_not_measured():
    measured = Measured(Results())
    for claim in CLAIMS:
        found = judge(claim, measured)
        assert found.outcome == "not measured"
        assert found.finding.startswith("Needs ")


GRAPHS = ("random-50M", "random-100M", "rmat-20M", "torus-100M", "twitter-35M")


def stages(wins, device="cuda"):
    yield run_line(machine=GPU if device == "cuda" else CPU)
    for number, graph in enumerate(GRAPHS):
        yield graph_line(graph, family="RMAT" if "rmat" in graph else "random")
        yield result("cc-updt", graph, 2.0, device=device)
        yield result("stages-cc", graph, 1.0 if number < wins else 3.0, device=device)


@pytest.mark.parametrize(
    ("wins", "outcome"), [(5, "agrees"), (4, "in part"), (3, "disagrees"), (0, "disagrees")]
)
def test_a_sentence_with_numbers(wins, outcome):
    found = verdict("cong-muzio-stages-updt", stages(wins))
    assert found.outcome == outcome
    assert found.finding.startswith(f"Stages beats CC-updt on {wins} of 5 graphs")
    assert found.finding.endswith("; the paper: always.")
    assert found.place == "Made-up GPU"


def test_level_times_are_no_win_and_no_loss():
    lines = [
        run_line(machine=GPU),
        *(result("stages-cc", graph, 1.0, device="cuda") for graph in GRAPHS),
        *(result("cc-updt", graph, 1.02, device="cuda") for graph in GRAPHS[:4]),
        result("cc-updt", GRAPHS[4], 1.5, device="cuda"),
    ]
    found = verdict("cong-muzio-stages-updt", lines)
    assert found.outcome == "agrees"
    assert "on 1 of 5 graphs and level on 4 (" in found.finding


def test_a_weaker_mean_agrees_in_part():
    def lines(ratio):
        yield run_line(machine=GPU)
        for graph in ("internet", "europe_osm"):
            yield result("ecl", graph, 1.0, device="cuda")
            yield result("gunrock", graph, ratio, device="cuda")

    outcomes = [verdict("eclcc-titanx-gunrock", lines(r)).outcome for r in (9, 3, 1.2, 1.01, 0.5)]
    assert outcomes == ["agrees", "agrees", "in part", "disagrees", "disagrees"]


def test_an_exception_of_the_paper_may_be_one_here():
    def lines(graph):
        yield run_line(machine=GPU)
        for one in ("internet", "europe_osm", "uk-2002"):
            yield result("ecl", one, 1.0, device="cuda")
            ms = 0.5 if one == graph else 2.0
            yield result("ecl[jump=single]", one, ms, device="cuda")

    assert verdict("eclcc-jump2-only-osm", lines("europe_osm")).outcome == "agrees"
    assert verdict("eclcc-jump2-only-osm", lines("uk-2002")).outcome == "in part"


def of_study(study, *cells, device="cuda"):
    yield run_line(machine=GPU if device == "cuda" else CPU)
    for contender, graph, ms, told in cells:
        yield graph_line(graph, entries=told.pop("entries", 1_000_000))
        yield result(contender, graph, ms, device=device, study=study, **told)


def paths(length):
    return of_study("paths", ("ecl", "internet", 1.0, {"statistics": {"average_path": length}}))


def kernels(hook):
    passes = (("init", 1.0), ("hook short rows", hook), ("finish", 1.0))
    return of_study("kernels", ("ecl", "internet", 1.0, {"passes": passes}))


def l2_reads(halving):
    told = (("ecl", halving), ("ecl[jump=single]", 10.0))
    return of_study(
        "l2", *((one, "internet", 1.0, {"statistics": {"l2_reads": n}}) for one, n in told)
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
        "reorder", *(("ecl", "internet", ms, {"parameter": {"order": o}}) for o, ms in cells)
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
    assert verdict(name, make(good)).outcome == "agrees"
    assert verdict(name, make(bad)).outcome == "disagrees"


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
    assert verdict(mawi, mappings(40, 3, 1)).outcome == "agrees"
    assert verdict(mawi, mappings(40, 1, 3)).outcome == "disagrees"
    assert verdict("gerasimou-collapse", mappings(40, 3, 1)).outcome == "agrees"
    assert verdict("gerasimou-collapse", mappings(4, 3, 1)).outcome == "disagrees"
    assert verdict("gerasimou-robust", mappings(4, 1, 3)).outcome == "agrees"
    assert verdict("gerasimou-robust", mappings(4, 3, 1)).outcome == "disagrees"
    assert verdict("gerasimou-best-com-Orkut", mappings(4, 3, 1)).outcome == "not measured"


def both_devices(gpu, cpu, graph="random-50M", family="random", names=("cc", "cc")):
    for run, machine, device, name, ms in (
        ("g", GPU, "cuda", names[0], gpu),
        ("c", CPU, "cpu", names[1], cpu),
    ):
        yield run_line(run, machine)
        yield graph_line(graph, run, family=family)
        yield result(name, graph, ms, run, device=device)


def test_gpu_against_cpu():
    assert verdict("cong-muzio-cc-devices", both_devices(1, 3)).outcome == "agrees"
    assert verdict("cong-muzio-cc-devices", both_devices(3, 1)).outcome == "disagrees"
    torus = ("torus-100M", "torus", ("stages-cc", "rem"))
    assert verdict("cong-muzio-best-torus", both_devices(3, 1, *torus)).outcome == "agrees"
    assert verdict("cong-muzio-best-torus", both_devices(1, 3, *torus)).outcome == "disagrees"
    assert verdict("cong-muzio-best-random", both_devices(3, 1, *torus)).outcome == "not measured"
