#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/StoredFields.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/detail/dataset/ColumnArray.h>
#include <kaon/detail/formats/arrow/ArraySource.h>
#include <kaon/formats/arrow/ColumnMemory.h>
#include <kaon/formats/arrow/FieldArray.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kaon {

/// The entries of a dataset that pass a cut, with stored and computed columns, as Arrow arrays.
/// Parts are computed as in dataframes, in the threads of the caller's arena. Of each part, stored
/// columns are read from the first to the last entry that passes.
class ComputedArrays final : public arrow::ArraySource {
public:
  ComputedArrays(std::shared_ptr<const Dataset> dataset, StoredFields stored,
                 std::vector<std::string> expressions, const std::string& cut, EntryRange entries);
  ~ComputedArrays() override;

  [[nodiscard]] ArrowSchema schema() const override;
  [[nodiscard]] ArrowArray next() override;

private:
  class Worker;
  /// The computed columns of a part.
  struct Piece {
    detail::DatasetPart part;
    std::vector<std::uint64_t> entries = {}; // the numbers in the file of the entries that pass
    arrow::ColumnMemory columns = {};
    std::size_t done = 0; // the number of entries already returned as arrays
  };
  /// The stored columns in the file of a piece.
  struct Stored {
    const Source* source;
    arrow::WantedMembers wanted;
    std::vector<std::uint32_t> tables;
    arrow::ArrowField entry; // includes computed columns
    arrow::CollectionNames names;
  };

  [[nodiscard]] bool compute();
  void bind(const Source& source);
  [[nodiscard]] arrow::ArrowField withComputed(arrow::ArrowField entry) const;
  [[nodiscard]] ArrowArray arrayOf(Piece& piece);
  [[nodiscard]] arrow::ColumnMemory readStored(const Piece& piece);

  std::shared_ptr<const Dataset> m_dataset;
  StoredFields m_fields; // in the first file
  std::vector<std::string> m_expressions;
  std::vector<detail::ColumnType> m_types; // types of the expressions
  std::vector<detail::Missing> m_missing;
  std::shared_ptr<detail::Action> m_action;
  std::uint64_t m_last;
  detail::DatasetParts m_parts;
  std::vector<std::unique_ptr<Worker>> m_workers; // one for each thread
  std::vector<detail::DatasetPart> m_taken;       // parts that are not computed yet
  std::deque<Piece> m_pieces;
  std::optional<Stored> m_stored;
};

} // namespace kaon
