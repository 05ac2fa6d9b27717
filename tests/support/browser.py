"""A headless Chromium for tests of pages, driven through its debugging pipe.

The pipe needs no driver program and no package, so that any Chromium will do: an installed one, or
the one that `make test-page` brings and names in SKERRY_BROWSER.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    "--hide-scrollbars",
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--remote-debugging-pipe"),
)
PATIENCE = 60.0
"""Seconds until an answer of the browser counts as missing."""


@contextmanager
def browser(profile):
    """The pipe to a Chromium with a profile of its own; skips where there is no Chromium."""
    binary = os.environ.get("SKERRY_BROWSER")
    binary = binary or next(filter(None, map(shutil.which, BROWSERS)), None)
    if binary is None:
        pytest.skip("no Chromium is installed; `make test-page` brings one")
    command_read, command_write = os.pipe()
    answer_read, answer_write = os.pipe()

    def as_3_and_4():
        """The browser reads commands from descriptor 3 and answers on 4."""
        ours = os.dup(command_read), os.dup(answer_write)
        os.dup2(ours[0], 3)
        os.dup2(ours[1], 4)

    process = subprocess.Popen(
        [binary, *QUIET, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        close_fds=False,
        preexec_fn=as_3_and_4,
    )
    os.close(command_read)
    os.close(answer_write)
    try:
        yield Pipe(command_write, answer_read)
    finally:
        os.close(command_write)  # at the end of its commands the browser ends
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(answer_read)


class Pipe:
    """Commands to the browser and its answers: JSON objects that end in a zero byte."""

    def __init__(self, commands: int, answers: int) -> None:
        self.commands, self.answers = commands, answers
        self.number = 0
        self.unread = b""
        self.events: list[dict] = []

    def send(self, method, parameters=None, session=None):
        """The answer to a command; raises what the browser says is wrong."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters or {}}
        if session:
            command["sessionId"] = session
        rest = json.dumps(command).encode() + b"\0"
        while rest:
            rest = rest[os.write(self.commands, rest) :]
        while True:
            answer = self._read(method)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _read(self, method):
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.answers], [], [], PATIENCE)
            received = os.read(self.answers, 1 << 20) if ready else b""
            assert received, f"the browser does not answer {method}"
            self.unread += received
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)


class Page:
    """A page in a window of its own, with the queries of the tests."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        blank = {"url": "about:blank", "newWindow": True}
        target = pipe.send("Target.createTarget", blank)["targetId"]
        attached = pipe.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        self.session = attached["sessionId"]
        self.requests: list[str] = []
        self.messages: list[str] = []
        self.changed = False
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method, parameters=None):
        """A command of the debugging protocol, for this page."""
        return self.pipe.send(method, parameters, self.session)

    def open(self, path, width=1280, height=900):
        """Opens a file in a window of this size, and waits until it is drawn."""
        self._navigate(path.as_uri(), width, height)
        self.drawn()
        self.changed = False

    def visit(self, url, width=1280, height=900):
        """Opens an address in a window of this size, and waits until all of it is loaded."""
        self.run("document.documentElement.dataset.left = 'yes'")  # the page before
        self._navigate(url, width, height)
        self.until("document.readyState === 'complete' && !document.documentElement.dataset.left")

    def _navigate(self, url, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", size)
        self.send("Page.navigate", {"url": url})

    def until(self, condition):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.ask(condition):
            assert time.monotonic() < end, f"never: {condition}; {self.complaints()}"
            time.sleep(0.05)

    def prefer(self, scheme, motion="no-preference"):
        """Sets the theme of the system, and whether it asks for less motion."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]
        self.send("Emulation.setEmulatedMedia", {"features": features})

    def drawn(self):
        """Waits until all figures are drawn."""
        self.until("document.documentElement?.dataset.drawn === 'yes'")

    def ask(self, expression):
        """The value of an expression; of a promise, what it resolves to."""
        answer = self.send(
            "Runtime.evaluate",
            {"expression": f"({expression})", "returnByValue": True, "awaitPromise": True},
        )
        details = answer.get("exceptionDetails")
        assert details is None, details.get("exception", details).get("description", details)
        return answer["result"].get("value")

    def run(self, script):
        """Runs a script."""
        self.ask(f"(() => {{{script}}})()")

    def do(self, script):
        """Runs a script and waits until the page is drawn again."""
        self.changed = True
        self.run(script)
        self.drawn()

    def picture(self, path, *, full=False):
        """Writes a picture of the window, or of the full page."""
        taken = self.send("Page.captureScreenshot", {"captureBeyondViewport": full})
        if full:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
            parameters = {"captureBeyondViewport": True, "clip": clip}
            taken = self.send("Page.captureScreenshot", parameters)
        path.write_bytes(base64.b64decode(taken["data"]))

    def complaints(self):
        """Messages that the page wrote to its console since the last call."""
        self.ask("0")
        self._sort_events()
        messages, self.messages = self.messages, []
        return messages

    def outside(self):
        """Addresses of requests other than for the file itself or for data in it."""
        self._sort_events()
        return [url for url in self.requests if urlsplit(url).scheme not in ("file", "data")]

    def _sort_events(self):
        events, self.pipe.events = self.pipe.events, []
        for event in events:
            parameters = event.get("params", {})
            kind = event.get("method")
            if event.get("sessionId") != self.session:
                self.pipe.events.append(event)
                continue
            if kind == "Log.entryAdded":
                self.messages.append(parameters["entry"]["text"])
            elif kind == "Runtime.consoleAPICalled":
                arguments = (str(argument.get("value", "")) for argument in parameters["args"])
                self.messages.append(" ".join(arguments))
            elif kind == "Runtime.exceptionThrown":
                self.messages.append(json.dumps(parameters["exceptionDetails"]))
            elif kind == "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
