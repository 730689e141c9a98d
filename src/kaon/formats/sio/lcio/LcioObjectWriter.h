#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/lcio/LcioEventPlan.h>
#include <kaon/formats/sio/lcio/Particles.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio::lcio {

/// Writes the objects of events, one event after another. Objects that pointers refer to are
/// numbered in the order of the collections. For one thread.
class LcioObjectWriter {
public:
  /// The arguments must outlive this.
  LcioObjectWriter(const LcioEventPlan& plan, const Batch& batch, const std::string& file);

  /// Moves to an event and numbers its objects. Throws Error(usage) for references to missing
  /// objects, or to objects that cannot be inner objects of this one.
  void begin(std::size_t entry);
  /// Whether the event has a collection.
  [[nodiscard]] bool has(const CollectionPlan& collection) const;
  /// Returns the flag of a collection: the batch's value, or one with which all members are stored.
  [[nodiscard]] std::uint32_t flag(const CollectionPlan& collection) const;
  /// Returns the names of the algorithms of a collection of vertices, sorted. Empty for other
  /// collections. Throws Error(usage) for names that are too long.
  [[nodiscard]] std::vector<std::string> algorithms(const CollectionPlan& collection) const;
  /// Writes the part of a block behind the parameters. Throws Error(usage) if lists that belong
  /// together differ in length.
  void put(const CollectionPlan& collection, std::span<const std::string> algorithms,
           BlockWriter& out);

private:
  using Rows = std::pair<std::size_t, std::size_t>; // in the batch: the first row, and the end
  [[nodiscard]] Rows rowsOf(TableNumber root) const;
  [[nodiscard]] Rows rowsUnder(TableNumber table, std::size_t row) const;
  [[nodiscard]] const std::byte* value(const Step& step, ColumnNumber column,
                                       std::size_t row) const;
  struct Target {
    TableNumber table = Table::none; ///< none: no object
    std::size_t row = 0;
  };
  [[nodiscard]] Target target(std::uint32_t relation, std::size_t row) const;
  template <class... Parts>
  [[noreturn]] void failEntry(const Parts&... parts) const {
    fail(ErrorKind::usage, m_file, ": entry ", m_batch.firstEntry() + m_entry, ": ", parts...);
  }
  [[nodiscard]] std::uint32_t& numberOf(const Target& target);
  [[nodiscard]] std::span<const Step> stepsOfInner(const Step& step, const Target& inner) const;
  void mark(std::span<const Step> steps, std::size_t row);
  void markTarget(std::uint32_t relation, std::size_t row);
  [[nodiscard]] bool hasNumbers(const CollectionPlan& collection) const;
  [[nodiscard]] std::string_view textAt(TableNumber table, std::size_t row) const;
  [[nodiscard]] bool isFixed(const CollectionPlan& collection) const;
  using Coordinates = std::array<double, coordinates>;
  [[nodiscard]] Coordinates coordinatesAt(std::uint32_t particles, MemberNumber member,
                                          std::size_t row) const;
  [[nodiscard]] Coordinates computedEndpoint(const ParticleTables& tables, std::size_t row) const;
  [[nodiscard]] std::uint32_t statusOf(const ParticleTables& tables, std::size_t row) const;
  [[nodiscard]] std::uint32_t storedStatus(const ParticleTables& tables, std::size_t row) const;

  void putSteps(std::span<const Step> steps, std::size_t row, TableNumber table, bool hasTags);
  void putStep(const Step& step, std::size_t row, TableNumber table);
  void putValues(const Step& step, std::size_t row);
  void putList(const Step& step, std::size_t row);
  void putRows(const Step& step, std::size_t row);
  void putInner(const Step& step, std::size_t row);
  void putPointer(std::uint32_t relation, std::size_t row);
  void putCounts(const CollectionPlan& collection, std::size_t row);

  const LcioEventPlan& m_plan;
  const Batch& m_batch;
  const std::string& m_file;
  std::size_t m_entry = 0;
  // The numbers of rows in the event, by table; 0 for a row without a number.
  std::vector<std::vector<std::uint32_t>> m_numbers;
  std::vector<bool> m_isNumbered; // By table: whether pointers can refer to it.
  std::map<std::uint32_t, ParticleTables> m_particles; // By table.
  // The state of the collection that is being written.
  BlockWriter* m_out = nullptr;
  const CollectionPlan* m_collection = nullptr;
  std::span<const std::string> m_algorithms;
  std::uint32_t m_flag = 0;
  std::uint32_t m_status = 0;
  bool m_isFixed = false;
};

} // namespace kaon::sio::lcio
