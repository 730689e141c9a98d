"""The command `kaon sql`, which runs DuckDB over the categories of files."""

import json
import sys

import pyarrow.parquet
import pytest

import kaon
import kaon.command.sql


def test_sql_answers_with_a_table(command, path):
    statement = "select weight, len(Particles) as n, Particles[1].PDG as first from events"
    status, out, messages = command("sql", path, statement)
    assert (status, messages) == (0, "")
    rows = [line.split() for line in out.splitlines() if line.strip()]
    assert rows[0] == ["weight", "n", "first"]
    assert rows[2:] == [["0.5", "3", "23"], ["1.5", "0"], ["2.5", "1", "22"]]


def test_sql_shows_some_rows_and_says_that_there_are_more(command, path):
    _, out, _ = command("sql", path, "select weight from events", "-n", 2)
    assert "1.5" in out and "2.5" not in out
    assert out.endswith("... and more: --count and --json show them\n")
    assert "more than" not in command("sql", path, "select weight from events", "-n", 3)[1]


def test_sql_json_has_all_rows(command, path, contents, events):
    status, out, _ = command("sql", path, "select * from events", "--json", "-n", 1)
    assert (status, json.loads(out)) == (0, contents(events))
    _, out, _ = command("sql", path, "select 1.5 as x, date '2026-11-23' as day", "--json")
    assert json.loads(out) == [{"x": 1.5, "day": "2026-11-23"}]
    assert json.loads(command("sql", path, "select 1 from events where false", "--json")[1]) == []


def test_json_has_null_for_nan_and_infinities(command, path):
    statement = "select 'nan'::float x, [{'y': 'inf'::double}] z, 1.5 w"
    _, out, _ = command("sql", path, statement, "--json")
    assert json.loads(out, parse_constant=pytest.fail) == [
        {"x": None, "z": [{"y": None}], "w": 1.5}
    ]


def test_each_member_is_a_column_if_it_is_flat(command, path, events):
    statement = 'select sum(list_sum("Particles.momentum.x")) as px from events'
    _, out, _ = command("sql", path, statement, "--flat", "--json")
    assert json.loads(out) == [{"px": 3}]
    _, out, _ = command("sql", path, "describe events", "--flat", "--json")
    assert [column["column_name"] for column in json.loads(out)] == events.keys()


def test_categories_are_tables_and_files_are_joined(command, path, tmp_path):
    with kaon.create(tmp_path / "more.kaon") as out:
        out["events"].extend({"weight": [7.5], "extra": [1]})
    statement = "select count(*) as n, sum(weight) as w, count(extra) as e from events"
    _, out, _ = command("sql", path, tmp_path / "more.kaon", statement, "--json")
    assert json.loads(out) == [{"n": 4, "w": 12, "e": 1}]
    _, out, _ = command("sql", tmp_path / "*.kaon", statement, "--json")
    assert json.loads(out) == [{"n": 4, "w": 12, "e": 1}]
    statement = "select sum(a.weight + b.number) as x from a, b where b.number = 8"
    _, out, _ = command("sql", f"a={path}", f"b={path}:runs", statement, "--json")
    assert json.loads(out) == [{"x": 4.5 + 3 * 8}]


def test_only_needed_columns_are_read(command, path):
    raw = bytearray(path.read_bytes())
    raw[raw.index("größte".encode()) + 2] ^= 1  # a page of `title` does not match its checksum
    path.write_bytes(raw)
    for statement in (
        "select count(*) as n from events",
        "with all_of_it as (select * from events) select count(weight) as n from all_of_it",
        "select count(a.weight) as n from events a join events b using (weight)",
    ):
        assert json.loads(command("sql", path, statement, "--json")[1]) == [{"n": 3}]
    status, out, messages = command("sql", path, "select count(title) from events")
    assert (status, out) == (1, "")
    assert "checksum" in messages and "title" in messages


def test_columns_that_no_plan_names_are_no_data(command, path, monkeypatch):
    plan = kaon.command.sql.wanted_columns
    monkeypatch.setattr(
        kaon.command.sql, "wanted_columns", lambda *asked: dict.fromkeys(plan(*asked), set())
    )
    status, out, messages = command("sql", path, "select sum(weight) from events")
    assert (status, out) == (1, "")
    assert "this column is not read" in messages


def test_names_that_sql_takes_for_the_same_get_numbers(command, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["events"].extend({"met": [1.5], "MET": [2.5]})
    statement = 'select "MET_1" as x from events'
    assert json.loads(command("sql", tmp_path / "a.kaon", statement, "--json")[1]) == [{"x": 2.5}]


def test_results_can_be_written(command, path, tmp_path):
    written = tmp_path / "out.parquet"
    status, _, _ = command("sql", path, f"copy (select weight from events) to '{written}'")
    assert status == 0
    assert pyarrow.parquet.read_table(written)["weight"].to_pylist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("select wait from events", 'kaon: Binder Error: Referenced column "wait" not found'),
        ("select 1 from event", "kaon: Catalog Error: Table with name event does not exist!"),
        ("selec 1", "kaon: Parser Error: "),
        ("select 1; select 2", "kaon: give one statement of SQL, not 2"),
        ("", "kaon: give one statement of SQL, not 0"),
        ("select path from events", 'kaon: Binder Error: Referenced column "path" not found'),
    ],
)
def test_mistakes_in_statements(command, path, statement, message):
    status, out, messages = command("sql", path, statement)
    assert (status, out) == (1, "")
    assert messages.startswith(message)
    assert "explain" not in messages


def test_tables_that_are_not_there_are_told_from_those_that_are(command, path):
    status, _, messages = command("sql", path, "select * from event")
    assert status == 1 and messages.endswith("does not exist!\n  the tables are: events, runs\n")


def test_a_table_of_its_own_name_is_of_one_category(command, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["one"].extend({"x": [1]})
        out["two"].extend({"x": [1]})
    status, _, messages = command("sql", f"t={tmp_path / 'a.kaon'}", "select * from t")
    assert status == 1
    assert "name one of the categories one, two: NAME=FILE:CATEGORY" in messages


def test_folders_may_be_called_as_if_they_named_a_table(command, tmp_path, monkeypatch):
    (tmp_path / "run=7").mkdir()
    with kaon.create(tmp_path / "run=7/a.kaon") as out:
        out["events"].extend({"x": [1, 2]})
    monkeypatch.chdir(tmp_path)
    for path in ("run=7/a.kaon", "run=7/*.kaon", "run=7/a.kaon:events"):
        status, out, _ = command("sql", path, "select sum(x) as total from events", "--json")
        assert status == 0 and json.loads(out) == [{"total": 3}]


def test_tables_must_differ_by_more_than_case(command, path, tmp_path):
    with kaon.create(tmp_path / "a.kaon") as out:
        out["Events"].extend({"x": [1]})
    status, _, messages = command("sql", path, tmp_path / "a.kaon", "select * from events")
    assert status == 1
    assert (
        "SQL does not distinguish the tables 'events' and 'Events': rename one with NAME=FILE"
        in messages
    )


def test_duckdb_is_needed(command, path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "kaon.command.sql")
    status, _, messages = command("sql", path, "select 1")
    assert (status, messages) == (1, "kaon: SQL needs DuckDB: pip install duckdb\n")
