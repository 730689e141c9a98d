"""Scripts that a Python with ROOT runs, as tests judge files by."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest


def root_python() -> str:
    """Return a Python that has ROOT."""
    usual = Path(__file__).parents[2] / "build/root-venv/bin/python"
    path = os.environ.get("KAON_ROOT_PYTHON", str(usual))
    if not Path(path).exists():
        pytest.skip("needs ROOT: name a Python that has it in KAON_ROOT_PYTHON")
    return path


def by_root(script: str, path: Path) -> Any:
    """Run a script with ROOT, which leaves `result`; there must be no message of any kind."""
    text = f"import json, sys, ROOT\npath = sys.argv[1]\n{script}\nprint(json.dumps(result))"
    command = [root_python(), "-W", "ignore", "-c", text, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert run.stderr == ""
    assert run.returncode == 0
    return json.loads(run.stdout.splitlines()[-1])
