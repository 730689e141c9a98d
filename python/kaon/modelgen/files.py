"""The files that are generated from a model."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from kaon.modelgen.model import Model
from kaon.modelgen.names import (
    component_classes,
    datatype_classes,
    enum_classes,
    implemented_classes,
    interface_classes,
    link_classes,
)
from kaon.modelgen.parse import load_model
from kaon.modelgen.yaml_text import to_yaml

_MARK = "Made by kaon from "


def check_name(name: str) -> None:
    """Check that a model's name can be the name of a folder and a header.

    Raises
    ------
    ValueError
        If it cannot be.
    """
    if not re.fullmatch(r"\w[\w.+-]*", name, re.ASCII):
        raise ValueError(f"'{name}' cannot be the name of a folder and a header")


def generated_files(model: Model, output_dir: str | os.PathLike[str]) -> list[Path]:
    """Return the absolute paths of all files that are generated for a model."""
    headers = [name for component in model.components for name in component_classes(component)]
    headers += [name for datatype in model.datatypes for name in datatype_classes(datatype)]
    headers += [name for enum in model.enums for name in enum_classes(enum)]
    headers += [name for interface in model.interfaces for name in interface_classes(interface)]
    headers += [name for link in model.links for name in link_classes(link)]
    sources = [name for datatype in model.datatypes for name in implemented_classes(datatype)]
    folder = Path(output_dir).absolute() / model.name
    return [
        *(folder / f"{name}.h" for name in (*headers, model.name)),
        *(folder / f"{name}.cc" for name in (*sources, model.name)),
        folder / f"{model.name}.model.yaml",
    ]


def generate(
    model_path: str | os.PathLike[str],
    output_dir: str | os.PathLike[str],
    name: str | None = None,
    upstream: Iterable[str] = (),
    version: str = "",
    evolution: str | os.PathLike[str] | None = None,
    outside_files: bool = False,
    list_ranges: bool = False,
) -> list[Path]:
    """Generate the C++ classes of a model.

    A further file is ``NAME.model.yaml``: the whole model in one file, including extra code and
    migrations from other files. It is installed with the headers, for models that use this one.

    Files that are up to date are not touched, so nothing is compiled without need. Files of an
    earlier run that the model no longer needs are removed.

    Parameters
    ----------
    model_path
        The YAML file.
    output_dir
        The folder in which the model gets its folder; it is created if it does not exist.
    name
        The name of the model and its folder; by default the name of the file without its suffix.
    upstream, version, evolution, outside_files
        As in `load_model`.
    list_ranges
        Whether structs have the members ``LIST_begin`` and ``LIST_end`` for each of their lists,
        as podio's have. Only columns of ROOT's RDataFrame set them.

    Returns
    -------
    list of Path
        All files of the model, with absolute paths.

    Raises
    ------
    ModelError
        If the model has mistakes; then no file is touched.
    ValueError
        If the name cannot be the name of a folder; if a member has the name of a list's range;
        and in the cases of `load_model`.
    """
    from kaon.modelgen.render import render  # Only writing a model needs Jinja2.

    model = load_model(model_path, name, upstream, version, evolution, outside_files)
    check_name(model.name)
    texts = render(model, list_ranges)
    texts[f"{model.name}.model.yaml"] = to_yaml(model)
    files = generated_files(model, output_dir)
    folder = files[0].parent
    if Path(model_path).resolve() in (file.resolve() for file in files):
        raise ValueError(f"generating would overwrite {model_path}: choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        sign = "#" if file.suffix == ".yaml" else "//"
        first_line = f"{sign} {_MARK}{Path(model_path).name}; edits will be lost.\n"
        _write(file, first_line + texts[file.name])
    for file in set(folder.iterdir()) - set(files):
        if _is_ours(file):
            file.unlink()
    return files


def _write(file: Path, text: str) -> None:
    content = text.encode()
    if file.is_file() and file.read_bytes() == content:
        return
    # A compiler that runs at the same time sees the old file or the new one, never a part.
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def _is_ours(file: Path) -> bool:
    if not file.is_file() or file.is_symlink():
        return False
    with file.open("rb") as opened:
        return opened.readline(200).lstrip(b"#/ ").startswith(_MARK.encode())
