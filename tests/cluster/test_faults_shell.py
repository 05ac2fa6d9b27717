"""``skerry components --engine`` at a terminal: progress, Ctrl-C, and the same command again."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow.parquet as pq
import pyspark
import pytest

import skerry
from cluster.conftest import edges, expected

STOP_SECONDS = 60
"""On a loaded machine; a quiet one takes a few."""
MASTERS = {"ray": [], "spark": ["--master", "local-cluster[2,1,1024]"]}


class Terminal:
    """A command at a terminal of its own, and what it shows there."""

    def __init__(self, *command):
        screen, end = pty.openpty()
        self.process = subprocess.Popen(
            command,
            env=environment(),
            stdin=end,
            stdout=end,
            stderr=end,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(end)
        self.text = ""
        self.reader = threading.Thread(target=self.read, args=(screen,), daemon=True)
        self.reader.start()

    def read(self, screen):
        while True:
            try:
                data = os.read(screen, 4096)
            except OSError:  # all that had the terminal have ended
                return
            if not data:
                return
            self.text += data.decode(errors="replace")

    def wait_for(self, words, seconds=300):
        end = time.monotonic() + seconds
        while words not in self.text:
            assert self.process.poll() is None, self.text
            assert time.monotonic() < end, self.text
            time.sleep(0.02)

    def ended(self, seconds=600):
        code = self.process.wait(seconds)
        self.reader.join(5)
        return code


def environment():
    """What a cluster on this machine needs to run the sources of this folder."""
    path = os.pathsep.join(
        [str(Path(skerry.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    )
    settings = {
        "spark.executorEnv.PYTHONPATH": path,
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_SUBMIT_ARGS": " ".join(
            [*(f"--conf {name}={value}" for name, value in settings.items()), "pyspark-shell"]
        ),
    }


@pytest.mark.parametrize("engine", MASTERS)
def test_ctrl_c_stops_a_run_that_the_same_command_goes_on_with(tmp_path, engine):
    table = edges(600_000, 400_000)
    pq.write_table(table, tmp_path / "edges.parquet", row_group_size=100_000)
    command = [
        *(sys.executable, "-m", "skerry", "components", str(tmp_path / "edges.parquet")),
        *("--source", "src", "--target", "dst", "--limit-memory", "48MB"),
        *("--engine", engine, *MASTERS[engine], "--state", str(tmp_path / "state")),
        *("--output", str(tmp_path / "out")),
    ]
    first = Terminal(*command)
    first.wait_for("skerry: labels after 1 rounds")
    began = time.monotonic()
    os.killpg(first.process.pid, signal.SIGINT)  # as a terminal does: to all of them
    assert first.ended() == 130, first.text
    assert time.monotonic() - began < STOP_SECONDS
    assert "skerry: stopped" in first.text
    assert "bug" not in first.text
    assert not (tmp_path / "out").exists()
    second = Terminal(*command)
    assert second.ended() == 0, second.text
    assert "rounds were done by an earlier run" in re.sub(r"\s+", " ", second.text)
    assert "skerry: round 1" not in second.text
    assert (tmp_path / "out" / "_SUCCESS").exists()
    written = pq.read_table(tmp_path / "out").sort_by("id").to_pydict()
    rows = list(zip(written["id"], written["component"], strict=True))
    assert rows == expected(table, source="src", target="dst")
