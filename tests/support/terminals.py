"""Commands in terminals, as people run them: what the terminal was sent, and what it then shows."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PATIENCE = 60
STYLE = re.compile(r"\x1b\[[0-9;]*m")
SERVER = Path(__file__).with_name("terminal_server.py")


@dataclass
class Session:
    """A command that runs in a terminal, and then what came of it."""

    master: int
    columns: int
    code: int | None = None
    sent: bytes = b""
    """All that the terminal was sent."""
    screen: list[str] = field(default_factory=list)
    """The lines that the terminal shows at the end."""
    is_open: bool = True

    @property
    def text(self) -> str:
        """The same as text, without colors."""
        return STYLE.sub("", self.sent.decode(errors="replace"))

    def type(self, keys: bytes) -> None:
        """Types keys; Ctrl-C is ``\\x03``."""
        os.write(self.master, keys)


class Terminals:
    """A process that has loaded skerry and runs commands, one at a time, in terminals."""

    def __init__(self) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
            environment.pop(name, None)
        self._server = subprocess.Popen(
            [sys.executable, str(SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )

    def close(self) -> None:
        """Ends the process."""
        assert self._server.stdin and self._server.stdout
        self._server.stdin.close()
        self._server.wait(PATIENCE)
        self._server.stdout.close()

    def start(
        self, *arguments: object, folder: Path, columns: int = 80, eager: bool = True, **more: Any
    ) -> Session:
        """Starts a command; with ``pause=3`` it stops after the third drawing of its progress."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        request = {
            "arguments": list(map(str, arguments)),
            "terminal": os.ttyname(slave),
            "folder": str(folder),
            "eager": eager,
            "environment": {"TERM": "xterm-256color"},
            **more,
        }
        assert self._server.stdin
        self._server.stdin.write(json.dumps(request).encode() + b"\n")
        self._server.stdin.flush()
        self._slave = slave  # open until the command has ended: nothing that was sent is lost
        return Session(master, columns)

    def wait(self, session: Session) -> dict[str, int]:
        """Reads what the terminal is sent until the command has ended or paused."""
        assert self._server.stdout
        answers = self._server.stdout.fileno()
        answer = b""
        while not answer.endswith(b"\n"):
            if answers in self._read(session, answers):
                answer += os.read(answers, 1 << 16)
        while session.is_open and select.select([session.master], [], [], 0)[0]:
            session.sent += os.read(session.master, 1 << 16)
        event: dict[str, int] = json.loads(answer.splitlines()[-1])
        if "ended" in event:
            session.code = event["ended"]
            self.hang_up(session)
            session.screen = shown(session.text, session.columns)
        return event

    def read_until(self, session: Session, pattern: str) -> None:
        """Reads what the terminal is sent until it has been sent this."""
        while not re.search(pattern, session.text):
            self._read(session)

    def _read(self, session: Session, *others: int) -> list[int]:
        own = [session.master] if session.is_open else []
        ready = select.select([*own, *others], [], [], PATIENCE)[0]
        assert ready, (session.text[-500:], "a command has hung")
        if session.master in ready:
            session.sent += os.read(session.master, 1 << 16)
        return ready

    def hang_up(self, session: Session) -> None:
        """Closes the terminal."""
        if session.is_open:
            os.close(self._slave)
            os.close(session.master)
            session.is_open = False

    def run(self, *arguments: object, **options: Any) -> Session:
        """Runs a command to its end."""
        session = self.start(*arguments, **options)
        event = self.wait(session)
        assert "ended" in event, "a command has paused"
        return session


def shown(text: str, columns: int) -> list[str]:
    """The lines that a terminal shows which was sent this; no escapes but colors are known."""
    lines, row, column = [[" "] * columns], 0, 0
    for character in text:
        if character == "\n":
            lines.append([" "] * columns)
            row += 1
        elif character == "\r":
            column = 0
        else:
            assert character >= " ", f"an escape: {text!r}"
            if column == columns:
                lines.append([" "] * columns)
                row, column = row + 1, 0
            lines[row][column] = character
            column += 1
    return ["".join(line).rstrip() for line in lines]
