"""The browser of `make test-page`: what comes from the registry is checked before it is run."""

from __future__ import annotations

import importlib.util
import io

import pytest

from lab.paths import LAB


@pytest.fixture
def get_browser():
    path = LAB / "tools/get_browser.py"
    spec = importlib.util.spec_from_file_location("get_browser", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_package_with_another_digest_is_not_unpacked(get_browser, monkeypatch, tmp_path):
    monkeypatch.setattr("urllib.request.urlopen", lambda _: io.BytesIO(b"another package"))
    with pytest.raises(SystemExit, match="has the SHA-512"):
        get_browser.packaged_browser(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_machine_without_a_browser_is_an_error(get_browser, monkeypatch, capsys):
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SystemExit, match="install Chromium"):
        get_browser.main()
    assert capsys.readouterr().out == ""
