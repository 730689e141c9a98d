"""Cut flows: the entries that pass each filter of a dataframe, as tables for papers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from kaon import _core
from kaon.cards import card, note, table
from kaon.dataframe.results import NOT_YET, Booked, Result, run
from kaon.errors import UsageError
from kaon.files.array_forms import package

#: The parts of a cut flow that a table can have.
By: TypeAlias = Literal["sample", "variation"]

#: The columns of a table for each part of a cut flow.
CutColumn: TypeAlias = Literal["passed", "efficiency", "cumulative"]


class Amount(NamedTuple):
    """Entries, and the sums of their weights and of the squares of these."""

    entries: int
    weight: int | float
    squares: int | float

    @property
    def error(self) -> float:
        """The statistical error of the sum of weights."""
        return math.sqrt(self.squares)

    def share_of(self, all_: Amount) -> tuple[float, float]:
        """Return the share of the weights of all entries, and its error.

        The error is the binomial one, for weighted entries with the weights of those that pass and
        those that fail. Without weights to divide by, both are NaN.
        """
        if not all_.weight:
            return math.nan, math.nan
        share = self.weight / all_.weight
        failed = max(0, all_.squares - self.squares)
        variance = (1 - share) ** 2 * self.squares + share**2 * failed
        return share, math.sqrt(variance) / abs(all_.weight)


class Cut(NamedTuple):
    """A filter, and the entries before and after it.

    Attributes
    ----------
    label
        The label of the filter.
    entries, passed
        The number of entries that reached the filter and that passed it.
    weight, passed_weight
        The sums of their weights.
    error
        The statistical error of `passed_weight`.
    efficiency, efficiency_error
        `passed_weight` / `weight`, and its error.
    cumulative, cumulative_error
        `passed_weight` as a share of the weights before the first filter, and its error.
    """

    label: str
    entries: int
    passed: int
    weight: int | float
    passed_weight: int | float
    error: float
    efficiency: float
    efficiency_error: float
    cumulative: float
    cumulative_error: float


@dataclass(frozen=True)
class Point:
    """The entries at a step of a dataframe.

    Attributes
    ----------
    count
        Their number.
    weight
        The sum of their weights; None without weights.
    counts_by_sample, weights_by_sample
        The sums and the sums of squares for each sample: of 1, None if there is one sample; and
        of the weights.
    """

    count: Result[int]
    weight: Result[Any] | None
    counts_by_sample: Result[Any] | None
    weights_by_sample: Result[Any] | None

    @property
    def results(self) -> list[Result[Any]]:
        """The results that it consists of."""
        return [result for result in vars(self).values() if result is not None]

    def varied(self, variation: str) -> Point:
        """Return the entries in a variation, which may begin at a later step."""

        def of(result: Any) -> Any:
            return result and result.variations().get(variation, result)

        return Point(*map(of, vars(self).values()))

    def amount(self, sample: int | None) -> Amount:
        """Return the entries of all samples, or of one."""
        weights = None if self.weights_by_sample is None else self.weights_by_sample.value
        if sample is None:
            count = self.count.value
            if self.weight is None or weights is None:
                return Amount(count, count, count)
            return Amount(count, self.weight.value, float(weights[1].sum()))
        counts = self.counts_by_sample
        count = self.count.value if counts is None else int(counts.value[0][sample])
        if weights is None:
            return Amount(count, count, count)
        return Amount(count, float(weights[0][sample]), float(weights[1][sample]))


class Level(NamedTuple):
    """Filters whose entries are the same: events, or objects after `explode`.

    Attributes
    ----------
    title
        The name of all entries before the first filter.
    labels
        The labels of the filters.
    points
        The entries before the first filter, and after each.
    """

    title: str
    labels: list[str]
    points: list[Point]


class CutFlow(Booked):
    """The numbers of entries that pass the filters of a dataframe, and the sums of their weights.

    The first look at its numbers computes them, together with all other results of the dataset.
    """

    def __init__(
        self, levels: list[Level], samples: Sequence[str], sample: int | None = None
    ) -> None:
        self._levels = levels
        self._samples = samples
        self._sample = sample

    @property
    def results(self) -> list[Result[Any]]:
        """The results that it consists of, for `run`."""
        points = [point for level in self._levels for point in level.points]
        return [result for point in points for result in point.results]

    @property
    def cuts(self) -> list[Cut]:
        """The filters in order. Without a weight, each entry has weight 1.

        After `explode` and `implode`, cumulative efficiencies begin again.
        """
        return [cut for level in self._cuts() for cut in level[1:]]

    def _cuts(self) -> list[list[Cut]]:
        """Return for each level all entries, without efficiencies, and its filters."""
        if not self.is_done:
            run(self)
        levels = []
        for title, labels, points in self._levels:
            all_, *others = (point.amount(self._sample) for point in points)
            nothing = (math.nan, math.nan)
            sums = (all_.entries, all_.entries, all_.weight, all_.weight, all_.error)
            cuts, before = [Cut(title, *sums, *nothing, *nothing)], all_
            for label, passed in zip(labels, others, strict=True):
                cuts.append(_cut(label, passed, before, all_))
                before = passed
            levels.append(cuts)
        return levels

    def samples(self) -> dict[str, CutFlow]:
        """Return the cut flow of each sample, by label. They need no further pass."""
        return {
            label: CutFlow(self._levels, self._samples, number)
            for number, label in enumerate(self._samples)
        }

    def variations(self) -> dict[str, CutFlow]:
        """Return the cut flow in each variation, by name.

        If you call it before the first look at a result, they are computed in the same pass.
        """
        last = self._levels[-1].points[-1].count if self._levels else None
        return {name: self._varied(name) for name in (last.variations() if last else ())}

    def _varied(self, name: str) -> CutFlow:
        levels = [
            level._replace(points=[point.varied(name) for point in level.points])
            for level in self._levels
        ]
        return CutFlow(levels, self._samples, self._sample)

    def to_pandas(self, by: By | Iterable[By] = ()) -> Any:
        """Return a pandas frame with a row for each filter, and the numbers of `Cut` as columns.

        Parameters
        ----------
        by
            "sample", "variation" or both: the rows are those of each sample and variation, which
            become levels of the index. The variation "nominal" has the nominal values.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pandas = package("pandas")
        parts = self._parts(by)
        rows = [(*key, *cut) for key, flow in parts.items() for cut in flow.cuts]
        names = [*_checked(by, get_args(By), "by"), "filter"]
        return pandas.DataFrame(rows, columns=[*names, *Cut._fields[1:]]).set_index(names)

    def to_markdown(
        self, by: By | Iterable[By] = (), columns: CutColumn | Iterable[CutColumn] | None = None
    ) -> str:
        """Return a table in Markdown.

        Parameters
        ----------
        by
            "sample", "variation" or both: the table has columns for each sample and variation.
        columns
            Some of "passed" (the entries or weights that pass), "efficiency" (of each filter, in
            percent) and "cumulative" (of all filters so far). The default is all of them, or
            "passed" if `by` is given.
        """
        headings, rows = self._table(by, columns)
        lines = [headings, *([label, *map(" ± ".join, cells)] for label, cells in rows)]
        lines = [[text.replace("|", r"\|") for text in line] for line in lines]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        aligned = [[line[0].ljust(widths[0])] for line in lines]
        for cells, line in zip(aligned, lines, strict=True):
            cells += (text.rjust(width) for text, width in zip(line[1:], widths[1:], strict=True))
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        aligned.insert(1, rule)
        return "\n".join(f"| {' | '.join(cells)} |" for cells in aligned)

    def to_latex(
        self, by: By | Iterable[By] = (), columns: CutColumn | Iterable[CutColumn] | None = None
    ) -> str:
        r"""Return a table in LaTeX, which needs no package.

        Labels with a dollar sign are LaTeX's, such as "$p_T > 20$ GeV". Others are texts.

        Parameters
        ----------
        by, columns
            As for `to_markdown`.
        """
        headings, rows = self._table(by, columns)
        lines = [list(map(_latex, headings))]
        for label, cells in rows:
            numbers = map(r" \pm ".join, cells)
            lines.append([_latex(label), *(number and f"${number}$" for number in numbers)])
        first, *others = (" & ".join(line) + r" \\" for line in lines)
        begin = rf"\begin{{tabular}}{{l{'r' * (len(headings) - 1)}}}"
        rule = r"\hline"
        return "\n".join([begin, rule, first, rule, *others, rule, r"\end{tabular}"])

    def _parts(self, by: By | Iterable[By]) -> dict[tuple[str, ...], CutFlow]:
        """Return the cut flows of samples and variations by their names, computed in one pass."""
        parts: dict[tuple[str, ...], CutFlow] = {(): self}
        for kind in _checked(by, get_args(By), "by"):
            parts = {
                (*key, name): part
                for key, flow in parts.items()
                for name, part in (
                    flow.samples() if kind == "sample" else {"nominal": flow, **flow.variations()}
                ).items()
            }
        run(*parts.values())
        return parts

    def _table(
        self, by: By | Iterable[By], columns: CutColumn | Iterable[CutColumn] | None
    ) -> tuple[list[str], list[tuple[str, list[list[str]]]]]:
        """Return the headings, and the labels and cells of the rows: numbers with their errors."""
        parts = self._parts(by)
        if columns is None:
            columns = get_args(CutColumn) if parts.keys() == {()} else "passed"
        names = _checked(columns, get_args(CutColumn), "columns")
        headings = ["filter"]
        for key in parts:
            for name in names:
                unit = name if name == "passed" else f"{name} [%]"
                headings.append(", ".join([*key, *([unit] if len(names) > 1 or not key else [])]))
        flows = [sum(flow._cuts(), []) for flow in parts.values()]
        rows = []
        for cuts in zip(*flows, strict=True):
            cells = [self._cell(cut, name) for cut in cuts for name in names]
            rows.append((cuts[0].label, cells))
        return headings, rows

    def _cell(self, cut: Cut, column: str) -> list[str]:
        """Return a number and, unless it counts entries, its error as texts; nothing for NaN."""
        if column == "passed":
            return (
                _rounded(cut.passed_weight, cut.error) if self._has_weights else [str(cut.passed)]
            )
        value, error = getattr(cut, column), getattr(cut, f"{column}_error")
        return [] if math.isnan(value) else _rounded(100 * value, 100 * error)

    @property
    def _has_weights(self) -> bool:
        return any(level.points[0].weight is not None for level in self._levels)

    def __str__(self) -> str:
        cuts = self.cuts
        width = max((len(cut.label) for cut in cuts), default=0)
        lines = []
        for cut in cuts:
            all_, passed = self._numbers(cut)
            lines.append(f"{cut.label:{width}}{all_:>14}{passed:>14}{_percent(cut):>10}")
        return "\n".join(lines)

    def _numbers(self, cut: Cut) -> tuple[str, str]:
        """Return the entries before and after a filter as texts, or else their weights."""
        if self._has_weights:
            return _shown(cut.weight), _shown(cut.passed_weight)
        return str(cut.entries), str(cut.passed)

    def __repr__(self) -> str:
        state = "" if self.is_done else f", {NOT_YET}"
        filters = sum(len(level.labels) for level in self._levels)
        return f"<CutFlow of {_core.counted(filters, 'filter')}{state}>"

    def _repr_html_(self) -> str:
        title = "Cut flow"
        if not self.is_done:
            rows = [(label,) for level in self._levels for label in level.labels]
            return card(title, [NOT_YET], table(("filter",), rows), note("`cuts` computes it"))
        cells = [(cut.label, *self._numbers(cut), _percent(cut)) for cut in self.cuts]
        headings = ("filter", "entries", "passed", "share")
        return card(title, [], table(headings, cells, numbers=headings[1:]))


def _cut(label: str, passed: Amount, before: Amount, all_: Amount) -> Cut:
    numbers = (before.entries, passed.entries, before.weight, passed.weight, passed.error)
    return Cut(label, *numbers, *passed.share_of(before), *passed.share_of(all_))


def _checked(names: str | Iterable[str], known: Sequence[str], what: str) -> list[str]:
    """Return names that are all known, and each given once."""
    given = [names] if isinstance(names, str) else list(names)
    for name in given:
        if name not in known or given.count(name) > 1:
            raise UsageError(f"{what}={names!r}: give some of {', '.join(map(repr, known))}, once")
    return given


def _shown(weight: int | float) -> str:
    return str(weight) if isinstance(weight, int) else f"{weight:.2f}"


def _percent(cut: Cut) -> str:
    return "-" if math.isnan(cut.efficiency) else f"{100 * cut.efficiency:.2f} %"


def _rounded(value: float, error: float) -> list[str]:
    """Return a number and its error, with two digits of the error."""
    if not (error > 0 and math.isfinite(error)):
        return [f"{value:g}", f"{error:g}"]
    digits = max(0, 1 - math.floor(math.log10(error)))
    if round(error, digits) >= 10 ** (2 - digits):  # 0.0996 becomes 0.10, not 0.100
        digits = max(0, digits - 1)
    return [f"{value:.{digits}f}", f"{error:.{digits}f}"]


_LATEX = {character: rf"\{character}" for character in "_%&#{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
}


def _latex(label: str) -> str:
    return label if "$" in label else "".join(_LATEX.get(each, each) for each in label)
