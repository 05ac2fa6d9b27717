"""The oldest versions that pyproject.toml allows, as a file of constraints for pip.

``python tools/minimum_versions.py > constraints.txt``: a line ``name==version`` for each package
that skerry, its extras, its benchmarks, its build or its tests need. `make test-minimum` installs
exactly these. A package without a minimum, or with two, is an error: nobody would have tested it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECTS = (ROOT / "pyproject.toml", ROOT / "benchmarks/pyproject.toml")
GROUPS = ("build", "test")
OWN = "skerry"

REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*(?P<bounds>[^;]*?)\s*(?:;\s*(?P<marker>.*))?"
)
MINIMUM = re.compile(r"(?:>=|==|~=)\s*(?P<version>[\w.]+)")


def requirements(project: dict[str, Any]) -> Iterator[str]:
    """All that a project needs: to build, to run, for its extras and for its tests."""
    yield from project.get("build-system", {}).get("requires", [])
    yield from project.get("project", {}).get("dependencies", [])
    for extra in project.get("project", {}).get("optional-dependencies", {}).values():
        yield from extra
    for group in GROUPS:
        for entry in project.get("dependency-groups", {}).get(group, []):
            if isinstance(entry, str):
                yield entry


def minimums(projects: list[dict[str, Any]]) -> dict[str, str]:
    """The constraint of each package, by its name; raises where there is not exactly one."""
    constraints: dict[str, str] = {}
    for text in (text for project in projects for text in requirements(project)):
        match = REQUIREMENT.fullmatch(text)
        bound = MINIMUM.search(match["bounds"]) if match else None
        if match and match["name"] == OWN:
            continue
        if match is None or bound is None:
            raise ValueError(f"{text!r} has no minimum version: write name>=version")
        name = match["name"].lower().replace("_", "-")
        marker = f"; {match['marker']}" if match["marker"] else ""
        constraint = f"{name}=={bound['version']}{marker}"
        if constraints.setdefault(name, constraint) != constraint:
            raise ValueError(f"{constraints[name]!r} and {constraint!r}: one minimum for each")
    return constraints


def main() -> int:
    """Prints the constraints."""
    projects = [tomllib.loads(path.read_text()) for path in PROJECTS if path.exists()]
    try:
        constraints = minimums(projects)
    except ValueError as error:
        print(f"minimum_versions: {error}", file=sys.stderr)
        return 1
    print("\n".join(constraints[name] for name in sorted(constraints)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
