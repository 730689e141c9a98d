#pragma once

#include <kaon/base/Error.h>
#include <kaon/batch/Batch.h>
#include <kaon/formats/sio/RecordWriter.h>
#include <kaon/formats/sio/lcio/EventPlan.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::sio::lcio {

/// Writes the objects of events, one event after another. Objects that others point to are numbered
/// in the order of the collections. For one thread.
class ObjectWriter {
public:
  /// All outlive it.
  ObjectWriter(const EventPlan& plan, const Batch& batch, const std::string& file);

  /// Goes to an event, and numbers its objects. Throws Error(usage) for a reference that leads to
  /// no object, or to one that cannot lie in this one.
  void begin(std::size_t entry);
  /// Whether the event has a collection.
  [[nodiscard]] bool has(const CollectionPlan& collection) const;
  /// The flag of a collection: what the batch says, else one with which all members are stored.
  [[nodiscard]] std::uint32_t flag(const CollectionPlan& collection) const;
  /// What the vertices of a collection were found by, sorted; none of others. Throws Error(usage)
  /// for names that are too long.
  [[nodiscard]] std::vector<std::string> algorithms(const CollectionPlan& collection) const;
  /// Writes what a block has behind the parameters. Throws Error(usage) for lists that belong
  /// together and are of other lengths.
  void put(const CollectionPlan& collection, std::span<const std::string> algorithms,
           BlockWriter& out);

private:
  using Rows = std::pair<std::size_t, std::size_t>; // in the batch: the first one, and the end
  [[nodiscard]] Rows rowsOf(std::uint32_t root) const;
  [[nodiscard]] Rows rowsUnder(std::uint32_t table, std::size_t row) const;
  [[nodiscard]] const std::byte* value(const Step& step, std::uint32_t column,
                                       std::size_t row) const;
  struct Target {
    std::uint32_t table = Table::none; ///< none: no object
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
  [[nodiscard]] std::string_view textAt(std::uint32_t table, std::size_t row) const;
  [[nodiscard]] bool isFixed(const CollectionPlan& collection) const;

  void putSteps(std::span<const Step> steps, std::size_t row, std::uint32_t table, bool hasTags);
  void putStep(const Step& step, std::size_t row, std::uint32_t table);
  void putValues(const Step& step, std::size_t row);
  void putList(const Step& step, std::size_t row);
  void putRows(const Step& step, std::size_t row);
  void putInner(const Step& step, std::size_t row);
  void putPointer(std::uint32_t relation, std::size_t row);
  void putCounts(const CollectionPlan& collection, std::size_t row);

  const EventPlan& m_plan;
  const Batch& m_batch;
  const std::string& m_file;
  std::size_t m_entry = 0;
  std::vector<std::vector<std::uint32_t>> m_numbers; // of rows in the event, by table; 0: none
  std::vector<bool> m_isNumbered;                    // by table: it can be pointed to
  // Of the collection that is being written.
  BlockWriter* m_out = nullptr;
  const CollectionPlan* m_collection = nullptr;
  std::span<const std::string> m_algorithms;
  std::uint32_t m_flag = 0;
  std::uint32_t m_status = 0;
  bool m_isFixed = false;
};

} // namespace kaon::sio::lcio
