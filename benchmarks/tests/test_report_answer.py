"""What the report answers first: who is how fast on what, how sure that is, and in which order."""

from __future__ import annotations

import re
from html import escape
from types import SimpleNamespace as Namespace

import pytest

from lab.made_up_results import all_lines, graph_line, result, run_line
from lab.paths import LAB
from skerry_bench.corpus.halves import half_of
from skerry_bench.published.causes import causes
from skerry_bench.report.answer import answers
from skerry_bench.report.build import build_report
from skerry_bench.report.display_names import PALETTE
from skerry_bench.report.figures.beyond_papers import all_implementations
from skerry_bench.report.figures.catalog import all_figures
from skerry_bench.report.format_value import format_value
from skerry_bench.report.graph_table import GRAPH_COLUMNS, graph_rows
from skerry_bench.report.html_body import html_body
from skerry_bench.report.html_claims import html_claims
from skerry_bench.report.markdown import markdown
from skerry_bench.report.measurements import Measurements
from skerry_bench.results import Results

ASSETS = LAB / "src/skerry_bench/report/assets"
QUIET = (1.0, 1.01, 0.99)
CHECKED = next(f"graph{n}" for n in range(99) if half_of([f"graph{n}"]) == "checking")


def lines(*times, suite="families", scale=1.0):
    """A run of (graph, implementation, samples in ms); a name in capitals is a peer."""
    run = run_line(suite=suite)
    yield type(run)(
        run.run, run.date, suite, run.machine, run.versions, run.commit, {"scale": scale}
    )
    yield from (graph_line(graph, stand_in=False) for graph in dict.fromkeys(t[0] for t in times))
    for graph, name, samples in times:
        yield result(name, graph, samples, suite=suite, peer=name.isupper())


def times(factor):
    return [factor * sample for sample in QUIET]


def answer_of(*measured, **fields):
    (answer,) = answers(Measurements(Results(lines(*measured, **fields))))
    return answer


def body_of(*made):
    return html_body(build_report(Results(made)))


TWO_GRAPHS = (
    *(("grid", "auto", times(1)), ("grid", "bfs", times(2)), ("grid", "PEER", times(4))),
    *(("road", "auto", times(1)), ("road", "bfs", times(0.5)), ("road", "PEER", times(3))),
)


def test_the_chart_comes_first_and_provenance_is_folded_away():
    body = body_of(*all_lines(names=("internet", "uk-2002")))
    sections = re.findall(r'<section id="([a-z-]+)"', body)
    assert sections[:6] == ["holds", "answer", "graph-table", "claims", "provenance", "skerry"]
    assert body.index('<table class="race"') < body.index("<h2>Graphs</h2>")
    provenance = body[body.index('<section id="provenance"') : body.index('<section id="skerry"')]
    assert provenance.index("<details>") < provenance.index("<table")
    claims = body[body.index('<section id="claims"') : body.index('<section id="provenance"')]
    assert claims.index('<details class="paper">') < claims.index('<ul class="claims"')


def test_auto_has_a_bar_and_every_bar_has_its_number_and_its_spread():
    body = body_of(*lines(*TWO_GRAPHS))
    chart = body[body.index('<table class="race"') : body.index("</table>")]
    bars = re.findall(r'<i style="width:([\d.]+)%"></i><b style="left:([\d.]+)%;width:', chart)
    autos = re.findall(r'<td class="auto[^"]*" data-implementation="auto"', chart)
    assert len(autos) == 2
    assert len(bars) == 2 * 4  # auto, the fastest other, bfs, the peer
    assert all(float(width) > 0 for width, _ in bars)
    assert len(re.findall(r'<span class="at">[~\d.,]+</span>', chart)) == len(bars)
    assert chart.count("<b>ms</b>") == 4  # an axis with its unit in every column


def test_the_fastest_other_is_shown_whoever_it_is():
    """Serial search beat auto in the chart below a headline that named another algorithm."""
    measured = [("grid", "auto", times(1)), ("road", "auto", times(1))]
    for number, name in enumerate(("ecl", "cc", "sv", "rem", "afforest")):
        measured += [(graph, name, times(15 + number)) for graph in ("grid", "road")]
    measured += [("grid", "bfs", times(0.5)), ("road", "bfs", times(0.8))]
    answer = answer_of(*measured)
    assert [row.fastest_other().implementation for row in answer.rows] == ["bfs", "bfs"]
    (headline,) = answer.headlines
    assert "the fastest of 6 other algorithms of skerry takes 0.65 times as long" in headline
    assert "slower on 2 (grid, road)" in headline


def test_a_headline_is_a_median_with_its_range_and_counts():
    peers, own = answer_of(*TWO_GRAPHS).headlines
    assert "the only peer takes 3.5 times as long as auto (median; 3 to 4 by graph)" in peers
    assert "takes 1.2 times as long as auto (median; 0.5 to 2 by graph)" in own
    assert own.endswith("auto is faster on 1, slower on 1 (road).")


def test_one_graph_is_no_result():
    (headline,) = answer_of(*TWO_GRAPHS[:2]).headlines
    assert headline.endswith("one graph is no result.")


def test_tuning_and_checking_graphs_are_told_apart():
    seen = list(lines(*TWO_GRAPHS))
    unseen = list(
        lines(
            ("honeycomb", "auto", times(1)), ("honeycomb", "bfs", times(9)),
            (CHECKED, "auto", times(1)), (CHECKED, "bfs", times(7)), suite="real",
        )
    )  # fmt: skip
    (answer,) = answers(Measurements(Results([*seen, *unseen])))
    assert [row.half for row in answer.rows] == ["checking"] * 2 + ["tuning"] * 2
    checked, tuned, _ = answer.headlines
    assert checked.startswith("On 2 graphs for checking, ")
    assert tuned.startswith("On 2 graphs for tuning, ")
    assert "7 to 9 by graph" in checked
    body = body_of(*seen, *unseen)
    assert body.count('<tr class="half">') == 2
    assert body.index("graphs for checking (auto") < body.index("graphs for tuning (auto")


def test_noisy_times_are_warned_of_and_have_two_digits():
    measured = [("grid", "auto", (11.94, 27.81, 3.33)), ("grid", "bfs", times(40.123))]
    answer = answer_of(*measured)
    assert answer.caveats[0].startswith("Too noisy for a conclusion")
    assert answer.caveats[1].startswith("Noisy: the samples of 1 of 2 times")
    body = body_of(*lines(*measured))
    assert '<span class="at">~12</span>' in body
    assert '<span class="at">40.1</span>' in body
    assert body.index("Too noisy for a conclusion") < body.index('class="headline"')
    (row,) = graph_rows(answer)
    assert row[GRAPH_COLUMNS.index("Warning")] == "noisy: spread 210%"


def test_single_samples_are_warned_of():
    answer = answer_of(("grid", "auto", 1.0), ("grid", "bfs", 1.2))
    assert any(text.startswith("Single: 2 of 2 times are one sample") for text in answer.caveats)
    (row,) = graph_rows(answer)
    assert row[GRAPH_COLUMNS.index("auto is")] == "undecided"


def test_scaled_down_graphs_are_warned_of():
    answer = answer_of(*TWO_GRAPHS, scale=0.01)
    assert "Scaled down: 2 of 2 graphs" in answer.caveats[-1]
    assert "to 1% of their size" in answer.caveats[-1]
    assert answer_of(*TWO_GRAPHS).caveats == []


def test_samples_that_overlap_decide_nothing():
    answer = answer_of(
        *(("grid", "auto", (1.0, 1.3, 1.6)), ("grid", "bfs", (1.5, 1.8, 2.2))),
        *(("road", "auto", (1.0, 1.3, 1.4)), ("road", "bfs", (1.5, 1.8, 2.2))),
    )
    assert answer.headlines[0].endswith("auto is faster on 1, undecided on 1 (grid).")


def test_numbers_have_at_most_three_significant_digits():
    assert format_value(0.07373) == "0.0737"
    assert format_value(17.01) == "17"
    assert format_value(177123.0) == "177,000"
    report = build_report(Results(all_lines(names=("internet", "uk-2002"))))
    for answer in report.answers:
        for text in (*answer.headlines, *(str(answer.ratios(name)) for name in answer.columns)):
            assert text
    for number in re.findall(r'<span class="at">(?:~|1x )?([\d.,]+)</span>', html_body(report)):
        digits = number.replace(",", "").replace(".", "").strip("0")
        assert len(digits) <= 3, number


def test_a_chart_has_few_columns_and_the_papers_reference():
    names = ("ecl", "cc", "sv", "rem", "afforest", "PEER1", "PEER2", "PEER3")
    measured = [("grid", "auto", times(1))]
    measured += [("grid", name, times(3 + number)) for number, name in enumerate(names)]
    answer = answer_of(*measured)
    assert answer.columns == ["ecl", "PEER1", "PEER2"]
    assert answer.others == len(names)


def test_without_auto_the_page_says_that_nothing_is_compared():
    body = body_of(*lines(("grid", "bfs", times(1)), ("grid", "ecl", times(2))))
    assert "These results do not compare auto with anything" in body
    assert '<table class="race"' not in body


def test_a_peer_with_the_name_of_an_algorithm_has_a_row_of_its_own():
    measured = [*lines(("grid", "auto", times(1)), ("grid", "multistep", times(2)))]
    measured.append(result("Multistep", "grid", times(3), suite="families", peer=True))
    (panel,) = all_implementations(Measurements(Results(measured))).panels
    groups = [mark.group for mark in panel.marks]
    assert groups == ["auto (skerry)", "Multistep", "Multistep (peer)"]


def test_everybody_is_a_median_with_its_range_and_auto_is_among_them():
    measured = Measurements(Results(lines(*TWO_GRAPHS)))
    figure = all_implementations(measured)
    (panel,) = figure.panels
    marks = {mark.implementation: mark for mark in panel.marks}
    assert figure.kind == "range"
    assert marks["auto"].over_auto == 1
    assert marks["bfs"].over_auto == pytest.approx(1.25)
    assert marks["bfs"].range_over_auto == pytest.approx((0.5, 2))


def test_two_counts_of_threads_are_bars_and_no_lines():
    made = [run_line(), graph_line("grid")]
    made += [result("auto", "grid", 8.0 / n, threads=n, study="threads") for n in (1, 2)]
    figure = next(f for f in all_figures(Measurements(Results(made))) if f.id == "threads")
    assert (figure.kind, figure.origin) == ("value", 1.0)
    assert figure.value_title == "times as fast, 2 threads over 1"
    assert [(mark.graph, mark.value, mark.x) for mark in figure.panels[0].marks] == [
        ("grid", 2, None)
    ]


def test_every_axis_has_a_title_with_its_unit():
    for figure in all_figures(Measurements(Results(all_lines()))):
        if figure.kind not in ("ratio", "range"):
            assert figure.value_title, figure.id
        if figure.kind in ("line", "points"):
            assert figure.x_title, figure.id


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colors_of_a_chart_can_be_told_apart(theme):
    rules = (ASSETS / "page.css").read_text()
    start = rules.index('data-theme="dark"') if theme == "dark" else 0
    colors = {}
    for name in PALETTE:
        colors[name] = re.search(rf"--{name}: #([0-9a-f]{{6}})", rules[start:]).group(1)
    assert len(set(colors.values())) == len(PALETTE) == 8
    labs = {name: _lab(code) for name, code in colors.items()}
    for first in labs:
        for second in labs:
            if first < second:
                distance = sum((a - b) ** 2 for a, b in zip(labs[first], labs[second], strict=True))
                assert distance**0.5 > 24, (first, second)


def _lab(code):
    """CIE L*a*b* of an sRGB color: distances in it are about those that the eye sees."""
    channels = [int(code[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_the_page_and_its_script_have_the_same_palette():
    script = (ASSETS / "state.js").read_text()
    listed = re.search(r"const PALETTE = \[(.*?)\]", script).group(1)
    assert tuple(re.findall(r'"(\w+)"', listed)) == PALETTE


def test_markdown_answers_first_too():
    text = markdown(build_report(Results(lines(*TWO_GRAPHS))))
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0].startswith("Who is how fast on Made-up CPU")
    assert headings.index("What the papers claim") < headings.index("Where the numbers come from")
    assert "time over auto, median (range) over graphs" in text


def test_a_disagreement_has_its_cause_below_its_finding():
    known = next(iter(causes().values()))

    def section(name, conclusion):
        fields = {
            "paper": "ECL-CC",
            "where": "Fig. 7",
            "statement": "A is faster.",
            "rule": "it is",
        }
        verdict = Namespace(conclusion=conclusion, finding="It is slower.", platform="")
        return "".join(html_claims([(Namespace(id=name, **fields), verdict)]))

    text = section(known.claim, "disagrees")
    assert text.index("It is slower.") < text.index(f"<b>Cause: {known.cause}</b>")
    assert escape(known.evidence) in text
    assert f"Causes of the 1 that disagree or agree in part: 1 {known.cause}." in text
    assert "Cause: not yet examined" in section("a-new-claim", "disagrees")
    assert "Cause" not in section(known.claim, "agrees")


def test_a_size_with_peers_comes_before_a_larger_one_without():
    made = [*lines(*TWO_GRAPHS), run_line("large", suite="families")]
    for graph in ("grid", "road"):
        made.append(graph_line(graph, "large", 9_000_000, stand_in=False))
        made += [result(name, graph, 9.0, "large", suite="families") for name in ("auto", "bfs")]
    measured = Measurements(Results(made))
    (answer,) = answers(measured)
    assert all("PEER" in row.others for row in answer.rows)
    figure = next(f for f in all_figures(measured) if f.id == "peers-solve")
    assert {mark.graph for mark in figure.panels[0].marks} == {"grid", "road"}
