"""A headless browser for tests of the page, where one is installed."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

__all__ = ["Page", "browser"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@contextmanager
def browser(profile):
    """A driver of Chromium with a profile of its own; skips where there is none."""
    selenium = pytest.importorskip("selenium", reason="selenium is not installed")
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    program = shutil.which("chromedriver")
    if binary is None or program is None:
        pytest.skip("no Chromium, or no chromedriver, is installed")
    del selenium
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in (*QUIET, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(program))
    try:
        yield Page(driver)
    finally:
        driver.quit()


class Page:
    """A page in the browser, with the queries of the tests."""

    def __init__(self, driver) -> None:
        self.driver = driver
        self.requests: list[str] = []
        self.changed = False

    def open(self, path, width=1280, height=900):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get(path.as_uri())
        self.drawn()
        self.changed = False

    def prefer(self, scheme):
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def drawn(self):
        """Waits until all figures are drawn."""
        until = time.monotonic() + 60
        while self.ask("document.documentElement.dataset.drawn") != "yes":
            assert time.monotonic() < until, f"not drawn in time: {self.complaints()}"
            time.sleep(0.05)

    def ask(self, expression):
        """The value of an expression."""
        return self.driver.execute_script(f"return ({expression})")

    def do(self, script):
        """Runs a script and waits until the page is drawn again."""
        self.changed = True
        self.driver.execute_script(script)
        self.drawn()

    def choose(self, menu, value):
        """Selects a value of a select element."""
        self.do(
            f"const s = document.getElementById('{menu}'); s.value = '{value}';"
            "s.dispatchEvent(new Event('change'))"
        )

    def reset(self):
        """Restores the state in which the page was opened."""
        self.driver.execute_script("document.querySelector('button[data-theme=\"\"]').click()")
        self.prefer("light")
        if self.changed:
            self.do("document.getElementById('reset').click()")
            self.changed = False

    def complaints(self):
        """Messages that the page wrote to its console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def outside(self):
        """Addresses of requests other than for the file itself or for data in it."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            parameters = message["params"]
            # The browser's own start page makes requests too.
            of_page = parameters.get("documentURL", "").startswith("file:")
            if message["method"] == "Network.requestWillBeSent" and of_page:
                self.requests.append(parameters["request"]["url"])
        return [url for url in self.requests if urlsplit(url).scheme not in ("file", "data")]
