"""Style sheets and scripts of the page, and the licenses of the libraries in it."""

from importlib.resources import files


def read_asset(name: str) -> str:
    """The text of a file in the folder ``assets``."""
    return files("skerry_bench.report").joinpath(f"assets/{name}").read_text("ascii")
