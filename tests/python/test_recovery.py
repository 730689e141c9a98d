"""Reading, copying and appending to damaged files without their damaged data."""

import json
import os
import warnings

import numpy as np
import pytest

import kaon

VALUES = np.random.default_rng(1).random(40_000)


@pytest.fixture
def damaged(tmp_path):
    """A file with 40 clusters of one column, and one flipped bit in a page."""
    path = tmp_path / "damaged.kaon"
    with kaon.create(path, cluster_entries=1000) as out:
        out["events"].extend({"x": VALUES})
    flip_bit(path, path.stat().st_size // 2)
    return path


def flip_bit(path, position):
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def check_rest(path):
    """Check that a sound file has all values but those of one cluster."""
    assert kaon.verify(path).is_sound
    found = kaon.open(path)["events"].arrays().x.to_numpy()
    assert len(found) == 39_000
    assert np.array_equal(found, VALUES[np.isin(VALUES, found)])


def test_one_flipped_bit_loses_one_cluster(damaged, tmp_path):
    out = tmp_path / "out.kaon"
    report = kaon.recover(damaged, out)
    check_rest(out)
    assert [(each.name, each.entries, each.lost_entries) for each in report.categories] == [
        ("events", 39_000, 1000)
    ]
    assert [(each.name, each.damaged_entries) for each in report.columns] == [("x", 1000)]
    assert report.lost_bytes == report.columns[0].damaged_bytes > 0
    assert not report.is_sound


def test_convert_skips_damage(damaged, tmp_path):
    out = tmp_path / "out.kaon"
    with pytest.raises(kaon.errors.CorruptFileError):
        kaon.convert(damaged, out)
    with pytest.warns(kaon.errors.IncompleteFileWarning, match="1,000 left out"):
        kaon.convert(damaged, out, on_damage="skip")
    check_rest(out)


def test_the_commands(command, damaged, tmp_path):
    out = tmp_path / "out.kaon"
    status, text, messages = command("recover", damaged, out)
    assert (status, messages) == (0, "")
    assert text.splitlines()[1:] == [
        "  events: 39,000 entries kept, 1,000 left out",
        "  events: 'x' is damaged in 1,000 entries",
    ]
    check_rest(out)
    status, text, _ = command("recover", damaged, out, "--force", "--json")
    assert json.loads(text)["categories"] == [
        {"name": "events", "entries": 39_000, "lost_entries": 1000}
    ]
    status, _, messages = command("convert", "--skip-damaged", damaged, out, "--force")
    assert status == 0
    assert "1,000 left out" in messages
    check_rest(out)


def test_a_file_without_its_first_bytes(damaged, tmp_path):
    flip_bit(damaged, 1)
    with pytest.raises(kaon.errors.FormatError, match="`kaon recover` finds the sound data"):
        kaon.open(damaged)
    kaon.recover(damaged, tmp_path / "out.kaon")
    check_rest(tmp_path / "out.kaon")


def test_opened_files_have_the_report(damaged):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kaon.errors.IncompleteFileWarning)
        file = kaon.open(damaged, on_damage="skip")
    assert file.recovery.categories[0].lost_entries == 1000
    assert not file.is_complete
    assert len(file["events"]) == 39_000
    assert kaon.open(damaged).recovery is None


def test_sound_files_are_read_without_a_warning(tmp_path):
    path = tmp_path / "sound.kaon"
    with kaon.create(path) as out:
        out["events"].extend({"x": VALUES})
    file = kaon.open(path, on_damage="skip")
    assert file.recovery.is_sound
    assert file.is_complete


def test_damage_of_other_formats_cannot_be_skipped(damaged, tmp_path):
    path = tmp_path / "x.root"
    with pytest.warns(kaon.errors.IncompleteFileWarning):
        kaon.convert(damaged, path, on_damage="skip")
    with pytest.raises(kaon.errors.UsageError, match="only damage of .kaon files"):
        kaon.open(path, on_damage="skip")
    with pytest.raises(kaon.errors.UsageError, match="on_damage='ignore' is unknown"):
        kaon.open(path, on_damage="ignore")


def test_appending_keeps_sound_clusters_behind_damage(damaged):
    end = damaged.stat().st_size
    os.truncate(damaged, end - 8)  # the end is lost, too
    with pytest.warns(kaon.errors.IncompleteFileWarning, match="is kept as .*damaged.kaon.damaged"):
        with kaon.append(damaged) as out:
            out["events"].extend({"x": [2.0]})
    assert kaon.verify(damaged).is_sound
    found = kaon.open(damaged)["events"].arrays().x.to_numpy()
    assert len(found) == 39_001
    assert np.array_equal(found[:-1], VALUES[np.isin(VALUES, found)])
    kept = damaged.with_name("damaged.kaon.damaged")
    assert kept.stat().st_size == end - 8
