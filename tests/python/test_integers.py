"""Results of integers beyond 2**53, which doubles cannot hold."""

import numpy as np
import pytest

import kaon

BIG = 2**53 + 1


@pytest.fixture
def frame(tmp_path):
    data = {
        "time": np.array([BIG, BIG + 2, 4], np.int64),
        "id": np.array([2**63 + 1, 5, 7], np.uint64),
        "small": np.array([-3, 2, 2], np.int16),
        "flag": np.array([True, False, True]),
        "x": np.array([0.5, 1.5, 2.5], np.float32),
    }
    with kaon.create(tmp_path / "a.kaon", cluster_entries=1) as out:
        out["events"].extend(data)
    return kaon.dataset(tmp_path / "a.kaon:events")


@pytest.mark.parametrize(
    ("column", "total", "least", "greatest"),
    [
        ("time", 2 * BIG + 6, 4, BIG + 2),
        ("id", 2**63 + 13, 5, 2**63 + 1),
        ("small", 1, -3, 2),
        ("flag", 2, 0, 1),
        ("x", 4.5, 0.5, 2.5),
        ("min(time, id)", BIG + 9, 4, BIG),
        ("max(time, id)", 2**63 + 1 + BIG + 2 + 7, 7, 2**63 + 1),
    ],
)
def test_sums_and_extremes_are_exact(frame, column, total, least, greatest):
    results = frame.sum(column), frame.min(column), frame.max(column), frame.stats(column)
    kaon.run(*results)
    values = [*(result.value for result in results[:3]), results[3].value.min, results[3].value.max]
    assert values == [total, least, greatest, least, greatest]
    assert {type(value) for value in values} == {float if column == "x" else int}


def test_means_are_those_of_exact_sums(frame):
    assert frame.mean("time").value == (2 * BIG + 6) / 3
    assert frame.mean("id").value == (2**63 + 13) / 3
    late = frame.define("late", "time + 2 ** 61").filter("small > 0")  # the difference is BIG - 2
    assert late.stats("late").value.deviation == pytest.approx((BIG - 2) / np.sqrt(2), rel=1e-15)


def test_sums_beyond_64_bits_are_errors_of_their_own(frame):
    count, late = frame.count(), frame.define("late", "id | 9223372036854775808").sum("late")
    with pytest.raises(kaon.errors.WrongTypeError, match="the sum of 'late' is beyond uint64"):
        late.value  # noqa: B018
    assert "is beyond uint64" in repr(late)
    assert "is beyond uint64" in late._repr_html_()
    assert count.is_done and count.value == 3


def test_cut_flows_add_integers_exactly(frame):
    cuts = frame.filter("x > 1", label="late").report("time")
    assert [cut[:5] for cut in cuts.cuts] == [("late", 3, 2, 2 * BIG + 6, BIG + 6)]
    assert str(2 * BIG + 6) in str(cuts)
    assert [type(of) for of in frame.filter("x > 1").report().cuts[0][1:5]] == [int] * 4
