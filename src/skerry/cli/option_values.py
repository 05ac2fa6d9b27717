"""Values of options, converted without pydantic.

Recent versions of typer convert by pydantic, whose import takes as long as that of NumPy. Usual
values need none of it; what is unusual or wrong is left to typer.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Any, NamedTuple, get_args, get_origin


def convert_quickly(command: Any, ctx: Any) -> None:
    """Gives the options our converters; older versions of typer have none to replace."""
    for option in command.get_params(ctx):  # with --help
        if hasattr(option, "get_runtime_param"):
            option.get_runtime_param = partial(_Converter, option.get_runtime_param)


class _Converter(NamedTuple):
    """Converts as typer's own converter, which is built only where it is needed."""

    build: Any

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        option = param.type_descriptor
        try:
            if get_origin(option.annotation) is not list:
                return _convert(value, option.annotation, option.parameter_info)
            (kind,) = get_args(option.annotation)
            return [_convert(each, kind, option.parameter_info) for each in value or ()]
        except ValueError:
            return self.build().coerce(value, param=param, ctx=ctx)


def _convert(value: Any, kind: Any, info: Any) -> Any:
    """The converted value; raises `ValueError` if it is not a usual one."""
    if value is None or (kind is str and isinstance(value, str)):
        return value
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if kind is float:
        return float(value)
    if kind is int and str(value).isdecimal():
        number = int(value)
        if (info.min is None or info.min <= number) and (info.max is None or number <= info.max):
            return number
    raise ValueError(value)
