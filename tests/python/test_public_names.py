"""The public names of kaon. The list shows each change to reviewers."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import kaon
from kaon.moved_names import _PLACES

PUBLIC_NAMES = {
    "kaon": """
        Category Collection DataModel Dataframe Error File Frame Metadata __version__ append
        batches coffea concatenate convert create dask dataset decays decorate display
        errors follow good_runs infer_model interpret iterate load_model merge merge_metadata
        momenta open plot polars processor progress_bar record_reads recover referrers results
        root_dataframe run samples train verify
    """,
    "kaon.coffea": """
        nano_events runner
    """,
    "kaon.dask": """
        arrays dataframe
    """,
    "kaon.errors": """
        BadFileWarning CorruptFileError DamagedModelWarning Error ExistingFileError FileError
        FormatError IncompleteFileWarning LostMetadataWarning MemoryLimitError MissingFileError
        ModelError OutOfRangeError SeveralTypesWarning UnknownMemberError UnknownNameError
        UnreadMemberWarning UnusedOptionWarning UnwrittenFileWarning UsageError
        WrongTypeError
    """,
    "kaon.polars": """
        scan
    """,
    "kaon.results": """
        Accessed ArrowColumns BadFile Batches CategorySize Column ColumnSize CutFlow
        DamagedColumn Decays Efficiency FileObject FileSize Finding FlatArrays Frames Graph
        Members MergedCategory Pieces Processor RecoveredCategory Recovery Report Result
        SparseHistogram Statistics Verification WritableCategory WritableFile
    """,
    "kaon.samples": """
        clas12 nanoaod
    """,
    "kaon.train": """
        Plan Train TrainOutput TrainReport read_plan
    """,
}

REFERENCE = Path(__file__).resolve().parents[2] / "docs/reference/python.md"


@pytest.mark.parametrize("module", PUBLIC_NAMES)
def test_the_public_names_are_those_of_the_list(module):
    names = dir(import_module(module))
    assert [name for name in names if not re.match(r"__(?!version)", name)] == (
        PUBLIC_NAMES[module].split()
    )


def test_the_modules_are_those_of_the_list():
    modules = {f"kaon.{name}" for name in dir(kaon)} - {f"kaon.{name}" for name in kaon.__all__}
    assert {"kaon", *modules} == PUBLIC_NAMES.keys()


@pytest.mark.parametrize("module", PUBLIC_NAMES)
def test_no_name_is_hidden_by_a_module_that_is_imported_later(module):
    package = import_module(module)
    modules = {each.name for each in iter_modules(getattr(package, "__path__", []))}
    assert modules.isdisjoint(getattr(package, "__all__", []))


@pytest.mark.parametrize("module", PUBLIC_NAMES)
def test_all_names_exist(module):
    for name in PUBLIC_NAMES[module].split():
        assert getattr(import_module(module), name) is not None


def test_a_name_that_does_not_exist_raises():
    with pytest.raises(AttributeError, match=r"no 'recreate'; kaon's name is kaon\.create"):
        kaon.recreate  # noqa: B018
    with pytest.raises(AttributeError, match="'kaon' has no attribute 'opne'") as caught:
        kaon.opne  # noqa: B018
    assert (caught.value.name, caught.value.obj) == ("opne", kaon)  # so Python suggests `open`
    with pytest.raises(AttributeError, match=r"'kaon\.train' has no attribute 'Trian'"):
        kaon.train.Trian  # noqa: B018


def test_modules_need_no_import_of_their_own(run_python):
    code = "import kaon; print(kaon.train.Train.__name__, kaon.errors.Error is kaon.Error)"
    assert run_python("-c", code, check=True).stdout == "Train True\n"


def test_a_star_import_leaves_names_of_other_packages_alone(run_python):
    code = "dask = polars = None; from kaon import *; print(dask, polars, load_model.__name__)"
    assert run_python("-c", code, check=True).stdout == "None None load_model\n"


@pytest.mark.parametrize("name", _PLACES)
def test_names_of_earlier_versions_work_with_a_warning(name):
    module, new_name = _PLACES[name]
    with pytest.warns(DeprecationWarning, match=rf"is now kaon\.{module}\.{new_name};") as caught:
        assert getattr(kaon, name) is getattr(getattr(kaon, module), new_name)
    assert caught[0].filename == __file__


def test_the_reference_has_all_names():
    listed = re.findall(r"^::: (\S+)$", REFERENCE.read_text(), flags=re.MULTILINE)
    public = {
        f"{module}.{name}" for module in PUBLIC_NAMES for name in PUBLIC_NAMES[module].split()
    }
    assert sorted(listed) == sorted(
        public - {*PUBLIC_NAMES, "kaon.__version__", "kaon.errors.Error"}
    )
