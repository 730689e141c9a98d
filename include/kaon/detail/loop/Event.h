#pragma once

#include <kaon/detail/loop/BoundCategory.h>
#include <kaon/detail/loop/Schedule.h>
#include <kaon/detail/reading/ColumnBatches.h>
#include <kaon/event/Frame.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace kaon::loop {

/// The current event of a loop's slot, as its algorithms see it: their inputs and outputs by their
/// numbers in the schedule. Numbers and lists come from batches of columns. One frame moves to an
/// event only when a collection or parameter is requested, and then decodes only its counts. For
/// one thread at a time.
class Event {
public:
  /// The schedule must outlive the event.
  explicit Event(const Schedule& schedule);

  // For the loop.

  /// Begins with these entries of a category, which must outlive them.
  void enter(const BoundCategory& category, EntryRange entries);
  /// Moves to the next batch of entries; returns false if there are no more.
  [[nodiscard]] bool nextBatch();
  [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
  void goTo(std::size_t row) noexcept { m_row = row; }
  [[nodiscard]] std::uint64_t entry() const noexcept { return m_first + m_row; }

  // For algorithms.

  /// Returns null if the event lacks the collection.
  [[nodiscard]] const CollectionBase* collection(std::size_t input) {
    if (const CollectionBase* const known = m_collections[input]) {
      if (m_frameEntry != entry())
        moveFrame();
      if (known->data().isPresent()) [[likely]]
        return known;
    }
    return findCollection(input);
  }
  /// As collection(), but throws Error(name) if the event lacks it.
  [[nodiscard]] const CollectionBase& neededCollection(std::size_t input) {
    const CollectionBase* const known = collection(input);
    if (!known) [[unlikely]]
      failMissing(input);
    return *known;
  }

  /// Identifies the batch: look columns up again when it has changed.
  [[nodiscard]] std::uint64_t batch() const noexcept { return m_batch; }
  /// Returns the position of the event in the batch.
  [[nodiscard]] std::size_t row() const noexcept { return m_row; }
  /// Returns a column of the batch, which this call decodes; null if the input is not a column of
  /// the file.
  [[nodiscard]] const detail::ColumnValues* column(std::size_t input);

  /// Returns a parameter, or nothing if the event lacks it.
  template <detail::IsParameter T>
  [[nodiscard]] std::optional<T> parameter(std::size_t input) {
    if (m_category->inputs[input].origin == InputOrigin::nothing)
      return std::nullopt;
    return frame().getParameter<T>(m_schedule->inputs()[input].info->name);
  }
  [[noreturn]] void failMissing(std::size_t input) const;
  [[noreturn]] void failNotOne(std::size_t input, std::size_t values) const;

  void put(std::size_t output, std::unique_ptr<CollectionBase> collection);
  template <detail::IsParameter T>
  void putParameter(std::size_t output, T value) {
    frame().putParameter(m_schedule->outputs()[output].info->name, std::move(value));
  }

  /// Returns the whole event.
  [[nodiscard]] Frame& frame() {
    if (m_frameEntry != entry())
      moveFrame();
    return *m_frame;
  }

private:
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  void moveFrame();
  [[nodiscard]] const CollectionBase* findCollection(std::size_t input);

  const Schedule* m_schedule;
  const BoundCategory* m_category = nullptr;
  std::uint64_t m_first = 0; // of the batch
  std::size_t m_rows = 0;
  std::size_t m_row = 0;
  std::uint64_t m_batch = 0;
  EntryRange m_entries{0, 0}; // the entries, if there are no columns
  std::optional<detail::ColumnBatches> m_columns;
  std::optional<Frame> m_frame;
  std::uint64_t m_frameEntry = nowhere;
  // By input, for collections of the file: the one that was found last. Their addresses do not
  // change from entry to entry.
  std::vector<const CollectionBase*> m_collections;
  std::vector<const CollectionBase*> m_products; // by output; null for parameters
};

} // namespace kaon::loop
