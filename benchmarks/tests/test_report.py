"""The report: reading results, the data of figures and tables, Markdown and CSV."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from lab.made_up_results import CPU, GPU, all_lines, graph_line, result, run_line, write
from lab.paths import RECORDS
from skerry.cli.app import app
from skerry.datasets import paper_graph
from skerry.errors import InputError, UnsupportedError
from skerry_bench.cases import paper_case
from skerry_bench.report.build import build_report
from skerry_bench.report.figures.catalog import all_figures
from skerry_bench.report.find_figure import find_figure
from skerry_bench.report.load import load_results
from skerry_bench.report.measurements import Measurements, geometric_mean
from skerry_bench.report.published import MEAN, speedups, stated, table, tables
from skerry_bench.report.write import write_report
from skerry_bench.results import Results, encode


def measurements(*lines):
    return Measurements(Results(lines))


def figure(name, *lines):
    return next(one for one in all_figures(measurements(*lines)) if one.id == name)


def on_gpu(*times):
    """A run on a GPU: (graph, implementation, ms)."""
    graphs = dict.fromkeys(graph for graph, _, _ in times)
    yield run_line(machine=GPU)
    yield from (graph_line(graph) for graph in graphs)
    for graph, implementation, ms in times:
        yield result(implementation, graph, ms, device="cuda")


CODES = (
    *(("europe_osm", "auto", 1.0), ("europe_osm", "ecl", 4.0), ("europe_osm", "groute", 8.0)),
    *(("internet", "auto", 0.1), ("internet", "ecl", 0.1), ("internet", "groute", 0.4)),
)


def test_ratios_to_auto_and_to_the_papers_baseline():
    (panel,) = figure("eclcc-fig11", *on_gpu(*CODES)).panels
    measured = {(m.graph, m.implementation): m for m in panel.marks if not m.source}
    assert panel.platform == "Made-up GPU"
    assert measured["europe_osm", "groute"].over_auto == pytest.approx(8)
    assert measured["europe_osm", "groute"].over_baseline == pytest.approx(2)
    assert measured["internet", "groute"].over_auto == pytest.approx(4)
    assert measured["internet", "ecl"].over_baseline == 1
    assert measured["internet", "ecl"].cell.result.seconds == (1e-4,)


def test_published_marks_keep_the_published_ratio():
    shown = figure("eclcc-fig11", *on_gpu(*CODES))
    published = {
        (m.graph, m.implementation, m.source): m for m in shown.panels[0].marks if m.source
    }
    assert shown.sources == ["GTX Titan X, 2018", "Tesla K40, 2018"]
    mark = published["europe_osm", "groute", "GTX Titan X, 2018"]
    assert mark.over_baseline == pytest.approx(21.7 / 29.0)
    assert mark.over_auto == pytest.approx(21.7 / 29.0 * 4)
    assert ("europe_osm", "IrGL", "Tesla K40, 2018") in published
    assert {graph for graph, _, _ in published} == {"europe_osm", "internet"}


def test_without_auto_there_is_only_the_papers_baseline():
    shown = figure("eclcc-fig11", *on_gpu(*(one for one in CODES if one[1] != "auto")))
    assert all(mark.over_auto is None for mark in shown.panels[0].marks)
    assert "auto (skerry)" in shown.missing[0]


def test_a_graph_with_one_implementation_is_no_comparison():
    shown = figure("eclcc-fig11", *on_gpu(("internet", "auto", 1.0), ("internet", "ecl", 1.0)))
    assert not shown.has_measurements


def test_stated_means_are_published_marks_of_the_mean():
    lines = on_gpu(
        ("internet", "ecl", 1.0), ("internet", "ecl[init=own]", 2.0), ("rmat16.sym", "ecl", 1.0)
    )
    marks = figure("eclcc-fig7", *lines).panels[0].marks
    stated = {(m.graph, m.implementation): m.over_baseline for m in marks if m.source}
    assert stated[MEAN, "ecl[init=smallest]"] == 1.4
    assert (
        "rmat16.sym",
        "ecl[init=own]",
    ) not in stated  # only one implementation was measured there


def test_a_study_comes_before_the_suite():
    lines = [
        *on_gpu(("internet", "ecl", 1.0), ("internet", "ecl[jump=none]", 9.0)),
        result("ecl", "internet", 3.0, device="cuda", study="jump"),
        result("ecl", "internet", 5.0, device="cuda", study="threads"),
    ]
    cells = measurements(*lines).table(measurements(*lines).platforms()[0], study="jump")
    assert cells["internet"]["ecl"].milliseconds == pytest.approx(3)


def test_the_largest_size_and_the_most_threads_count():
    lines = [
        run_line("small"),
        graph_line("internet", "small", 100),
        result("ecl", "internet", 1.0, "small", threads=2),
        run_line("large"),
        graph_line("internet", "large", 200),
        result("ecl", "internet", 2.0, "large", threads=1),
        result("ecl", "internet", 3.0, "large", threads=2),
    ]
    measured = measurements(*lines)
    assert measured.table(measured.platforms()[0])["internet"]["ecl"].milliseconds == pytest.approx(
        3
    )


def test_the_latest_of_one_size_counts_and_no_stand_in_of_another_recipe():
    today = paper_case(paper_graph("internet"), 1.0, None).recipe
    runs = (("a", "2026-11-15", today, 401), ("b", "2026-11-17", today, 400))
    lines = []
    for ms, (run, date, recipe, entries) in enumerate(
        [*runs, ("c", "2026-11-19", "other", 999)], 1
    ):
        lines += [
            replace(run_line(run), date=date, options={"scale": 1.0}),
            replace(graph_line("internet", run), stand_in=True, recipe=recipe, entries=entries),
            result("ecl", "internet", float(ms), run),
        ]
    measured = measurements(*lines)
    (platform,) = measured.platforms()
    assert measured.table(platform)["internet"]["ecl"].run.run == "b"
    only = measurements(*lines[6:])  # where there is no other, it counts
    assert only.table(platform)["internet"]["ecl"].run.run == "c"


def test_more_cores_come_before_more_measurements():
    few = replace(CPU, cores=16)
    lines = [run_line("two"), run_line("sixteen", few), result("ecl", "x", 1.0, "sixteen")]
    lines += [result(name, "x", 1.0, "two") for name in ("ecl", "auto", "dfs")]
    names = [platform.name for platform in measurements(*lines).platforms()]
    assert names == ["Made-up CPU, 16 cores", "Made-up CPU, 8 cores"]


def test_tables_of_the_thesis_are_found_by_their_number(report):
    for text in ("thesis table A.3", "thesis Table a.6", "ECL-CC table 1"):
        entry = find_figure([*report.figures, *report.tables], text)
        assert entry.where.lower() == text.split(" ", 1)[1].lower()
    times = table("thesis", "Table A.3").milliseconds["2d-2e20.sym"]
    assert times["galois-async"] == 139.5 and times["galois-sync"] == 296.7


def test_two_machines_are_two_platforms():
    other = replace(CPU, cores=2)
    lines = [
        run_line("a"),
        result("ecl", "x", 1, "a"),
        run_line("b", other),
        result("cc", "x", 1, "b"),
    ]
    measured = measurements(*lines)
    assert {platform.name for platform in measured.platforms("cpu")} == {
        "Made-up CPU, 8 cores",
        "Made-up CPU, 2 cores",
    }
    assert all(len(measured.table(platform)["x"]) == 1 for platform in measured.platforms())


def test_a_papers_own_graphs_come_alone():
    lines = on_gpu(*CODES, ("grid", "ecl", 1.0), ("grid", "groute", 1.0))
    graphs = {mark.graph for mark in figure("eclcc-fig11", *lines).panels[0].marks}
    assert graphs == {"europe_osm", "internet"}


def test_kernels_are_shares():
    passes = (("build csr", 9.0), ("init own", 1.0), ("hook short rows", 2.0), ("finish", 1.0))
    lines = [
        run_line(machine=GPU),
        result("ecl", "internet", 1.0, device="cuda", study="kernels", passes=passes),
    ]
    marks = figure("eclcc-fig10", *lines).panels[0].marks
    shares = {mark.series: mark.value for mark in marks if mark.graph}
    assert shares == {"initialization": 0.25, "short rows (thread)": 0.5, "finalization": 0.25}


def test_threads_are_speedups_over_the_fewest():
    times = {1: 8.0, 2: 4.0, 4: 4.0}
    lines = [
        run_line(),
        *(result("auto", "grid", ms, threads=t, study="threads") for t, ms in times.items()),
    ]
    marks = figure("threads", *lines).panels[0].marks
    assert [(mark.x, mark.value) for mark in marks] == [(1, 1), (2, 2), (4, 2)]


def test_sweeps_are_one_line_whatever_the_implementation_is_called():
    lines = [run_line(), graph_line("grid")]
    for q, ms in ((0.5, 4.0), (1.0, 2.0), (2.0, 3.0)):
        name = "stages-cc" if q == 1 else f"stages-cc[q={q}]"
        lines.append(result(name, "grid", ms, study="stages-q", parameter={"q": q}))
    marks = figure("stages-q", *lines).panels[0].marks
    assert {mark.implementation for mark in marks} == {"stages-cc"}
    assert [mark.value for mark in marks] == pytest.approx([2, 1, 1.5])


def test_end_to_end_times_are_not_mixed_with_solve_times():
    lines = [run_line(), graph_line("grid")]
    for scope, factor in (("solve", 1), ("end_to_end", 10)):
        lines += [
            result("auto", "grid", factor, scope=scope),
            result("scipy", "grid", 2 * factor * factor, scope=scope, peer=True),
        ]
    solve, end_to_end = figure("peers-solve", *lines), figure("peers-end-to-end", *lines)
    ratio = {one.id: one.panels[0].marks[-1].over_auto for one in (solve, end_to_end)}
    assert ratio == {"peers-solve": pytest.approx(2), "peers-end-to-end": pytest.approx(20)}


def test_devices_are_compared_on_one_graph_in_one_size():
    def lines(entries):
        yield from on_gpu(("internet", "ecl", 1.0), ("internet", "auto", 0.5))
        yield run_line("cpu")
        yield graph_line("internet", "cpu", entries)
        yield result("ndhybrid", "internet", 19.0, "cpu")

    same = figure("eclcc-fig17", *lines(1_000_000))
    (mark,) = (
        m for p in same.panels for m in p.marks if m.implementation == "ndhybrid" and not m.source
    )
    assert mark.over_baseline == pytest.approx(19)
    assert mark.over_auto == pytest.approx(38)
    assert not figure("eclcc-fig17", *lines(999)).has_measurements


def test_every_figure_is_made_from_everything():
    for one in all_figures(measurements(*all_lines())):
        assert one.has_measurements, one.id
        assert all(mark.value is None or mark.value > 0 for p in one.panels for mark in p.marks)


@pytest.mark.parametrize("number", range(0, 60, 7))
def test_any_one_line_makes_a_report(number, tmp_path):
    results = [line for line in all_lines() if getattr(line, "implementation", None)]
    one = results[number * len(results) // 60]
    report = build_report(load_results([write(tmp_path / "one.jsonl", [one])]))
    assert report.overview.measurements == 1
    assert {verdict.conclusion for _, verdict in report.claims} >= {"not measured"}


def test_means_of_the_published_tables():
    """As the texts of the papers give them."""
    times = table("ECL-CC", "Table 5").milliseconds
    mean = geometric_mean(row["groute"] / row["ecl"] for row in times.values())
    assert mean == pytest.approx(1.8, abs=0.05)
    assert len(tables()) == 12
    assert len(stated()) > 15
    assert len(speedups()) == 7
    assert "crono-sv" not in table("ECL-CC", "Table 7").milliseconds["uk-2002"]


def test_later_measurements_take_the_place_of_earlier(tmp_path):
    first = [run_line("a"), graph_line("grid", "a"), result("ecl", "grid", 5.0, "a")]
    again = replace(run_line("b"), date="2021-01-01T00:00:00")
    second = [again, graph_line("grid", "b"), result("ecl", "grid", 2.0, "b")]
    paths = [write(tmp_path / "2.jsonl", second), write(tmp_path / "1.jsonl", first)]
    (cell,) = Measurements(load_results(paths)).cells
    assert cell.milliseconds == pytest.approx(2)


def test_kept_results_are_read():
    lines = load_results(
        sorted([*RECORDS.glob("cpu-external-*.jsonl"), *RECORDS.glob("gpu-peers-*.jsonl")])
    )
    measured = Measurements(lines)
    gpu, cpu = measured.platforms("cuda")[0], measured.platforms("cpu")[0]
    assert (gpu.name, cpu.name) == ("NVIDIA H200", "Intel Xeon, 2 cores")
    by_graph = measured.table(gpu)
    (grid,) = (
        one.median
        for one in lines.results
        if (one.graph, one.implementation, one.study) == ("grid4096", "auto", None)
        and one.scope == "solve"
    )
    assert by_graph["grid4096"]["auto"].milliseconds == pytest.approx(grid * 1e3)
    families = measured.table(cpu)
    assert families["grid"]["auto"].result.ran.startswith("rounds")
    assert families["grid"]["GAPBS cc"].result.peer
    assert len(families) == 10


def test_measurements_of_single_parts_are_left_out():
    with pytest.raises(InputError, match="no result to report"):
        load_results(sorted([*RECORDS.glob("latency-*.jsonl"), *RECORDS.glob("growth-*.jsonl")]))
    results = load_results(sorted(RECORDS.glob("*papers*.jsonl")))
    assert {result.study for result in results.results} >= {None, "paths", "kernels"}
    assert not {result.study for result in results.results} & {"calls", "first-use"}


def test_runs_of_single_parts_are_left_out_with_their_graphs(tmp_path):
    part = [run_line("part", suite="small"), graph_line("grid", "part")]
    part.append(result("auto", "grid", 1.0, "part", suite="small"))
    report = [run_line("all"), graph_line("grid", "all"), result("auto", "grid", 1.0, "all")]
    results = load_results([write(tmp_path / "both.jsonl", [*part, *report])])
    assert list(results.runs) == ["all"]
    assert [run for run, _ in results.graphs] == ["all"]


def test_what_is_no_record_is_refused(tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"machine": {"date": 1}}\n{"family": "grid", "samples": 1, "what": 1}\n')
    with pytest.raises(InputError, match=r"wrong\.jsonl"):
        load_results([wrong])
    wrong.write_text("no JSON\n")
    with pytest.raises(InputError, match="line 1"):
        load_results([wrong])
    wrong.write_text("")
    with pytest.raises(InputError, match="no result"):
        load_results([wrong])
    with pytest.raises(InputError, match="cannot be read"):
        load_results([tmp_path / "none.jsonl"])


def test_markdown_and_csv(tmp_path):
    path = write(tmp_path / "all.jsonl", all_lines())
    report = write_report([path], tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text()
    assert "### ECL-CC, Figs. 11 and 12: Codes for GPUs" in text
    assert "**geometric mean**" in text
    assert text.count("| **agrees** |") == report.overview.conclusions["agrees"]
    write_report([path], tmp_path / "report.csv")
    rows = list(csv.DictReader((tmp_path / "report.csv").read_text().splitlines()))
    marks = sum(len(p.marks) for one in report.figures for p in one.panels)
    assert len(rows) == marks
    row = next(r for r in rows if r["figure"] == "eclcc-fig11" and not r["published"])
    assert float(row["milliseconds"]) > 0
    assert len(row["samples_ms"].split()) == 5


def test_markdown_of_little_says_what_is_missing(tmp_path):
    lines = [run_line(), graph_line("grid"), result("auto", "grid", 1.0)]
    write_report([write(tmp_path / "one.jsonl", lines)], tmp_path / "report.md")
    text = (tmp_path / "report.md").read_text()
    assert "Not measured: needs the study init." in text
    assert "1 measurements" in text


def test_command(tmp_path):
    lines = list(on_gpu(*CODES))
    path = write(tmp_path / "r.jsonl", lines)
    done = CliRunner().invoke(app, ["report", str(path), "-o", str(tmp_path / "r.csv")])
    assert done.exit_code == 0, done.output
    assert "6 measurements on 2 graphs" in done.output
    done = CliRunner().invoke(app, ["report", str(path), "-o", str(tmp_path / "r.docx")])
    assert done.exit_code == 2
    assert "must end in .html, .md, .csv or .svg" in done.output
    assert not (tmp_path / "r.docx").exists()


def test_the_page_says_what_it_needs(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    path = write(tmp_path / "r.jsonl", on_gpu(*CODES))
    with pytest.raises(UnsupportedError, match="skerry-bench\\[report\\]"):
        write_report([path], tmp_path / "r.html")


def test_unknown_keys_and_kinds_are_left_out(tmp_path):
    lines = [json.loads(encode(line)) | {"new": 1} for line in on_gpu(*CODES)]
    path = tmp_path / "new.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in [*lines, {"kind": "weather"}]))
    assert len(load_results([path]).results) == len(CODES)
