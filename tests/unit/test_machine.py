"""What the machine is called."""

from __future__ import annotations

import platform

from skerry.machine import processor

ARM = "processor\t: 0\nCPU implementer\t: {0}\nCPU part\t: {1}\n\nprocessor\t: 1\n"


def test_a_processor_has_the_name_that_linux_gives(tmp_path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Xeon: 8 cores\n")
    assert processor(str(tmp_path / "cpuinfo")) == "Xeon: 8 cores"


def test_a_processor_of_arm_is_named_by_its_number(tmp_path):
    (tmp_path / "cpuinfo").write_text(ARM.format("0x41", "0xd0c"))
    assert processor(str(tmp_path / "cpuinfo")) == "Neoverse-N1"


def test_an_unknown_processor_has_the_name_of_its_kind(tmp_path):
    other = platform.processor() or platform.machine()
    for numbers in (("0x41", "0x123"), ("0x61", "0xd0c")):
        (tmp_path / "cpuinfo").write_text(ARM.format(*numbers))
        assert processor(str(tmp_path / "cpuinfo")) == other
    assert processor(str(tmp_path / "nothing")) == other
