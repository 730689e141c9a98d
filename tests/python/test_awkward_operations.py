"""Operations of Awkward Array on kaon's arrays and on its own arrays: results are the same."""

import awkward as ak
import numpy as np
import pytest

import kaon

MODEL = """
schema_version: 1
options: { getSyntax: true }
components:
  ops::Vector:
    Members: [double x, double y]
datatypes:
  ops::Hit:
    Description: "A hit"
    Author: "kaon"
    Members:
      - double energy // deposited
      - int64_t cell // where
      - std::optional<double> time // when
      - std::optional<ops::Vector> at // where exactly
"""

EVENTS = [
    [
        {"energy": 3.5, "cell": 7, "time": 1.5, "at": {"x": 1.0, "y": 2.0}},
        {"energy": 1.0, "cell": 2, "time": None, "at": None},
        {"energy": 2.0, "cell": 7, "time": 0.5, "at": {"x": 3.0, "y": 4.0}},
    ],
    [],
    None,
    [{"energy": 9.0, "cell": 1, "time": None, "at": None}],
    [
        {"energy": 4.0, "cell": 3, "time": 2.5, "at": {"x": 5.0, "y": 6.0}},
        {"energy": 5.0, "cell": 2, "time": 4.5, "at": None},
    ],
    None,
]
MET = [1.0, 20.0, 3.0, 40.0, 5.0, 60.0]


def masked(values):
    return values.mask[values > 2]


OPERATIONS = {
    # Events that lack their hits.
    "pad_none": lambda a: ak.pad_none(a.Hits.energy, 2, axis=1),
    "pad_none, clip": lambda a: ak.pad_none(a.Hits.energy, 2, axis=1, clip=True),
    "pad_none of objects": lambda a: ak.pad_none(a.Hits, 4, axis=1).energy,
    "pad_none and fill": lambda a: ak.fill_none(ak.pad_none(a.Hits.energy, 2, axis=1), -1, axis=1),
    "pad_none of events": lambda a: ak.pad_none(a.Hits.energy, 8, axis=0),
    "fill_none": lambda a: ak.fill_none(a.Hits.energy, [], axis=0),
    "fill_none everywhere": lambda a: ak.fill_none(a.Hits.energy, -1.0, axis=None),
    "drop_none": lambda a: ak.drop_none(a.Hits.energy, axis=0),
    "drop_none of all": lambda a: ak.drop_none(a.Hits.time),
    "is_none": lambda a: ak.is_none(a.Hits),
    "is_none of lists": lambda a: ak.is_none(a.Hits.energy, axis=1),
    "num": lambda a: ak.num(a.Hits, axis=1),
    "num of members": lambda a: ak.num(a.Hits.energy),
    "count": lambda a: ak.count(a.Hits.energy, axis=1),
    "count of padded": lambda a: ak.count(ak.pad_none(a.Hits.energy, 2, axis=1), axis=1),
    "sum": lambda a: ak.sum(a.Hits.energy, axis=1),
    "sum of padded": lambda a: ak.sum(ak.pad_none(a.Hits.energy, 3, axis=1), axis=1),
    "prod": lambda a: ak.prod(a.Hits.cell, axis=1),
    "mean": lambda a: ak.mean(a.Hits.energy, axis=1),
    "var": lambda a: ak.var(a.Hits.energy, axis=1),
    "max": lambda a: ak.max(a.Hits.energy, axis=1),
    "min": lambda a: ak.min(a.Hits.energy, axis=1),
    "any": lambda a: ak.any(a.Hits.energy > 3, axis=1),
    "all": lambda a: ak.all(a.Hits.energy > 3, axis=1),
    "argmax": lambda a: ak.argmax(a.Hits.energy, axis=1),
    "argmin": lambda a: ak.argmin(a.Hits.energy, axis=1),
    "argmax, kept": lambda a: a.Hits.energy[ak.argmax(a.Hits.energy, axis=1, keepdims=True)],
    "sort": lambda a: ak.sort(a.Hits.energy, axis=1),
    "sort, falling": lambda a: ak.sort(a.Hits.energy, axis=1, ascending=False),
    "argsort": lambda a: ak.argsort(a.Hits.energy, axis=1),
    "by argsort": lambda a: a.Hits[ak.argsort(a.Hits.energy, axis=1)].cell,
    "flatten": lambda a: ak.flatten(a.Hits.energy, axis=1),
    "flatten all": lambda a: ak.flatten(a.Hits.energy, axis=None),
    "ravel": lambda a: ak.ravel(a.Hits.cell),
    "cartesian": lambda a: ak.cartesian({"a": a.Hits.energy, "b": a.Hits.cell}, axis=1),
    "cartesian with met": lambda a: ak.cartesian([a.Hits.energy, ak.singletons(a.met)], axis=1),
    "combinations": lambda a: ak.combinations(a.Hits.energy, 2, axis=1),
    "combinations of objects": lambda a: ak.combinations(a.Hits, 2, fields=["a", "b"]).b.cell,
    "argcombinations": lambda a: ak.argcombinations(a.Hits.energy, 2, axis=1),
    "zip": lambda a: ak.zip({"e": a.Hits.energy, "c": a.Hits.cell}),
    "zip with met": lambda a: ak.zip({"e": a.Hits.energy, "m": a.met}),
    "broadcast": lambda a: ak.broadcast_arrays(a.met, a.Hits.energy)[0],
    "met times": lambda a: a.met * a.Hits.energy,
    "sum of members": lambda a: a.Hits.energy + a.Hits.cell,
    "mask by hits": lambda a: a.Hits.energy[a.Hits.energy > 2],
    "mask by none": lambda a: masked(ak.fill_none(a.Hits.energy, [], axis=0)),
    "mask by events": lambda a: a.Hits.energy[a.met > 4],
    "mask of events": lambda a: ak.mask(a.Hits.energy, a.met > 4),
    "slice": lambda a: a.Hits.energy[1:4],
    "slice of lists": lambda a: a.Hits.energy[:, :1],
    "slice backwards": lambda a: a.Hits.energy[::-1],
    "steps": lambda a: a.Hits.energy[::2],
    "indices of events": lambda a: a.Hits.energy[[3, 0, 2, 2]],
    "concatenate": lambda a: ak.concatenate([a.Hits.energy, a.Hits.energy]),
    "concatenate lists": lambda a: ak.concatenate([a.Hits.energy, a.Hits.energy], axis=1),
    "where": lambda a: ak.where(a.met > 4, a.met, 0),
    "where of lists": lambda a: ak.where(a.Hits.energy > 2, a.Hits.energy, 0),
    "where of events": lambda a: ak.where(a.met > 4, a.Hits.energy, a.Hits.cell),
    "local_index": lambda a: ak.local_index(a.Hits.energy, axis=1),
    "firsts": lambda a: ak.firsts(a.Hits.energy, axis=1),
    "firsts of objects": lambda a: ak.firsts(a.Hits).cell,
    "singletons": lambda a: ak.singletons(ak.firsts(a.Hits.energy, axis=1)),
    "run_lengths": lambda a: ak.run_lengths(a.Hits.cell),
    "unflatten": lambda a: ak.unflatten(ak.flatten(a.Hits.energy), [2, 0, 4]),
    "values_astype": lambda a: ak.values_astype(a.Hits.energy, np.int64),
    "isclose": lambda a: ak.isclose(a.Hits.energy, 2.0),
    "with_field": lambda a: ak.with_field(a.Hits, a.Hits.energy * 2, "twice").twice,
    "without_field": lambda a: ak.without_field(a.Hits, ["time", "at"]),
    "full_like": lambda a: ak.full_like(a.Hits.energy, 7),
    "to_regular": lambda a: ak.to_regular(ak.pad_none(a.Hits.cell, 3, axis=1, clip=True), axis=1),
    "packed": lambda a: ak.to_packed(a.Hits.energy),
    "negative": lambda a: -a.Hits.energy,
    "abs": lambda a: abs(a.Hits.cell),
    "sqrt": lambda a: np.sqrt(a.Hits.energy),
    "softmax": lambda a: ak.num(ak.softmax(a.Hits.energy, axis=1)),
    "nan_to_num": lambda a: ak.nan_to_num(a.Hits.energy),
    # Members that objects may lack.
    "time": lambda a: a.Hits.time,
    "pad_none of time": lambda a: ak.pad_none(a.Hits.time, 3, axis=1),
    "pad_none of time, clip": lambda a: ak.pad_none(a.Hits.time, 2, axis=1, clip=True),
    "fill_none of time": lambda a: ak.fill_none(a.Hits.time, -1.0, axis=-1),
    "drop_none of time": lambda a: ak.drop_none(a.Hits.time, axis=-1),
    "is_none of time": lambda a: ak.is_none(a.Hits.time, axis=-1),
    "num of time": lambda a: ak.num(a.Hits.time, axis=1),
    "count of time": lambda a: ak.count(a.Hits.time, axis=1),
    "sum of time": lambda a: ak.sum(a.Hits.time, axis=1),
    "mean of time": lambda a: ak.mean(a.Hits.time, axis=1),
    "max of time": lambda a: ak.max(a.Hits.time, axis=1),
    "argmax of time": lambda a: ak.argmax(a.Hits.time, axis=1),
    "sort of time": lambda a: ak.sort(a.Hits.time, axis=1),
    "flatten of time": lambda a: ak.flatten(a.Hits.time, axis=1),
    "flatten all of time": lambda a: ak.flatten(a.Hits.time, axis=None),
    "cartesian of time": lambda a: ak.cartesian([a.Hits.time, a.Hits.cell], axis=1),
    "combinations of time": lambda a: ak.combinations(a.Hits.time, 2, axis=1),
    "zip of time": lambda a: ak.zip({"t": a.Hits.time, "c": a.Hits.cell}),
    "time plus": lambda a: a.Hits.time + a.Hits.energy,
    "time above": lambda a: a.Hits.time > 1,
    "mask by time": lambda a: a.Hits.energy[ak.fill_none(a.Hits.time > 1, False, axis=-1)],
    "concatenate time": lambda a: ak.concatenate([a.Hits.time, a.Hits.energy], axis=1),
    "where of time": lambda a: ak.where(a.Hits.time > 1, a.Hits.time, -1),
    "firsts of time": lambda a: ak.firsts(a.Hits.time, axis=1),
    "local_index of time": lambda a: ak.local_index(a.Hits.time, axis=1),
    "slice of time": lambda a: a.Hits.time[:, 1:],
    # Components that objects may lack.
    "at.x": lambda a: a.Hits["at"].x,
    "at": lambda a: a.Hits["at"],
    "pad_none of at": lambda a: ak.pad_none(a.Hits["at"], 3, axis=1).y,
    "is_none of at": lambda a: ak.is_none(a.Hits["at"], axis=-1),
    "drop_none of at": lambda a: ak.drop_none(a.Hits["at"], axis=1),
    "sum of at.x": lambda a: ak.sum(a.Hits["at"].x, axis=1),
    "flatten of at": lambda a: ak.flatten(a.Hits["at"], axis=1).x,
    "norm of at": lambda a: a.Hits["at"].x ** 2 + a.Hits["at"].y ** 2,
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("operations") / "a.kaon"
    (path.parent / "ops.yaml").write_text(MODEL)
    model = kaon.load_model(path.parent / "ops.yaml")
    with kaon.create(path, model=model, cluster_entries=2) as out:
        out["events"].extend({"Hits": plain().Hits, "met": plain().met})
    return path


def plain():
    hits = [{"Hits": hits, "met": met} for hits, met in zip(EVENTS, MET, strict=True)]
    return ak.from_iter(hits)


def outcome(operation, array):
    """Return the result of an operation as lists, or the type of the error that it raises."""
    try:
        result = operation(array)
        result = result.compute() if hasattr(result, "compute") else result
    except Exception as error:
        return type(error)
    return ak.to_list(ak.nan_to_none(result))


@pytest.mark.parametrize("is_virtual", [False, True], ids=["eager", "virtual"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_are_those_of_plain_arrays(path, name, is_virtual):
    arrays = kaon.open(path)["events"].arrays(virtual=is_virtual)
    expected = outcome(OPERATIONS[name], plain())
    assert not isinstance(expected, type), "the operation is for arrays of Awkward"
    assert outcome(OPERATIONS[name], arrays) == expected


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_on_dask_arrays_are_those_of_plain_arrays(path, name):
    dask_awkward = pytest.importorskip("dask_awkward")
    if name in ("indices of events", "unflatten"):
        pytest.skip("this is not possible part by part")
    try:
        OPERATIONS[name](dask_awkward.from_awkward(plain(), 1)).compute()
    except (NotImplementedError, TypeError, AttributeError):
        pytest.skip("dask-awkward cannot do this with its own arrays")
    arrays = kaon.dask.arrays(f"{path}:events")
    arrays.eager_compute_divisions()  # dask-awkward asks for it before slices of events
    assert outcome(OPERATIONS[name], arrays) == outcome(OPERATIONS[name], plain())


@pytest.mark.parametrize("is_virtual", [False, True], ids=["eager", "virtual"])
def test_no_layout_is_masked_by_bytes(path, is_virtual):
    arrays = kaon.open(path)["events"].arrays(virtual=is_virtual)
    assert "ByteMasked" not in str(arrays.layout.form)
    assert str(arrays.layout.form).count("IndexedOption") == 3
    whole = kaon.open(path)["events"].arrays(entry_stop=2)
    assert not whole.layout.content("Hits").is_option  # every event has them


def test_processors_count_padded_values(path):
    def count(events):
        return int(ak.sum(ak.count(ak.pad_none(events.Hits.energy, 2, axis=1), axis=1)))

    assert kaon.processor(count).run(f"{path}:events") == 6
