"""Dataframes: columns and selected entries of many files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias, get_args

from kaon import _core
from kaon.cards import card, fold, table
from kaon.columns.column_arrays import to_array
from kaon.dataframe.cut_flows import CutFlow, Level, Point
from kaon.dataframe.entry_loops import EntryLoop, is_compiled
from kaon.dataframe.friends import Friends, WithoutPartner
from kaon.dataframe.friends import to_core as to_core_friends
from kaon.dataframe.functions import ArrayFunction
from kaon.dataframe.histograms import (
    Axis,
    CoreAxis,
    grown,
    has_texts,
    sample_axis,
    to_axis,
    to_core,
    to_hist,
    to_profile,
)
from kaon.dataframe.labels import label_of
from kaon.dataframe.object_arrays import objects_of, to_form, to_records
from kaon.dataframe.results import CombinedResult, Result, StagedResult, Statistics
from kaon.error_texts import with_plain_types
from kaon.errors import Error, UnknownNameError, UsageError, WrongTypeError
from kaon.files.array_forms import ArrayForm, How, Library
from kaon.files.bad_files import BadFile, BadFiles, OnBadFile, bad_files_of
from kaon.files.category import Category
from kaon.files.chain import Files, listed_paths, open_category
from kaon.files.choices import checked_option
from kaon.files.file import File
from kaon.files.paths import StrPath, free_path, names_files, split_path, system_path
from kaon.files.requests import Missing
from kaon.files.table_files import written_format
from kaon.modelgen.mistakes import printable
from kaon.other_names import OF_DATAFRAMES, fail
from kaon.writing.convert import check_table_options, convert
from kaon.writing.options import WriterOptions

if TYPE_CHECKING:
    from kaon.model.datamodel import AnyModel

#: An expression, a function of the arrays of a batch, or a function of an entry compiled by Numba.
Formula: TypeAlias = "str | Callable[..., Any]"

TakeStep: TypeAlias = Callable[[_core.Dataframe], _core.Dataframe]

StepKind: TypeAlias = Literal["columns", "filter", "objects", "events"]


class Step(NamedTuple):
    """A step from one dataframe to the next.

    Attributes
    ----------
    before
        The dataframe before the step.
    take
        The function that takes the step.
    kind
        Whether it adds columns or a filter, or changes what an entry is.
    """

    before: Dataframe
    take: TakeStep
    kind: StepKind


def dataset(
    files: Files | Mapping[str, Files],
    category: str | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    friends: Friends | None = None,
    keys: Sequence[str] | str = (),
    without_partner: WithoutPartner = "error",
    model: AnyModel | None = None,
    on_bad_file: OnBadFile = "raise",
    missing: Missing = "error",
) -> Dataframe:
    """Return a dataframe of the entries of a category of many files of any format.

    >>> events = kaon.dataset("run7/*.kaon:events")
    >>> muons = events.filter("count(Muon[Muon.pt > 20]) == 2")
    >>> muons.histogram((100, 0, 200), "Muon.pt").value

    Parameters
    ----------
    files
        As in `kaon.iterate`: paths or patterns, optionally with a category after a colon, or
        categories by path. Or samples: files by label.
    category
        The category, if the paths do not name it. The default is the only category of the first
        file, or ``events``.
    weights
        The weights of samples by label; other samples have weight 1. The column
        ``dataset.weight`` has the weight of each entry's sample. Histograms use it only if you
        name it as their weight.
    friends
        Categories of other files with further columns of the same events, by the prefix of these
        columns: ``{"calibration": "calibration.kaon:events"}`` for ``calibration.scale``.
    keys
        Integer columns of events and friends. Each event gets the friend's first event with equal
        keys. Without keys, a friend has the same events in the same order, and the dataset has one
        file.
    without_partner
        The treatment of events that a friend lacks: ``"error"``, or ``"empty"``, which leaves the
        friend's collections out and sets its values to 0.
    model
        The version of the model with which all files are read, as in `kaon.open`. None selects the
        models of the first file.
    on_bad_file
        The treatment of a file that cannot be opened, or lacks the category, all columns of the
        first file with values, or a column that results need. "raise" raises its error, "skip"
        leaves it out with a warning, and "report" without one. `Dataframe.bad_files` lists the
        files that were left out. With "skip" and "report", all files are opened at once. Damage
        that shows only when data are decoded always raises.
    missing
        "none": the columns of all files are columns of the dataframe, and are None in files that
        lack them. Collections and parameters are absent there. All files are opened at once.

    Raises
    ------
    UsageError
        If the category is ambiguous, a weight names no sample, or friends cannot be joined.
    UnknownNameError
        If a category or key does not exist.
    FileError
        If the first file or a friend cannot be opened; other files are opened when they are read.
    """
    checked_option("missing", missing, get_args(Missing))
    samples = _samples(files)
    _check_weights(weights or {}, samples)
    categories = {category} if category else set()
    core_samples: list[tuple[str, list[StrPath], float]] = []
    for label, of_sample in samples.items():
        split = [split_path(path) for path in listed_paths(of_sample)]
        categories |= {named for _, named in split if named}
        core_samples.append((label, [path for path, _ in split], (weights or {}).get(label, 1.0)))
    if len(categories) > 1:
        raise UsageError(f"a dataset has one category, not {sorted(map(str, categories))}")
    name = "".join(f":{category}" for category in categories)
    all_paths = [f"{os.fspath(path)}{name}" for _, paths, _ in core_samples for path in paths]
    if not all_paths:
        raise UsageError("no file is given")
    is_raised = not BadFiles(on_bad_file).are_left_out
    number, first = _first_good(all_paths, model, BadFiles("raise" if is_raised else "report"))
    core_friends = to_core_friends(friends, keys, without_partner)
    return Dataframe(
        _core.dataset(
            core_samples,
            first._core,
            number,
            first.name,
            *core_friends,
            on_bad_file,
            missing == "none",
        )
    )


def _first_good(
    paths: Sequence[str], model: AnyModel | None, bad: BadFiles
) -> tuple[int, Category]:
    """Return the number of the first good file, and the file; C++ reports the bad files."""
    for number, path in enumerate(paths):
        category = bad.try_file(path, partial(open_category, path, model))
        if category is not None:
            return number, category
    raise bad.first_error


def _check_weights(weights: Any, samples: Mapping[str, Files]) -> None:
    if not isinstance(weights, Mapping) or not all(isinstance(x, Real) for x in weights.values()):
        raise WrongTypeError(
            f"weights are numbers by the labels of samples, such as {{'signal': 0.5}}, not "
            f"{weights!r}"
        )
    unknown = sorted(set(weights) - set(samples))
    if unknown:
        hint = _core.suggestion(unknown[0], list(samples))
        raise UsageError(f"weights name samples that do not exist: {unknown}{hint}")


def _samples(files: Any) -> Mapping[str, Files]:
    """Return the files of each label; files without labels have the label ""."""
    is_open = isinstance(files, (Category, File))
    is_labelled = isinstance(files, Mapping) and not is_open and not _are_categories(files)
    return files if is_labelled else {"": files}


def _are_categories(files: Mapping[Any, Any]) -> bool:
    """Tell whether these are categories by path, and not paths by label: existing files decide."""
    return all(
        isinstance(value, str) and _is_category_in(os.fspath(key), value)
        for key, value in files.items()
    )


def _is_category_in(path: str, name: str) -> bool:
    is_there, is_path = names_files(path), names_files(name)
    if is_there != is_path:
        return is_there
    return os.path.splitext(path)[1] != "" and os.path.splitext(name)[1] == ""


@with_plain_types
class Dataframe:
    """Columns of a dataset, from its files or defined, and selected entries.

    A dataframe does not change: each method returns a new dataframe, or a result. Methods check
    names and types, but read no data. The first look at the value of a result computes all results
    of the dataset in one pass with all threads. Values do not depend on the number of threads.

    Functions take the arrays of a batch of entries and return an array with a value for each. They
    get NumPy arrays for numbers, and Awkward arrays for lists and texts. When you add a function,
    it is called once with empty arrays to learn the type of its result.

    Functions that Numba compiles (`numba.njit`) are called for each entry instead, by several
    threads at the same time. They take numbers, and lists as NumPy arrays, and return a number.

    Raises
    ------
    UnknownNameError
        If a column does not exist.
    WrongTypeError
        If the types of columns do not fit the expression or function.
    """

    def __init__(self, core: _core.Dataframe) -> None:
        if not isinstance(core, _core.Dataframe):
            raise WrongTypeError(f"make dataframes with `kaon.dataset(files)`, not of {core!r}")
        self._core = core
        self._step: Step | None = None  # which made it of another dataframe

    def __getattr__(self, name: str) -> NoReturn:
        fail(self, "dataframes have", name, OF_DATAFRAMES)

    def _after(self, take: TakeStep, kind: StepKind = "columns") -> Dataframe:
        """Return the dataframe after a step."""
        after = Dataframe(take(self._core))
        after._step = Step(self, take, kind)
        return after

    # ---- Steps ----

    def filter(
        self, condition: Formula, columns: Sequence[str] | str = (), *, label: str = ""
    ) -> Dataframe:
        """Return the entries for which an expression, or a function of columns, is true."""
        if isinstance(condition, str):
            _check_without(columns, condition, "; `label=` names the filter in reports")
            return self._after(lambda core: core.filter(condition, label), "filter")
        function, names = self._function(condition, columns, f"the filter '{label}'")
        if (function.scalar, function.depth) != ("bool", 0):
            given = f"lists of {function.scalar}" if function.depth else function.scalar
            raise UsageError(f"a filter wants a bool for each entry, not {given}")
        return self._after(lambda core: core.filter_by(function, names, label), "filter")

    def define(
        self,
        name: str | Mapping[str, str],
        formula: Formula | None = None,
        columns: Sequence[str] | str = (),
    ) -> Dataframe:
        """Return it with a new column, or a name for objects such as "Muon[Muon.pt > 20]".

        Parameters
        ----------
        name
            The name; or expressions by name, such as those of `kaon.momenta`.
        formula
            An expression, or a function.
        columns
            The arguments of the function.
        """
        if isinstance(name, Mapping):
            after = self
            for each, expression in name.items():
                after = after._defined(each, expression, columns, True)
            return after
        if formula is None:
            raise UsageError(f"define('{name}') needs an expression or a function")
        return self._defined(name, formula, columns, True)

    def redefine(self, name: str, formula: Formula, columns: Sequence[str] | str = ()) -> Dataframe:
        """Return it with a column replaced."""
        return self._defined(name, formula, columns, False)

    def _defined(
        self, name: str, formula: Formula, columns: Sequence[str] | str, is_new: bool
    ) -> Dataframe:
        if isinstance(formula, str):
            _check_without(columns, formula)
            if is_new:
                return self._after(lambda core: core.define(name, formula))
            return self._after(lambda core: core.redefine(name, formula))
        function, names = self._function(formula, columns, f"'{name}'")
        type_ = (function.scalar, function.depth)
        return self._after(lambda core: core.define_by(name, function, names, *type_, is_new))

    def vary(
        self,
        column: str,
        variations: Mapping[str, Formula],
        columns: Sequence[str] | str = (),
    ) -> Dataframe:
        """Return it with variations of a column, by name.

        Results have the nominal values; `Result.variations` returns those of all variations. Equal
        names for several columns are one variation.
        """
        if not isinstance(variations, Mapping):
            raise WrongTypeError(
                f"give the variations of '{column}' as a dict, as in "
                f"vary('{column}', {{'up': '1.1 * {column}'}}), not {variations!r}"
            )
        after = self
        for name, formula in variations.items():
            after = after._varied(column, name, formula, columns)
        return after

    def _varied(
        self, column: str, name: str, formula: Formula, columns: Sequence[str] | str
    ) -> Dataframe:
        if isinstance(formula, str):
            return self._after(lambda core: core.vary(column, name, formula))
        function, names = self._function(formula, columns, f"'{column}' in '{name}'")
        type_ = (function.scalar, function.depth)
        return self._after(lambda core: core.vary_by(column, name, function, names, *type_))

    def fallback(self, column: str, value: float) -> Dataframe:
        """Return it with a number for a column in the entries of files that lack it.

        >>> events.fallback("HLT_Mu50", False).filter("HLT_Mu50 or HLT_IsoMu24")

        The column has its type in the first file, or else the type of the number. If no file has
        the column, kaon warns.

        Raises
        ------
        WrongTypeError
            If the column does not have one number for each entry, or cannot hold this one.
        UsageError
            If the column was defined.
        """
        number = value.item() if hasattr(value, "item") else value  # NumPy's
        return self._after(lambda core: core.fallback(column, number))

    def alias(self, name: str, column: str) -> Dataframe:
        """Return it with another name for a column."""
        return self._after(lambda core: core.alias(name, column))

    def range(self, first: int, last: int) -> Dataframe:
        """Return the entries `first` to `last` - 1, numbered in the dataset before all filters."""
        if first < 0 or last < first:
            raise UsageError(f"range({first}, {last}): 0 <= first <= last is needed")
        return self._after(lambda core: core.range(first, last), "filter")

    def sample(self, label: str) -> Dataframe:
        """Return the entries of a sample."""
        return self._after(lambda core: core.sample(label), "filter")

    def explode(self, collection: str) -> Dataframe:
        """Return a dataframe whose entries are the objects of a collection."""
        return self._after(lambda core: core.explode(collection), "objects")

    def implode(self) -> Dataframe:
        """Return the entries before the last `explode`, with lists of the remaining objects."""
        return self._after(lambda core: core.implode(), "events")

    def without_filter(self, label: str) -> Dataframe:
        """Return it with all its steps but one filter, as for a plot of the quantity that it cuts.

        >>> others = selected.without_filter("Z mass")
        >>> others.histogram((60, 60, 120), "mass").value

        Parameters
        ----------
        label
            The label of the filter, by default its expression.

        Raises
        ------
        UnknownNameError
            If no filter has this label.
        UsageError
            If several filters have this label.
        """
        frames = [self]
        while (step := frames[-1]._step) is not None:
            frames.append(step.before)
        labels = self._core.filters()
        if label not in labels:
            hint = _core.suggestion(label, labels)
            raise UnknownNameError(f"no filter is called '{label}'{hint}")
        if labels.count(label) > 1:
            raise UsageError(
                f"{labels.count(label)} filters are called '{label}': give them labels of their own"
            )
        position, frame = labels.index(label), frames.pop()
        while frames:
            step = frames.pop()._step
            assert step is not None, "only the first dataframe has no step before it"
            if step.kind == "filter":
                position -= 1
                if position == -1:
                    continue
            frame = frame._after(step.take, step.kind)
        return frame

    def _function(
        self, function: Callable[..., Any], columns: Sequence[str] | str, where: str
    ) -> tuple[ArrayFunction, list[str]]:
        if not callable(function):
            raise WrongTypeError(f"{where}: give an expression or a function, not {function!r}")
        names = _names(columns)
        if not names:
            raise UsageError(f"{where}: a function needs the names of its columns")
        types = [self._core.type_of(name) for name in names]
        if is_compiled(function):
            typed = zip(names, types, strict=True)
            function = EntryLoop(function, [(name, *type_) for name, type_ in typed], where)
        return ArrayFunction(function, types, where), names

    def _filled(
        self,
        axes: Axis | list[Axis],
        columns: str | Sequence[str],
        book: Callable[[list[Any], list[str]], _core.Result],
        convert: Callable[[Sequence[Any], Any], Any],
        what: str,
    ) -> Result[Any]:
        """Return a histogram or profile of columns; axes of texts may grow to the texts found."""
        all_axes, names = _axes(axes, columns, lambda name: label_of(self._core, name))
        what += ", ".join(names)
        growing = [
            number
            for number, (axis, name) in enumerate(zip(all_axes, names, strict=True))
            if has_texts(axis) and axis.traits.growth and name != "dataset.sample"
        ]

        def filled(texts: Sequence[Sequence[str]]) -> Result[Any]:
            grown_axes = list(all_axes)
            for number, found in zip(growing, texts, strict=True):
                grown_axes[number] = grown(all_axes[number], found)
            core_axes = []
            for number, name in enumerate(names):
                axis, core_axis = self._core_axis(grown_axes[number], name)
                grown_axes[number] = axis
                core_axes.append(core_axis)
            return Result(book(core_axes, names), lambda bins: convert(grown_axes, bins), what)

        if not growing:
            return filled(())
        return StagedResult([self._texts(names[number]) for number in growing], filled, what)

    def _core_axis(self, axis: Any, column: str) -> tuple[Any, CoreAxis]:
        """Return the axis of a column, and its form in C++."""
        if column == "dataset.sample" and has_texts(axis):
            return sample_axis(axis, [label for label, _ in self._core.samples()])
        return axis, to_core(axis, column, self._core.type_of(column)[0])

    def _texts(self, column: str) -> Result[list[str]]:
        """Return the different texts of a column in all variations, sorted."""
        nominal = Result(self._core.texts(column), list, f"texts of {column}")
        parts = [nominal, *nominal.variations().values()]
        return CombinedResult(parts, lambda of: sorted({*sum(of, [])}), f"texts of {column}")

    # ---- Results ----

    def count(self) -> Result[int]:
        """Return the number of entries."""
        return Result(self._core.count(), int, "count")

    def sum(self, column: str, *, skip_nan: bool = False) -> Result[Any]:
        """Return the sum of all values of a column, also in lists.

        For integers and bools it is an exact int, for floats a float. If an integer sum exceeds
        int64, or uint64 for unsigned columns, its value raises `WrongTypeError`.

        Parameters
        ----------
        skip_nan
            Whether NaNs do not count. Otherwise the sum is NaN if a value is.
        """
        core, (numbers,) = self._numbers(column, skip_nan)
        return Result(core.sum(numbers), _same, f"sum of {column}")

    def mean(self, column: str, *, skip_nan: bool = False) -> Result[float | None]:
        """Return the mean of all values, or None without values. Integers are added exactly.

        With `skip_nan`, NaNs do not count.
        """
        core, (numbers,) = self._numbers(column, skip_nan)
        return Result(core.mean(numbers), _same, f"mean of {column}")

    def min(self, column: str) -> Result[Any]:
        """Return the minimum, an int for integers, or None without values. NaNs do not count."""
        return Result(self._core.min(column), _same, f"minimum of {column}")

    def max(self, column: str) -> Result[Any]:
        """Return the maximum, an int for integers, or None without values. NaNs do not count."""
        return Result(self._core.max(column), _same, f"maximum of {column}")

    def stats(self, column: str, *, skip_nan: bool = False) -> Result[Statistics]:
        """Return the statistics of all values; with `skip_nan`, of those that are not NaN."""
        core, (numbers,) = self._numbers(column, skip_nan)
        return Result(core.stats(numbers), lambda of: Statistics(*of), f"stats of {column}")

    def _numbers(
        self, column: str, skip_nan: bool, others: Sequence[str] = ()
    ) -> tuple[_core.Dataframe, list[str]]:
        """Return a dataframe and expressions with the numbers of a column, and others with them."""
        columns = [column, *others]
        if not skip_nan:
            return self._core, columns
        is_number = f"not isnan({_as_expression(self._core, column)})"
        if self._core.type_of(column)[1] == 0:
            return self._core.filter(is_number, ""), columns
        chosen = [
            f"({_as_expression(self._core, each)})[{is_number}]"
            if self._core.type_of(each)[1] > 0
            else each
            for each in columns
        ]
        return self._core, chosen

    def take(self, column: str) -> Result[Any]:
        """Return the values of all entries: a NumPy array of numbers, or an Awkward array.

        Lists, texts and values that may be missing (None) come as an Awkward array. Objects, such
        as those that `define` named, come as records of their members; relations are left out.
        """
        objects = objects_of(self._core, column)
        if objects is None:
            return Result(self._core.take(column), to_array, f"values of {column}")
        parts = [self.take(f"{column}.{member}") for member in objects.members]
        return CombinedResult(
            parts,
            lambda values: to_records(objects, dict(zip(objects.members, values, strict=True))),
            f"values of {column}",
        )

    def arrays(
        self, columns: str | Sequence[str], *, library: Library = "ak", how: How = None
    ) -> Result[Any]:
        """Return several columns and objects of all entries, read in one pass.

        >>> good = events.define("good", "Muon[Muon.pt > 20]").filter("count(good) >= 2")
        >>> arrays = good.arrays(["good", "MET_pt", "sum(good.charge)"]).value
        >>> table = good.arrays(["good.pt", "MET_pt"], library="pl").value

        Parameters
        ----------
        columns
            Columns, expressions and objects. Objects have their members; relations are left out.
        library, how
            As in `Category.arrays`. With "np" and "pd", and if `how` is given for a table, objects
            have a column for each member.
        """
        form, names = ArrayForm.named(library, how), _names(columns)
        objects = {name: found for name in names if (found := objects_of(self._core, name))}
        values = [
            column
            for name in names
            for column in (
                [f"{name}.{member}" for member in objects[name].members]
                if name in objects
                else [name]
            )
        ]
        values = list(dict.fromkeys(values))
        if not values:
            raise UsageError("arrays() needs the name of a column")
        return CombinedResult(
            [Result(self._core.take(name), list, f"values of {name}") for name in values],
            lambda parts: to_form(form, names, objects, dict(zip(values, parts, strict=True))),
            f"arrays of {', '.join(names)}",
        )

    def histogram(
        self, axes: Axis | list[Axis], columns: str | Sequence[str], weight: str | None = None
    ) -> Result[Any]:
        """Return a `hist.Hist` of all values of columns, also in lists.

        Parameters
        ----------
        axes
            ``(bins, low, high)`` or ``(bins, low, high, "title")``, an array of edges, or an axis
            of hist; for several columns a list of these. Or a histogram of hist with these axes.
            The default title is the column with its unit.
            A `StrCategory` with ``growth=True`` gets all texts of its column, in alphabetical
            order, which needs a pass of its own. For the column ``dataset.sample``, the texts are
            labels of samples.
        weight
            A column or expression with a number for each value or for each entry. None means 1.
        """
        return self._filled(
            axes,
            columns,
            lambda core_axes, names: self._core.histogram(core_axes, names, _weight(weight)),
            to_hist,
            "histogram of ",
        )

    def profile(
        self,
        axes: Axis | list[Axis],
        columns: str | Sequence[str],
        averaged: str,
        weight: str | None = None,
        *,
        skip_nan: bool = False,
    ) -> Result[Any]:
        """Return a `hist.Hist` of the means of a column in bins of others.

        With `skip_nan`, averaged values that are NaN do not count.
        """
        weights = [given] if (given := _weight(weight)) else []

        def book(core_axes: list[Any], names: list[str]) -> _core.Result:
            core, (mean, *others) = self._numbers(averaged, skip_nan, [*names, *weights])
            count = len(names)
            return core.profile(core_axes, others[:count], mean, "".join(others[count:]))

        return self._filled(axes, columns, book, to_profile, f"profile of {averaged} by ")

    def report(self, weight: str | None = None) -> CutFlow:
        """Return the number of entries before and after each filter, and their weights.

        >>> cuts = selected.report("genWeight")
        >>> print(cuts.to_markdown())

        Parameters
        ----------
        weight
            A column or expression with a number for each entry, which exists before the first
            filter.
        """
        if _weight(weight) and self._core.type_of(_weight(weight))[1] > 0:
            raise WrongTypeError(
                f"'{weight}' is a list, but the weight of an entry must be one number"
            )
        return CutFlow(self._levels(_weight(weight)), [label for label, _ in self._core.samples()])

    def _levels(self, weight: str) -> list[Level]:
        """Return the filters in order, apart from each other where `explode` or `implode` stand."""
        labels = self._core.filters()
        levels: list[Level] = []
        points: list[Point] = []
        frame = self
        while (step := frame._step) is not None:
            if step.kind == "filter":
                points = points or [frame._point(weight)]
                points.insert(0, step.before._point(weight))
            elif step.kind in ("objects", "events"):
                begin = len(labels) - max(0, len(points) - 1)
                levels.insert(0, Level(f"all {step.kind}", labels[begin:], points))
                del labels[begin:]
                points = []
            frame = step.before
        return [level for level in [Level("all", labels, points), *levels] if level.points]

    def _point(self, weight: str) -> Point:
        core, samples = self._core, self._core.samples()
        numbers = CoreAxis("values", list(range(len(samples))))

        def by_sample(weight: str) -> Result[Any]:
            counts = core.histogram([numbers], ["dataset.sample"], weight)
            return Result(counts, _same, "entries of each sample")

        return Point(
            self.count(),
            self.sum(weight) if weight else None,
            by_sample("") if len(samples) > 1 else None,
            by_sample(weight) if weight else None,
        )

    def display(self, columns: str | Sequence[str] = (), rows: int = 10) -> Result[str]:
        """Return the first rows of columns as a table, by default of the defined columns."""
        return Result(self._core.display(_names(columns), rows), _table, "display")

    def snapshot(
        self,
        path: StrPath,
        names: str | Sequence[str] = (),
        *,
        category: str = "",
        overwrite: bool = False,
        **options: Any,
    ) -> Result[Dataframe]:
        """Return the dataframe of a new file with the entries, in their order.

        The first look at its value writes the file. Without a look, nothing is written and kaon
        warns.

        >>> muons.snapshot("muons.kaon", ["Muon", "mass"], codec="zstd:9").value
        >>> muons.snapshot("muons.root", format="ttree").value

        Parameters
        ----------
        path
            The path of the new file, whose suffix sets the format.
        names
            Collections, values and parameters of the files, which are copied unchanged, columns,
            and objects that `define` named: "good" with all members but relations, or "good.pt".
            The default is everything in the files, and all defined columns.
        category
            The category in the new file, by default that of the dataset.
        overwrite
            Whether to replace an existing file, when the new one is complete.
        options
            Options of `kaon.create` for storage, and its `format`.

        Raises
        ------
        ExistingFileError
            If the file exists and `overwrite` is false.
        UsageError
            If the dataset reads this file, or an option does not fit the data.
        """
        writer_options = WriterOptions.of_copy(**options)
        own_path = system_path(path)
        table = written_format(own_path, writer_options.format)
        free_path(own_path, overwrite)
        what = f"snapshot {own_path}"
        if table is None:
            core = self._core.snapshot(own_path, _names(names), category, writer_options.core)
            return Result(core, Dataframe, what)
        check_table_options(writer_options, options, table, own_path)
        part = f"{own_path}.part.kaon"
        core = self._core.snapshot(part, _names(names), category, WriterOptions().core)

        def to_table(_: list[Any]) -> Dataframe:
            try:
                convert(part, own_path, format=table.lower(), overwrite=overwrite)
            finally:
                os.remove(part)
            return dataset(own_path)

        return StagedResult([Result(core, _same, what)], to_table, what)

    # ---- Contents ----

    @property
    def columns(self) -> list[str]:
        """The names of all columns, the defined ones first."""
        return self._core.columns()

    @property
    def contents(self) -> list[str]:
        """The names of the collections, parameters and values that `snapshot` copies."""
        return self._core.contents()

    @property
    def bad_files(self) -> tuple[BadFile, ...]:
        """The files that were left out so far: see ``on_bad_file`` of `kaon.dataset`.

        A file without a column that a result needs is left out when this result is computed.
        """
        return bad_files_of(self._core.bad_files())

    def describe(self) -> str:
        """Return a text with the files, the columns with their types, and the filters."""
        return self._core.describe()

    def __copy__(self) -> Dataframe:
        return self

    def __reduce__(self) -> NoReturn:
        raise WrongTypeError(
            f"{self!r} cannot be pickled, because its functions belong to this process. Make it "
            "from its files in the other process, as `kaon.processor` does, or pickle the `value` "
            "of its results"
        )

    def __repr__(self) -> str:
        return printable(f"<Dataframe {', '.join([self._core.name(), *self._facts()])}>")

    def _facts(self) -> list[str]:
        """Return short texts about its steps."""
        steps = {"filter": len(self._core.filters()), "column defined": len(self._core.defined())}
        several = {"column defined": "columns defined"}
        return [
            _core.counted(count, what, several.get(what, ""))
            for what, count in steps.items()
            if count
        ]

    def _repr_html_(self) -> str:
        core, parts = self._core, []
        if rows := [(label, f"{weight:g}") for label, weight in core.samples() if label]:
            parts.append(fold("samples", f"{len(rows)}", table(("sample", "weight"), rows)))
        if filters := core.filters():
            labels = [(label or "a function",) for label in filters]
            parts.append(fold("filters", f"{len(labels)}", table(("filter",), labels), True))
        defined, names = core.defined(), core.columns()
        columns = [(name, self._typename(name), "defined" * (name in defined)) for name in names]
        parts.append(fold("columns", f"{len(names)}", table(("column", "type", ""), columns)))
        return card(core.name(), self._facts(), *parts)

    def _typename(self, column: str) -> str:
        try:
            scalar, depth = self._core.type_of(column)
        except Error:  # of a table of the same name as another
            return ""
        return "var * " * depth + scalar


def _check_without(columns: Sequence[str] | str, expression: str, hint: str = "") -> None:
    if columns:
        raise UsageError(f"'{expression}' is an expression, which takes no list of columns{hint}")


def _names(columns: str | Sequence[str]) -> list[str]:
    if isinstance(columns, str):
        return [columns]
    try:
        return list(columns)
    except TypeError:
        raise WrongTypeError(f"name columns by strings, not {columns!r}") from None


def _as_expression(core: _core.Dataframe, column: str) -> str:
    return f"column('{column}')" if column in core.columns() else column


def _same(value: Any) -> Any:
    return value


def _axes(
    axes: Axis | list[Axis], columns: str | Sequence[str], title: Callable[[str], str]
) -> tuple[list[Any], list[str]]:
    names = _names(columns)
    of_histogram = getattr(axes, "axes", None)
    if isinstance(axes, str):
        raise WrongTypeError(f"axes come before columns, as in histogram((100, 0, 200), '{axes}')")
    if of_histogram is not None:
        given = list(of_histogram)
    else:
        given = [axes] if isinstance(columns, str) or _is_one_axis(axes) else list(axes)
    if len(given) != len(names):
        raise UsageError(
            f"{_core.counted(len(given), 'axis', 'axes')} and {_core.counted(len(names), 'column')}"
        )
    pairs = zip(given, names, strict=True)
    return [to_axis(axis, name, partial(title, name)) for axis, name in pairs], names


def _is_one_axis(axes: Any) -> bool:
    """Tell whether this is one axis, such as bins with their range or edges, and not several."""
    if not isinstance(axes, (tuple, list)):
        return hasattr(axes, "traits") or not isinstance(axes, Iterable) or hasattr(axes, "dtype")
    return isinstance(next(iter(axes), None), Real)


def _weight(weight: str | None) -> str:
    if weight is not None and not isinstance(weight, str):
        raise WrongTypeError(
            f"a weight is a column or an expression, such as '2 * genWeight', not {weight!r}"
        )
    return weight or ""


def _table(display: tuple[list[str], list[list[str]]]) -> str:
    names, rows = display
    table = [names, *rows]
    widths = [max(len(row[i]) for row in table) for i in range(len(names))]
    lines = (
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        for row in table
    )
    return "\n".join(line.rstrip() for line in lines)
