"""``skerry bench compare``: what changed between two records."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry.cli.errors import plain_errors, say

SLOWER = 1
"""The exit code after a regression."""


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="The earlier record.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The later record.")],
    tolerance: Annotated[
        float, typer.Option(min=0, help="Percent that skerry may be slower, beyond noise.")
    ] = 5.0,
    confidence: Annotated[float, typer.Option(help="Confidence of the intervals.")] = 0.95,
    show_all: Annotated[
        bool, typer.Option("--all", help="Show unchanged measurements too.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What became faster or slower from A to B, beyond noise; exit code 1 on a regression."""
    with plain_errors():
        from skerry_bench.compare import compare_results
        from skerry_bench.results import read_results

        sides = (read_results([path]) for path in (before, after))
        comparison = compare_results(*sides, confidence=confidence)
        fraction = tolerance / 100
        if as_json:
            typer.echo(json.dumps(_plain(comparison, fraction), indent=1, allow_nan=False))
        else:
            _show(comparison, fraction, confidence, show_all)
        if comparison.regressions(fraction):
            raise typer.Exit(SLOWER)


def _show(comparison: Any, tolerance: float, confidence: float, show_all: bool) -> None:
    if comparison.machines:
        say(
            f"warning: different machines ({' and '.join(comparison.machines)}): the ratios "
            "include their difference"
        )
    if comparison.other_graphs:
        say(f"left out, since the graphs differ: {', '.join(comparison.other_graphs)}")
    shown = [
        change
        for change in comparison.changes
        if show_all or change.verdict in ("slower", "faster")
    ]
    if shown:
        typer.echo(f"{'before':>10} {'after':>10} {'ratio':>6}  {'interval':<13} ")
    for change in shown:
        mark = " REGRESSION" if not change.result.peer and change.regressed(tolerance) else ""
        interval = f"{change.low:.2f} to {change.high:.2f}" if not math.isnan(change.low) else ""
        peer = ", a peer" if change.result.peer else ""
        typer.echo(
            f"{_time(change.before):>10} {_time(change.after):>10} {change.ratio:>6.2f}  "
            f"{interval:<13} {change.verdict}{peer}: {change.name}{mark}"
        )
    _summary(comparison, tolerance, confidence)


def _summary(comparison: Any, tolerance: float, confidence: float) -> None:
    verdicts = [change.verdict for change in comparison.changes]
    counts = {name: verdicts.count(name) for name in ("slower", "faster", "no difference")}
    counted = ", ".join(f"{count} {name}" for name, count in counts.items())
    judged = sum(counts.values())
    typer.echo(f"{len(verdicts)} measurements in both: {counted}")
    few = len(verdicts) - judged
    if few:
        typer.echo(f"{few} have too few samples for a verdict: use --repeat 5 or more")
    if judged:
        chance = judged * (1 - confidence)
        typer.echo(f"(by chance alone, about {chance:.0f} of {judged} would appear to differ)")
    for name, mean in (("skerry", comparison.skerry), ("peers, the same code", comparison.peers)):
        if mean is not None:
            typer.echo(
                f"{name}: {mean.ratio:.3f} times as long, geometric mean of {mean.count} "
                f"({mean.low:.3f} to {mean.high:.3f})"
            )
    worse = len(comparison.regressions(tolerance))
    percent = f"{100 * tolerance:g} %"
    typer.echo(
        f"{worse} {'measurement' if worse == 1 else 'measurements'} of skerry regressed by more "
        f"than {percent}"
        if worse
        else f"no measurement of skerry regressed by more than {percent}"
    )


def _plain(comparison: Any, tolerance: float) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    changes = [
        {
            "name": change.name,
            "suite": change.result.suite,
            "study": change.result.study,
            "graph": change.result.graph,
            "implementation": change.result.implementation,
            "peer": change.result.peer,
            "device": change.result.device,
            "threads": change.result.threads,
            "scope": change.result.scope,
            "before": change.before,
            "after": change.after,
            "ratio": change.ratio,
            "low": number(change.low),
            "high": number(change.high),
            "samples": list(change.samples),
            "verdict": change.verdict,
            "regression": not change.result.peer and change.regressed(tolerance),
        }
        for change in comparison.changes
    ]
    return {
        "tolerance": tolerance,
        "regressions": len(comparison.regressions(tolerance)),
        "skerry": asdict(comparison.skerry) if comparison.skerry else None,
        "peers": asdict(comparison.peers) if comparison.peers else None,
        "only_before": comparison.only_before,
        "only_after": comparison.only_after,
        "other_graphs": list(comparison.other_graphs),
        "machines": list(comparison.machines) if comparison.machines else None,
        "changes": changes,
    }


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def add_comparison(app: typer.Typer) -> None:
    """Registers the command."""
    app.command(epilog="Example: skerry bench compare before.jsonl after.jsonl")(compare)
