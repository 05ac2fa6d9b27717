"""``skerry bench compare`` and ``bench peers``: two records side by side, and who can be asked."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry.cli.errors import plain_errors, say

__all__ = ["add_comparison"]

SLOWER = 1
"""The exit code where something regressed."""


def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="A record: the earlier state.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="A record: the later state.")],
    tolerance: Annotated[
        float, typer.Option(min=0, help="Percent that ours may be slower by, beyond noise.")
    ] = 5.0,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    show_all: Annotated[bool, typer.Option("--all", help="Show what did not change, too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print all as JSON.")] = False,
) -> None:
    """What got faster or slower from A to B, beyond noise; exit code 1 on a regression."""
    with plain_errors():
        from skerry_bench.compare import compare_results
        from skerry_bench.results import read_results

        sides = (read_results([path]) for path in (before, after))
        found = compare_results(*sides, confidence=confidence)
        share = tolerance / 100
        if as_json:
            typer.echo(json.dumps(_plain(found, share), indent=1, allow_nan=False))
        else:
            _show(found, share, confidence, show_all)
        if found.regressions(share):
            raise typer.Exit(SLOWER)


def peers() -> None:
    """Other libraries that can be measured beside ours, and what is missing here."""
    with plain_errors():
        from skerry_bench.peers import PEERS

        for peer in PEERS.values():
            missing = peer.available()
            state = f"missing: {missing}" if missing else f"version {peer.version()}"
            typer.echo(f"{peer.name:<19} {peer.device:<5} {'+'.join(peer.scopes):<12} {state}")


def _show(found: Any, tolerance: float, confidence: float, show_all: bool) -> None:
    if found.machines:
        say(f"warning: other machines ({' and '.join(found.machines)}): ratios are theirs, too")
    if found.other_graphs:
        say(f"left out, since the graphs differ: {', '.join(found.other_graphs)}")
    shown = [one for one in found.changes if show_all or one.verdict in ("slower", "faster")]
    if shown:
        typer.echo(f"{'before':>10} {'after':>10} {'ratio':>6}  {'interval':<13} ")
    for one in shown:
        mark = " REGRESSION" if not one.result.peer and one.regressed(tolerance) else ""
        interval = f"{one.low:.2f} to {one.high:.2f}" if not math.isnan(one.low) else ""
        peer = ", a peer" if one.result.peer else ""
        typer.echo(
            f"{_time(one.before):>10} {_time(one.after):>10} {one.ratio:>6.2f}  {interval:<13} "
            f"{one.verdict}{peer}: {one.name}{mark}"
        )
    _summary(found, tolerance, confidence)


def _summary(found: Any, tolerance: float, confidence: float) -> None:
    verdicts = [one.verdict for one in found.changes]
    counts = {name: verdicts.count(name) for name in ("slower", "faster", "no difference")}
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    judged = sum(counts.values())
    typer.echo(f"{len(verdicts)} measurements in both: {told}")
    few = len(verdicts) - judged
    if few:
        typer.echo(f"{few} have too few samples to tell: --repeat 5 or more")
    if judged:
        chance = judged * (1 - confidence)
        typer.echo(f"(by chance alone, about {chance:.0f} of {judged} would seem to differ)")
    for name, mean in (("ours", found.ours), ("peers, the same code", found.peers)):
        if mean is not None:
            typer.echo(
                f"{name}: {mean.ratio:.3f} times as long, geometric mean of {mean.count} "
                f"({mean.low:.3f} to {mean.high:.3f})"
            )
    worse = len(found.regressions(tolerance))
    percent = f"{100 * tolerance:g} %"
    typer.echo(
        f"{worse} of ours regressed by more than {percent}"
        if worse
        else f"none of ours regressed by more than {percent}"
    )


def _plain(found: Any, tolerance: float) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    changes = [
        {
            "name": one.name,
            "suite": one.result.suite,
            "study": one.result.study,
            "graph": one.result.graph,
            "implementation": one.result.implementation,
            "peer": one.result.peer,
            "device": one.result.device,
            "threads": one.result.threads,
            "scope": one.result.scope,
            "before": one.before,
            "after": one.after,
            "ratio": one.ratio,
            "low": number(one.low),
            "high": number(one.high),
            "samples": list(one.samples),
            "verdict": one.verdict,
            "regression": not one.result.peer and one.regressed(tolerance),
        }
        for one in found.changes
    ]
    return {
        "tolerance": tolerance,
        "regressions": len(found.regressions(tolerance)),
        "ours": asdict(found.ours) if found.ours else None,
        "peers": asdict(found.peers) if found.peers else None,
        "only_before": found.only_before,
        "only_after": found.only_after,
        "other_graphs": list(found.other_graphs),
        "machines": list(found.machines) if found.machines else None,
        "changes": changes,
    }


def _time(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def add_comparison(app: typer.Typer) -> None:
    """Registers the two commands."""
    app.command(epilog="Example: skerry bench compare before.jsonl after.jsonl")(compare)
    app.command(epilog="Example: skerry bench peers")(peers)
