"""Style and script of the page, and the licences of what it embeds."""

from importlib.resources import files

__all__ = ["asset"]


def asset(name: str) -> str:
    """The text of a file in the folder of assets."""
    return files("skerry").joinpath(f"report/assets/{name}").read_text("ascii")
