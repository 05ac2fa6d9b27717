"""Style and script of the page, and the licenses of what it embeds."""

from importlib.resources import files

__all__ = ["asset"]


def asset(name: str) -> str:
    """The text of a file in the folder of assets."""
    return files("skerry_bench.report").joinpath(f"assets/{name}").read_text("ascii")
