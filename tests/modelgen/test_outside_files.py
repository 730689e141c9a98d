"""Extra code comes from the folder of the model, unless files outside it are allowed."""

from pathlib import Path

import pytest

from kaon.modelgen import ModelError, load_model
from kaon.modelgen.__main__ import main


def write(folder: Path, code: str) -> Path:
    folder.mkdir()
    path = folder / "model.yaml"
    path.write_text(
        "schema_version: 1\n"
        "datatypes:\n"
        "  Hit:\n"
        "    Description: d\n"
        "    Author: a\n"
        f"    ExtraCode:\n      {code}\n"
    )
    return path


@pytest.mark.parametrize("name", ["../secret.txt", "link/secret.txt", "{}"])
def test_files_outside_the_folder_need_an_option(tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("int secret();")
    name = name.format(secret)
    path = write(tmp_path / "models", f"declarationFile: {name}")
    (tmp_path / "models" / "link").symlink_to(tmp_path)
    with pytest.raises(ModelError, match="outside the folder of the model.*--outside-files"):
        load_model(path)
    assert main([str(path), "-o", str(tmp_path / "out")]) == 1
    allowed = load_model(path, outside_files=True)
    assert allowed.datatypes[0].extra_code.declaration == "int secret();"
    assert main([str(path), "-o", str(tmp_path / "out"), "--outside-files"]) == 0


@pytest.mark.parametrize("name", ["../secret.h", "/etc/passwd", "code/../../secret.h"])
def test_includes_of_files_outside_need_the_option(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "models", f"includes: '#include \"{name}\"'")
    with pytest.raises(ModelError, match=f"includes: '{name}' is outside the folder"):
        load_model(path)
    assert name in load_model(path, outside_files=True).datatypes[0].extra_code.includes


def test_files_in_the_folder_and_usual_includes_need_no_option(tmp_path: Path) -> None:
    path = write(
        tmp_path / "models", "declarationFile: code/../a.ipp\n      includes: '#include <cmath>'"
    )
    (tmp_path / "models" / "code").mkdir()
    (tmp_path / "models" / "a.ipp").write_text("int f();")
    assert load_model(path).datatypes[0].extra_code.declaration == "int f();"
