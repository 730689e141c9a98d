"""Friends of dataframes, which are columns of other files for the same events."""

import awkward as ak
import numpy as np
import pytest

import kaon

NUMBERS = np.arange(5000)
MET = NUMBERS % 97 * 1.0
SCALES = 1 + NUMBERS / 1e4


def lists(values, counts):
    return ak.unflatten(ak.zip({"x": np.repeat(values, counts)}), counts)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Events in two files, and their calibration in one file, in another order."""
    folder = tmp_path_factory.mktemp("friends")
    for name, some in {"a.kaon": NUMBERS[:3000], "b.root": NUMBERS[3000:]}.items():
        with kaon.create(folder / name) as out:
            out["events"].extend({"event": some, "met": MET[some], "Jet": lists(some, some % 3)})
    mixed = np.random.default_rng(1).permutation(NUMBERS)
    with kaon.create(folder / "calibration.kaon", cluster_entries=300) as out:
        tags = lists(mixed, mixed % 2)
        out["runs"].extend({"event": mixed, "scale": SCALES[mixed], "Tag": tags})
    return folder


@pytest.fixture
def events(folder):
    return kaon.dataset(
        [folder / "a.kaon", folder / "b.root"],
        "events",
        friends={"calibration": f"{folder / 'calibration.kaon'}:runs"},
        keys=["event"],
    )


def test_columns_of_a_friend_are_as_the_events_own(events):
    corrected = (
        events.vary("met", {"up": "met + 1"})
        .define("corrected", "met * calibration.scale")
        .filter("count(Jet) > 0 and count(calibration.Tag) == 1")
        .take("corrected")
    )
    passing = (NUMBERS % 3 > 0) & (NUMBERS % 2 == 1)
    assert corrected.value.tolist() == (MET * SCALES)[passing].tolist()
    assert corrected.variations()["up"].value.tolist() == ((MET + 1) * SCALES)[passing].tolist()
    tags = events.explode("calibration.Tag")
    assert tags.sum("calibration.Tag.x").value == NUMBERS[NUMBERS % 2 == 1].sum()


def test_columns_of_a_friend_are_written(events, tmp_path):
    path = tmp_path / "some.kaon"
    names = ["event", "calibration.scale", "calibration.Tag"]
    kaon.run(events.filter("met > 90").snapshot(path, names))
    written = kaon.open(path)["events"].arrays()
    assert written.event.tolist() == NUMBERS[MET > 90].tolist()
    assert written["calibration.scale"].tolist() == SCALES[MET > 90].tolist()
    assert ak.num(written["calibration.Tag"]).tolist() == (NUMBERS[MET > 90] % 2).tolist()


def test_a_friend_without_keys_has_the_same_order(folder, tmp_path):
    train = kaon.train.Train(kaon.dataset(folder / "a.kaon"), decisions=tmp_path / "decisions.kaon")
    train.add(tmp_path / "hard.kaon", "met > 50")
    train.run()
    decided = kaon.dataset(folder / "a.kaon", friends={"taken": tmp_path / "decisions.kaon"})
    assert (
        decided.filter("taken.hard").take("met").value.tolist()
        == MET[:3000][MET[:3000] > 50].tolist()
    )


def test_a_friend_may_be_open_already(folder):
    category = kaon.open(folder / "a.kaon")["events"]
    with open(folder / "a.kaon", "rb") as file:
        friends = {"one": category, "two": kaon.open(file)["events"]}
        same = kaon.dataset(category, friends=friends, keys="event")
        assert same.filter("one.met == met and two.met == met").count().value == 3000


def test_events_without_a_partner_are_an_error_or_empty(folder):
    def joined(**options):
        friends = {"other": f"{folder / 'b.root'}:events"}
        return kaon.dataset(folder / "a.kaon", friends=friends, keys=["event"], **options)

    with pytest.raises(
        kaon.errors.UsageError, match="has no entry for entry 0 of .*a.kaon.*, event 0;"
    ):
        joined()
    empty = joined(without_partner="empty").filter("other.met == 0 and count(other.Jet) == 0")
    assert empty.count().value == 3000


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"keys": ["event"]},
            kaon.errors.UsageError,
            "`keys` join `friends`, but no friends are given",
        ),
        (
            {"friends": ["b.root"]},
            kaon.errors.WrongTypeError,
            "friends as categories by name, such as",
        ),
        ({"friends": {"": "b.root"}}, kaon.errors.WrongTypeError, "friends as categories by name"),
        ({"friends": {"b": "c.root"}}, kaon.errors.MissingFileError, "c.root: cannot open"),
        ({"friends": {"b": "b.root:runs"}}, kaon.errors.UnknownNameError, "'runs'"),
        (
            {"friends": {"b": "b.root"}},
            kaon.errors.UsageError,
            "2,000 .*join them by keys that both have",
        ),
        (
            {"friends": {"b": "b.root"}, "keys": ["evnt"]},
            kaon.errors.UnknownNameError,
            "no integer 'evnt'.*did you mean 'event'",
        ),
        (
            {"friends": {"b": "b.root"}, "keys": ["event"], "without_partner": "none"},
            kaon.errors.UsageError,
            "without_partner must be 'error' or 'empty', not 'none'",
        ),
    ],
)
def test_reports_mistakes_with_friends(folder, monkeypatch, options, error, message):
    monkeypatch.chdir(folder)
    with pytest.raises(error, match=message):
        kaon.dataset("a.kaon", **options)
