"""``-v``: what the library logs, as lines on standard error."""

from __future__ import annotations

import logging

import typer

from skerry.cli.run_log import current_log
from skerry.cli.terminal import print_error
from skerry.cli.wording import as_options

LINE = "skerry: %(relativeCreated)5.0f ms  %(message)s"
"""Milliseconds since the command started, and the message."""
DEBUG_LINE = "skerry: %(relativeCreated)5.0f ms  %(name)s: %(message)s"


class _StandardError(logging.Handler):
    """Writes to what is standard error at that time: a progress bar replaces it while it runs."""

    def emit(self, record: logging.LogRecord) -> None:
        log = current_log()
        if log is not None:
            log.write("note", message=as_options(record.getMessage()))
        else:
            print_error(as_options(self.format(record)))


def is_verbose() -> bool:
    """Whether ``-v`` was given."""
    handlers = logging.getLogger("skerry").handlers
    return any(isinstance(handler, _StandardError) for handler in handlers)


def show_log(context: typer.Context, verbosity: int) -> None:
    """Shows what is logged until the command ends: 1 is INFO, 2 or more is DEBUG."""
    if not verbosity:
        return
    logger = logging.getLogger("skerry")
    handler = _StandardError()
    handler.setFormatter(logging.Formatter(LINE if verbosity == 1 else DEBUG_LINE))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO if verbosity == 1 else logging.DEBUG)

    def stop() -> None:
        logger.removeHandler(handler)
        logger.setLevel(level)

    context.call_on_close(stop)


verbose_option = typer.Option(
    "--verbose",
    "-v",
    count=True,
    callback=show_log,
    help="Log what is read, what runs and how long each phase takes; -vv logs more.",
    show_default=False,
)
