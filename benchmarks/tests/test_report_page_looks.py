"""How the report's page looks in a browser: charts, axes, colors, numbers, and its size."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lab.made_up_results import graph_line, result, run_line, write
from skerry_bench.report.write import write_report

pytest.importorskip("vl_convert", reason="vl-convert, which brings the charts, is not installed")

pytestmark = pytest.mark.xdist_group("page")  # one browser for all


def test_axes_stay_in_sight(opened):
    """Every chart fits a screen and has its axis on top; that of the first chart stays there."""
    heights = opened.ask(
        "[...document.querySelectorAll('.charts svg')].map((s) => s.getBoundingClientRect().height)"
    )
    assert max(heights) < 800
    for figure in ("eclcc-fig11", "peers-solve", "all-implementations", "eclcc-fig10"):
        axes = f"document.querySelectorAll('#{figure} .charts svg .role-axis-title').length"
        assert opened.ask(axes) >= opened.ask(f"{chart_count(figure)}"), figure
    style = "getComputedStyle(document.querySelector('.race thead th'))"
    assert opened.ask(f"{style}.position") == "sticky"


def chart_count(figure):
    return f"document.querySelectorAll('#{figure} .charts .chart').length"


def test_every_measured_bar_has_its_number_and_a_lane_of_its_own(opened):
    rows = opened.rows_of("eclcc-fig9")
    measured = [row for row in rows if not row["published"]]
    figure = "document.querySelector('#eclcc-fig9 .multiples')"
    texts = opened.ask(
        f"[...{figure}.querySelectorAll('.mark-text.role-mark text')].map((t) => t.textContent)"
    )
    assert len(texts) == len(measured)
    assert all(row["number"] in texts for row in measured)
    middles = opened.ask(
        f"[...{figure}.querySelectorAll('.mark-text.role-mark text')].map((t) => "
        "{ const box = t.getBoundingClientRect(); return [box.top, box.left > innerWidth / 2]; })"
    )
    columns = [sorted(top for top, right in middles if right == side) for side in (False, True)]
    assert all(after - before > 8 for tops in columns for before, after in pairwise(tops))


def test_no_color_is_used_twice_in_a_chart_with_a_legend(opened, report):
    for figure in report.figures:
        colors = opened.ask(
            f"[...document.querySelectorAll('#{figure.id} .legend i')].map((i) => "
            "i.style.getPropertyValue('--c')).filter(Boolean)"
        )
        assert len(colors) == len(set(colors)) <= 8, figure.id


def test_small_charts_have_units_and_no_axis_stands_alone(opened, report):
    growth = next(figure for figure in report.figures if figure.id == "growth")
    titles = opened.ask(
        "[...document.querySelectorAll('#growth .chart')].map((chart) => "
        "[...chart.querySelectorAll('.role-axis-title text')].map((t) => t.textContent))"
    )
    assert titles
    assert all(sorted(shown) == sorted((growth.x_title, growth.value_title)) for shown in titles)
    lines = "[...document.querySelectorAll('#growth .chart')].every((c) => "
    assert opened.ask(f"{lines}c.querySelector('.mark-line path'))")


def test_labels_of_points_do_not_cover_each_other(opened):
    boxes = opened.ask(
        "[...document.querySelectorAll('#gerasimou-fig3 .mark-text.role-mark text')].map((t) => "
        "{ const b = t.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })"
    )
    assert boxes
    for number, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] + 2
            assert apart or other[3] <= top + 2, (boxes[number], other)


def test_filters_reach_the_first_chart(opened):
    shown = "[...document.querySelectorAll('.answer[open] .race tbody tr[data-graph]')]"
    before = opened.ask(f"{shown}.filter((row) => !row.hidden).length")
    opened.do("document.querySelector('#graphs input[value=europe_osm]').click()")
    assert opened.ask(f"{shown}.filter((row) => !row.hidden).length") == before - 1


def test_bars_lie_beside_their_names(page, folder):
    """A row with fewer bars than others had empty lanes, and its bars lay below its name."""
    lines = [run_line(), graph_line("grid"), graph_line("road")]
    for name in ("auto", "ecl", "soman", "groute"):
        lines.append(result(name, "grid", (2.0, 2.1, 2.2)))
    lines += [result("auto", "road", 1.0), result("ecl", "road", 3.0)]
    lines += [result("scipy", name, 9.0, peer=True) for name in ("grid", "road")]
    write_report([write(folder / "lanes.jsonl", lines)], folder / "lanes.html")
    page.open(folder / "lanes.html")
    figure = "document.querySelector('#peers-solve')"
    tops = page.ask(
        f"[...{figure}.querySelectorAll('.mark-rect.role-mark path')].map((bar) => "
        "{ const box = bar.getBoundingClientRect(); return box.top + box.height / 2; })"
    )
    names = dict(
        page.ask(
            f"[...{figure}.querySelectorAll('.role-axis-label text')].map((t) => "
            "{ const box = t.getBoundingClientRect(); "
            "return [t.textContent, box.top + box.height / 2]; })"
        )
    )
    for name in ("grid *", "road *"):
        assert min(abs(top - names[name]) for top in tops) < 8, (name, tops, names)


def test_many_series_are_small_charts_with_names_instead_of_colors(page, folder):
    """Fourteen series had eleven colors, in lanes that were mostly empty."""
    graphs = ("grid", "road", "rmat")
    lines = [run_line(), *(graph_line(name) for name in graphs)]
    for name in graphs:
        lines += [result("auto", name, (1.0, 1.01)), result("ecl", name, (2.0, 2.02))]
        for number in range(14):
            lines.append(result(f"peer{number}", name, (3.0 + number, 3.1 + number), peer=True))
    write_report([write(folder / "many.jsonl", lines)], folder / "many.html")
    page.open(folder / "many.html")
    assert page.ask(chart_count("peers-solve")) == len(graphs) + 1  # and their mean
    labels = page.ask(
        "[...document.querySelectorAll('#peers-solve .chart')].map((chart) => "
        "[...chart.querySelectorAll('.role-axis-label text')].map((t) => t.textContent)"
        ".filter((text) => text.startsWith('peer')).length)"
    )
    assert labels == [14] * (len(graphs) + 1)
    height = page.ask("document.querySelector('#peers-solve').getBoundingClientRect().height")
    assert height < 900
    assert page.complaints() == []


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (375, 800)])
def test_the_first_chart_is_on_the_first_screen(report_at, width, height):
    """It was 13 screens down, on a phone 31; now it says whether the papers hold."""
    page = report_at(width, height)
    for place in ("first", "last"):
        span = f"document.querySelector('.holds tr:{place}-child span').getBoundingClientRect()"
        assert page.ask(f"{span}.width") > 0 and page.ask(f"{span}.bottom") < height
    bars = "document.querySelectorAll('.race .auto .track i')"
    assert page.ask(f"[...{bars}].every((bar) => bar.getBoundingClientRect().width > 0)")


@pytest.mark.parametrize("width", [320, 375])
def test_tables_fit_a_phone(report_at, width):
    """Rows were 400 pixels high, since columns out of sight wrapped."""
    page = report_at(width, 800)
    page.unfold("details")
    for table in (".race", ".cards"):
        right = f"Math.max(...[...document.querySelectorAll('{table} *')].map((e) => "
        assert page.ask(f"{right}e.getBoundingClientRect().right))") <= width, table
    rows = "[...document.querySelectorAll('#provenance tbody tr')]"
    assert page.ask(f"Math.max(...{rows}.map((r) => r.getBoundingClientRect().height))") < 260


@pytest.mark.parametrize("width", [320, 375])
def test_nothing_is_wider_than_the_screen(report_at, width):
    page = report_at(width, 800)
    assert page.ask("document.documentElement.scrollWidth") <= width
    charts = "[...document.querySelectorAll('.charts svg')]"
    assert page.ask(f"Math.max(...{charts}.map((s) => s.getBoundingClientRect().right))") <= width
    page.unfold("#filters")
    assert page.ask("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (375, 800)])
def test_numbers_are_not_cut_off(report_at, width, height):
    page = report_at(width, height)
    cut = page.ask(
        "[...document.querySelectorAll('.charts svg')].flatMap((svg) => { const right = "
        "svg.getBoundingClientRect().right; return [...svg.querySelectorAll('.mark-text text')]"
        ".filter((t) => t.getBoundingClientRect().right > right + 1).map((t) => "
        "svg.closest('article').id + ': ' + t.textContent); })"
    )
    assert cut == []
