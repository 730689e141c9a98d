#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace bench {

/// Rows of a bank like HIPO's REC::Particle, in plain columns: 12 columns, 43 bytes a row. `Column`
/// is a vector with values, or a span of values elsewhere.
template <template <class> class Column>
struct BankColumns {
  Column<std::int32_t> pid;    ///< PDG code, 0 if not identified.
  Column<float> px, py, pz;    ///< Momentum in GeV.
  Column<float> vx, vy, vz;    ///< Vertex in cm; for neutral particles (0, 0, event's z).
  Column<float> vt;            ///< Time of the event in ns, the same in all of its rows.
  Column<std::int8_t> charge;  ///< Charge in units of e.
  Column<float> beta;          ///< Velocity, 0 without timing.
  Column<float> chi2pid;       ///< Chi2 of the identification, 9999 if it is missing.
  Column<std::int16_t> status; ///< Status, negative for the trigger electron.
};

/// Calls `use(column of each)` for the columns of one or more banks, in order.
template <class Use, class... Banks>
void forEachColumn(Use use, Banks&&... banks) {
  use(banks.pid...);
  use(banks.px...);
  use(banks.py...);
  use(banks.pz...);
  use(banks.vx...);
  use(banks.vy...);
  use(banks.vz...);
  use(banks.vt...);
  use(banks.charge...);
  use(banks.beta...);
  use(banks.chi2pid...);
  use(banks.status...);
}

template <class T>
using ConstSpan = std::span<const T>;
template <class T>
using Vector = std::vector<T>;
using BankView = BankColumns<ConstSpan>;

/// Generated events, always the same for a number of events.
struct Bank : BankColumns<Vector> {
  static constexpr std::size_t rowBytes = 43;
  std::vector<std::uint32_t> offsets; ///< the start of each event's rows, and the end of the last

  [[nodiscard]] std::size_t events() const { return offsets.size() - 1; }
  [[nodiscard]] std::size_t rows() const { return pid.size(); }
  /// Bytes of all values and of a 32-bit count for each event.
  [[nodiscard]] std::size_t bytes() const { return rows() * rowBytes + events() * 4; }
  /// Returns the rows of the events [first, last).
  [[nodiscard]] BankView view(std::size_t firstEvent, std::size_t lastEvent) const;
  [[nodiscard]] BankView view() const { return view(0, events()); }
};

/// Generates events. The number of rows is Poisson-distributed with mean 8. The first row of an
/// event is the trigger electron. See Bank.cpp for the values.
[[nodiscard]] Bank makeBank(std::size_t events);

/// FNV-1a of the numbers of rows, as 32 bits, and the values of the rows, in order of events.
[[nodiscard]] std::uint64_t digest(const Bank& bank);
inline constexpr std::uint64_t thousandEventsDigest = 0x65c0af4367efdc2d;
inline constexpr std::uint64_t millionEventsDigest = 0xdc2282a25274fb8b;

} // namespace bench
