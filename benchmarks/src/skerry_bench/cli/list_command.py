"""``skerry bench list`` and ``skerry bench peers``."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from skerry.cli.errors import plain_errors
from skerry_bench.studies import STUDIES, suite_of
from skerry_bench.suites import SUITES

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def list_suites(as_json: Json = False) -> None:
    """Suites and studies, with their papers."""
    with plain_errors():
        suites = [
            {"name": suite.name, "summary": suite.summary, "studies": list(suite.studies)}
            for suite in SUITES.values()
        ]
        studies = [
            {
                "name": study.name,
                "summary": study.summary,
                "source": study.paper,
                "suite": suite_of(study.name),
                "devices": list(study.devices),
            }
            for study in STUDIES.values()
        ]
        if as_json:
            typer.echo(json.dumps({"suites": suites, "studies": studies}, indent=1))
            return
        for suite in suites:
            typer.echo(f"{suite['name']:<12} {suite['summary']}")
        typer.echo()
        for study in studies:
            source = f"({study['source']}; in {study['suite']})"
            typer.echo(f"{study['name']:<12} {study['summary']} {source}")


def list_peers(as_json: Json = False) -> None:
    """Other libraries that can be measured, and which are missing here."""
    with plain_errors():
        from skerry_bench.peers import PEERS

        peers: list[dict[str, Any]] = []
        for peer in PEERS.values():
            missing = peer.available()
            peers.append(
                {
                    "name": peer.name,
                    "device": peer.device,
                    "scopes": list(peer.scopes),
                    "version": None if missing else peer.version(),
                    "missing": missing,
                }
            )
        if as_json:
            typer.echo(json.dumps(peers, indent=1))
            return
        for entry in peers:
            reason = entry["missing"]
            state = f"missing: {reason}" if reason else f"version {entry['version']}"
            scopes = "+".join(entry["scopes"])
            typer.echo(f"{entry['name']:<19} {entry['device']:<5} {scopes:<17} {state}")


def add_lists(app: typer.Typer) -> None:
    """Registers the commands."""
    app.command("list", epilog="Example: skerry bench list --json")(list_suites)
    app.command("peers", epilog="Example: skerry bench peers --json")(list_peers)
