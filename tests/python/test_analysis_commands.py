"""The commands `kaon plot` and `kaon skim`."""

import json

import awkward as ak
import numpy as np
import pytest

import kaon


@pytest.fixture
def path(tmp_path):
    random = np.random.default_rng(5)
    counts = random.integers(0, 5, 1000)
    muons = ak.zip({"pt": ak.unflatten(random.uniform(0, 100, counts.sum()), counts)})
    with kaon.create(tmp_path / "events.kaon") as out:
        out["events"].extend({"Muon": muons, "met": random.uniform(0, 50, 1000)})
        out["runs"].extend({"number": [7]})
    return tmp_path / "events.kaon"


def test_plot_draws_in_the_terminal(command, path):
    status, out, messages = command("plot", path, "Muon.pt", "--bins", 20, "--range", 0, 100)
    assert (status, messages) == (0, "")
    lines = out.splitlines()
    values = ak.flatten(kaon.open(path)["events"].arrays("Muon").Muon.pt)
    assert lines[0] == f"Muon.pt, {len(values):,} entries"
    assert "█" in lines[-2] and lines[-1].split() == ["0", "100"]
    assert all(len(line) <= 80 for line in lines)


def test_plot_draws_bins_that_do_not_fit_together(command, path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    plot = ("plot", path, "met", "--range", 0, 50)
    coarse = command(*plot, "--bins", 25, "--compare", path)[1].splitlines()
    fine = command(*plot, "--bins", 50, "--compare", path)[1].splitlines()
    assert all(len(line) <= 40 for line in fine if " of " not in line) and fine[-1] == coarse[-1]
    assert fine[0] == f"{coarse[0]}, 50 bins in 25 columns" and fine[1:14] == coarse[1:14]
    status, _, messages = command(*plot, "--bins", 10**15)
    assert status == 1 and messages.startswith("kaon: Unable to allocate")


def test_plot_prints_the_drawn_numbers(command, path):
    arguments = ["max(Muon.pt)", "--cut", "count(Muon) > 0", "--weight", "met", "--bins", 4]
    status, out, _ = command("plot", path, *arguments, "--json")
    drawn = json.loads(out)["max(Muon.pt)"]
    events = kaon.open(path)["events"].arrays()
    events = events[ak.num(events.Muon) > 0]
    expected, _ = np.histogram(
        ak.to_numpy(ak.max(events.Muon.pt, axis=1)), drawn["edges"], weights=ak.to_numpy(events.met)
    )
    np.testing.assert_allclose(drawn["values"][1:-1], expected)
    assert drawn["values"][0] == drawn["values"][-1] == 0  # the range is that of the values


def test_plot_takes_the_other_name_of_a_member(command, path):
    """NanoAOD calls the member Muon_pt."""
    kaon.convert(path, path.with_suffix(".root"), format="ttree", lossy=True)
    for file in (path, path.with_suffix(".root")):
        values = [
            json.loads(command("plot", f"{file}:events", name, "--json")[1])[name]["values"]
            for name in ("Muon_pt", "Muon.pt", "Muon_pt + 0")
        ]
        assert values[0] == values[1] == values[2]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_plot_makes_pictures(command, path, tmp_path, suffix):
    picture = tmp_path / f"picture.{suffix}"
    status, out, messages = command("plot", path, "Muon.pt", "met", "--log", "-o", picture)
    assert (status, out, messages) == (0, "", "")
    assert picture.stat().st_size > 1000


@pytest.fixture
def other(path, tmp_path):
    """Every second event of the file, and none above 80."""
    events = kaon.open(path)["events"].arrays()[::2]
    with kaon.create(tmp_path / "other.kaon") as out:
        out["events"].extend({"Muon": events.Muon[events.Muon.pt < 80], "met": events.met})
    return tmp_path / "other.kaon"


def test_plot_compares_two_files(command, path, other):
    arguments = ["plot", path, "Muon.pt", "--compare", other, "--bins", 5, "--range", 0, 100]
    drawn = json.loads(command(*arguments, "--json")[1])["Muon.pt"]
    counts, expected = (
        np.histogram(
            ak.to_numpy(ak.flatten(kaon.open(of)["events"].arrays().Muon.pt)), 5, (0, 100)
        )[0]
        for of in (path, other)
    )
    assert drawn["values"][1:-1] == counts.tolist()
    assert drawn["compared_values"][1:-1] == expected.tolist()
    ratio = counts[:4] / expected[:4]
    np.testing.assert_allclose(drawn["ratio"][:4], ratio)
    errors = ratio * np.sqrt(1 / counts[:4] + 1 / expected[:4])
    np.testing.assert_allclose(drawn["ratio_errors"][:4], errors)
    assert drawn["ratio"][4] is drawn["ratio_errors"][4] is None  # there is nothing to divide by
    _, out, _ = command(*arguments)
    assert f"Muon.pt of {path}, {counts.sum():,} entries" in out
    assert f"Muon.pt of {other}, {expected.sum():,} entries" in out
    assert out.splitlines()[-1] == "     ratio " + "▲" * 13 * 4


def test_plot_draws_shares(command, path, other):
    arguments = ["plot", path, "met", "--normalise", "--compare", other, "--bins", 2]
    drawn = json.loads(command(*arguments, "--json")[1])["met"]
    assert sum(drawn["values"]) == pytest.approx(1)
    assert sum(drawn["compared_values"]) == pytest.approx(1)
    drawing = command(*arguments)[1]
    assert f"met of {path}, fractions of the entries" in drawing
    assert set(drawing.splitlines()[-1].split()[1]) == {"·"}


def test_plot_describes_its_picture(command, path):
    met = kaon.open(path)["events"]["met"].array()
    drawing = command("plot", path, "met", "--weight", "met")[1]
    assert drawing.startswith(f"met, sum of weights {ak.sum(met):g}")
    shares = command("plot", path, "met", "--normalise", "--log", "--bins", "4")[1]
    assert "█" in shares.splitlines()[-2]  # although all shares are below 1


def test_plot_with_a_logarithmic_axis(command, path):
    arguments = ["plot", path, "Muon.pt", "--log-x", "--bins", 3]
    drawn = json.loads(command(*arguments, "--range", 0.1, 100, "--json")[1])["Muon.pt"]
    np.testing.assert_allclose(drawn["edges"], [0.1, 1, 10, 100])
    values = ak.flatten(kaon.open(path)["events"].arrays().Muon.pt)
    assert (
        drawn["values"]
        == np.histogram(ak.to_numpy(values), [-1, 0.1, 1, 10, 100, 1000])[0].tolist()
    )
    assert "must begin above 0: set it with --range" in command(*arguments, "--range", 0, 100)[2]


def test_pictures_tell_units_widths_and_files(command, tmp_path):
    """The picture is text, so the test can find the words in it."""
    model = "schema_version: 1\ndatatypes:\n  Muon:\n    Description: d\n    Author: a\n"
    (tmp_path / "m.yaml").write_text(f"{model}    Members:\n      - float pt [GeV] // p\n")
    for name in ("a", "b"):
        with kaon.create(tmp_path / f"{name}.kaon", model=tmp_path / "m.yaml") as out:
            out["events"].extend({"Muons": [[{"pt": 1}, {"pt": 3}]]})
    picture = tmp_path / "p.svg"
    styles = ["--range", 0, 4, "--bins", 2, "-o", picture]
    for more, texts in (
        (styles, ["Muons.pt [GeV]", "Entries / 2 GeV", "a.kaon"]),
        ([*styles, "--log-x", "--range", 1, 4], ["Muons.pt [GeV]", "Entries / bin"]),
        (
            [*styles, "--compare", tmp_path / "b.kaon"],
            ["a.kaon", "b.kaon", "Ratio", "Muons.pt [GeV]"],
        ),
        (
            ["2 * Muons.pt", *styles, "--normalise"],
            ["Muons.pt, 2 * Muons.pt", "Share of entries / 2"],
        ),
        (
            ["max(abs(Muons.pt[:1]))", *styles],
            ["Muons.pt, max(abs(Muons.pt[:1])) [GeV]"],
        ),
    ):
        assert command("plot", tmp_path / "a.kaon", "Muons.pt", *more)[0] == 0
        drawn = picture.read_text()
        for text in texts:
            assert f"<!-- {text} -->" in drawn, text


def test_plot_draws_maxima_of_empty_lists_below_the_axis(command, path):
    events = kaon.open(path)["events"].arrays()
    greatest = ak.max(events.Muon.pt, axis=1)
    is_empty = ak.is_none(greatest)
    status, out, messages = command("plot", path, "max(Muon.pt)", "--bins", "10", "--json")
    assert (status, messages) == (0, "")
    bins = json.loads(out)["max(Muon.pt)"]
    assert bins["edges"][0] == pytest.approx(ak.min(greatest))
    assert bins["values"][0] == ak.sum(is_empty) > 0
    assert sum(bins["values"][1:-1]) == ak.sum(~is_empty)


def test_plot_stacks_samples_below_data(command, path, tmp_path):
    out = tmp_path / "stack.svg"
    files = ["--stack", f"other={path}", "--data", path, "--weight", "2 * met"]
    assert command("plot", path, "met", "2 * met", *files, "-o", out) == (
        1,
        "",
        "kaon: --stack and --data draw one expression, not 2\n",
    )
    assert command("plot", path, "met", *files)[2] == ("kaon: --stack and --data need -o PICTURE\n")
    assert command("plot", path, "max(Muon.pt)", *files, "-o", out) == (0, "", "")
    drawn = out.read_text()
    for text in ("other", path.stem, "Data", "Data / sum"):
        assert f"<!-- {text} -->" in drawn, text


def test_plot_reports_mistakes(command, path, tmp_path):
    assert command("plot", path, "Muon.pT")[0] == 1
    assert "did you mean 'pt'" in command("plot", path, "Muon.pT")[2]
    assert (
        "no drawn entry has a finite value" in command("plot", path, "met", "--cut", "met < 0")[2]
    )
    assert "picture.xyz" in command("plot", path, "met", "-o", tmp_path / "picture.xyz")[2]
    assert "no such" in command("plot", tmp_path / "none.kaon", "met")[2].lower()
    assert (
        "'Muon' has no numbers of its own; choose one of Muon.pt"
        in command("plot", path, "Muon")[2]
    )
    messages = command("plot", path, "met / 0 ", "--cut", "met > 0")[2]
    assert "no drawn entry has a finite value; set the limits of the axis" in messages
    for low, high in (("5", "1"), ("0", "inf")):
        messages = command("plot", path, "met", "--range", low, high)[2]
        assert messages.startswith(f"kaon: --range {low} {high}: give finite numbers, the")


def test_skim_writes_passing_entries(command, path, tmp_path):
    out_path = tmp_path / "skim.kaon"
    status, out, messages = command("skim", path, out_path, "--cut", "count(Muon) == 2")
    assert (status, messages) == (0, "")
    events = kaon.open(path)["events"].arrays()
    expected = events[ak.num(events.Muon) == 2]
    assert out.startswith(f"{out_path}: {len(expected)} entries, {len(expected) / 1000:.1%} of")
    written = kaon.open(out_path)["events"].arrays()
    assert ak.array_equal(written.Muon.pt, expected.Muon.pt)
    assert ak.array_equal(written.met, expected.met)
    assert kaon.verify(out_path).is_sound
    status, _, messages = command("skim", path, out_path)
    assert status == 1 and "exists already" in messages
    status, out, _ = command("skim", path, out_path, "--force", "--drop", "M*", "--json")
    assert json.loads(out)["entries"] == 1000
    assert kaon.open(out_path)["events"].keys() == ["met"]
    status, _, messages = command("skim", path, out_path, "--force", "--keep", "Muons")
    assert status == 1 and "did you mean 'Muon'" in messages


@pytest.mark.parametrize("option", ["--keep", "--drop"])
def test_skim_takes_one_pattern_an_option(command, path, tmp_path, option):
    new = tmp_path / "new.kaon"
    status, _, messages = command("skim", f"{path}:events", new, option, "Muon*", "met")
    name = option.removeprefix("--")
    assert status == 1
    assert messages == (
        f"kaon: --{name} takes one pattern, and 'met' is another argument: write "
        f"--{name} 'Muon*' --{name} met\n"
    )
    assert command("skim", f"{path}:events", option, "Muon*", new)[2] == ""


def test_a_missing_package_is_one_line(run_python, path, tmp_path):
    (tmp_path / "pyarrow.py").write_text("raise ImportError('absent', name='pyarrow')")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from kaon.command.cli import main; "
        "sys.exit(main())"
    )
    out = tmp_path / "out.parquet"
    done = run_python("-c", program, "convert", f"{path}:events", out)
    assert done.returncode == 1
    assert done.stderr == f"kaon: {out} needs pyarrow: pip install pyarrow\n"


def test_skim_lays_files_out(command, path, tmp_path):
    rows, tree = tmp_path / "rows.kaon", tmp_path / "tree.root"
    assert command("skim", path, tree, "--to", "ttree")[0] == 0
    assert b"TTree" in tree.read_bytes()
    assert command("skim", tree, rows, "--layout", "row", "--codec", "lz4")[0] == 0
    tables = {table.name: table.layout for table in kaon.open(rows)["events"]._schema.tables}
    assert tables["Muon"] == "row"


def test_skim_drops_members(command, tmp_path):
    muons = ak.Array([[{"pt": 1.0, "charge": 1}], []])
    with kaon.create(tmp_path / "muons.kaon") as out:
        out["events"].extend({"Muon": muons})
    paths = tmp_path / "muons.kaon", tmp_path / "skim.kaon"
    assert command("skim", *paths, "--drop", "Muon.charge")[0] == 0
    assert kaon.open(paths[1])["events"].arrays().Muon.fields == ["pt"]
    status, _, messages = command("skim", *paths, "--force", "--drop", "Muon.charg")
    assert status == 1 and "did you mean 'Muon.charge'" in messages


def test_skim_reads_several_files(command, path, tmp_path):
    kaon.convert(path, tmp_path / "more.root")
    both = [f"{path}:events", f"{tmp_path / 'more.root'}:events"]
    status, out, _ = command("skim", *both, tmp_path / "both.root", "--keep", "met")
    assert status == 0
    assert len(kaon.open(tmp_path / "both.root")["events"]) == 2000
