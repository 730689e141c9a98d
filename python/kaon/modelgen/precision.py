"""The precision of floating-point numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kaon.modelgen.json_values import WrongJson

_GREATEST = {23: (2 - 2.0**-23) * 2.0**127, 52: (2 - 2.0**-52) * 2.0**1023}
_LEAST_STEP = {23: 2 * 2.0**-23, 52: 8 * 2.0**-52}
"""The least step at values of about 1, by mantissa bits, so that rounding twice changes nothing."""

MOST_BITS = 32
"""The largest number of bits for the number of a step."""


@dataclass(frozen=True)
class Precision:
    """Some bits of the mantissa, or the nearest of the steps in a range.

    Attributes
    ----------
    bits
        The bits of the mantissa; for a range without `step`, the bits of a step's number.
    low, high
        The range; None for a mantissa.
    step
        The distance of values in the range; None if `bits` are given.
    """

    bits: int | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = None

    def to_dict(self) -> int | dict[str, float]:
        """Return a value for JSON: a number of bits, or a range."""
        if self.low is None:
            assert self.bits is not None
            return self.bits
        entries = {"low": self.low, "high": self.high, "step": self.step, "bits": self.bits}
        return {key: value for key, value in entries.items() if value is not None}

    @classmethod
    def from_dict(cls, entries: int | Mapping[str, Any]) -> Precision:
        """Restore what `to_dict` returned.

        Raises
        ------
        WrongJson
            If it is another value.
        """
        if not isinstance(entries, Mapping):
            entries = {"bits": entries}
        elif not ({"low", "high"} <= entries.keys() <= {"low", "high", "step", "bits"}):
            raise WrongJson("", "expected 'low', 'high' and 'step' or 'bits'")
        for key, value in entries.items():
            if type(value) is not int and (key == "bits" or type(value) is not float):
                raise WrongJson(key, "expected a number")
        return cls(**entries)

    def steps(self) -> tuple[float, float, int] | None:
        """Return the first value, the step and the number of the last step; None for a mantissa."""
        if self.low is None or self.high is None:
            return None
        if self.step is not None:
            return self.low, self.step, math.floor((self.high - self.low) / self.step + 0.5)
        assert self.bits is not None
        last = 2**self.bits - 1
        return self.low, (self.high - self.low) / last, last

    def mistake_in_range(self) -> str:
        """Return the mistake in the range that concerns any type; "" if there is no mistake."""
        if self.low is None or self.high is None:
            return ""
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            return f"'low' ({self.low:g}) must be less than 'high' ({self.high:g})"
        if not math.isfinite(self.high - self.low):
            return f"the range from {self.low:g} to {self.high:g} is too large"
        if self.step is None:
            return ""
        if not 0 < self.step <= self.high - self.low:
            return f"the step {self.step:g} must be above 0 and not exceed the range"
        if (self.high - self.low) / self.step > 2**MOST_BITS - 1:
            return f"there are more than 2^{MOST_BITS} steps of {self.step:g} in the range"
        return ""

    def mistake(self, mantissa: int) -> str:
        """Return the mistake for numbers with this mantissa; "" if there is no mistake."""
        steps = self.steps()
        if steps is None:
            if self.bits is not None and 1 <= self.bits < mantissa:
                return ""
            return f"expected a whole number from 1 to {mantissa - 1}, found '{self.bits}'"
        low, step, last = steps
        high = low + step * last
        far = max(abs(low), abs(high))
        type_ = {23: "float", 52: "double"}[mantissa]
        if far > _GREATEST[mantissa]:
            return f"the range ends at {high:g}, beyond the range of {type_}"
        if step < far * _LEAST_STEP[mantissa]:
            return f"steps of {step:g} are finer than {type_} is at {far:g}"
        return ""
