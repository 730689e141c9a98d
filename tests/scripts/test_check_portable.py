"""Functions and flags that only Linux has are found, unless they have an alternative."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/check-portable.py"
SPEC = importlib.util.spec_from_file_location("check_portable", SCRIPT)
assert SPEC and SPEC.loader
check_portable = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_portable)


def found(path: str, text: str) -> list[tuple[int, str]]:
    return list(check_portable.offences(Path(path), text))


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        ("src/kaon/batch/Batches.cpp", "::open(p, O_TMPFILE);", "O_TMPFILE: use a function"),
        ("src/kaon/batch/Batches.cpp", "#ifdef X\n::memfd_create(n, 0);\n#endif", "memfd_create"),
        ("src/kaon/train/Train.cpp", 'std::ifstream file("/proc/meminfo");', "/proc/: use a"),
        ("src/kaon/io/ByteSink.cpp", "#include <sys/sendfile.h>", "<sys/sendfile.h>: add #ifdef"),
        (
            "cmake/KaonX.cmake",
            "if(UNIX)\n  target_link_options(x -Wl,--as-needed)\nendif()",
            "-Wl,",
        ),
    ],
)
def test_uses_of_one_system_are_found(path: str, text: str, message: str) -> None:
    ((_, told),) = found(path, text)
    assert message in told


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/kaon/io/ByteSink.cpp", "#ifdef O_TMPFILE\n::open(p, O_TMPFILE);\n#endif"),
        ("src/kaon/base/AvailableMemory.cpp", 'std::ifstream file("/proc/meminfo");'),
        ("src/kaon/batch/Batches.cpp", "// as memfd_create does\nint syscalls = 0;"),
        ("cmake/KaonX.cmake", "if(NOT APPLE)\n  target_link_options(x -Wl,--as-needed)\nendif()"),
    ],
)
def test_uses_with_an_alternative_are_not(path: str, text: str) -> None:
    assert found(path, text) == []
