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

/// The entries of a dataset that pass a cut, with stored and computed columns, as arrays of Arrow.
/// What is computed is computed part by part, as dataframes do, in the threads of the arena of
/// whoever asks for an array; stored columns are read from the first to the last entry of a part
/// that passes.
class ComputedArrays final : public arrow::ArraySource {
public:
  ComputedArrays(std::shared_ptr<const Dataset> dataset, StoredFields stored,
                 std::vector<std::string> expressions, const std::string& cut, EntryRange entries);
  ~ComputedArrays() override;

  [[nodiscard]] ArrowSchema schema() const override;
  [[nodiscard]] ArrowArray next() override;

private:
  class Worker;
  /// What was computed of a part.
  struct Piece {
    detail::DatasetPart part;
    std::vector<std::uint64_t> entries = {}; // those that pass, by their numbers in the file
    arrow::ColumnMemory columns = {};
    std::size_t done = 0; // entries that arrays were made of
  };
  /// What is stored, in a piece's file.
  struct Stored {
    const Source* source;
    arrow::WantedMembers wanted;
    std::vector<std::uint32_t> tables;
    arrow::Field entry; // with what is computed
    arrow::CollectionNames names;
  };

  [[nodiscard]] bool compute();
  void bind(const Source& source);
  [[nodiscard]] arrow::Field withComputed(arrow::Field entry) const;
  [[nodiscard]] ArrowArray arrayOf(Piece& piece);
  [[nodiscard]] arrow::ColumnMemory readStored(const Piece& piece);

  std::shared_ptr<const Dataset> m_dataset;
  StoredFields m_fields; // of the first file
  std::vector<std::string> m_expressions;
  std::vector<detail::ColumnType> m_types; // of the expressions
  std::vector<detail::Missing> m_missing;
  std::shared_ptr<detail::Action> m_action;
  std::uint64_t m_last;
  detail::DatasetParts m_parts;
  std::vector<std::unique_ptr<Worker>> m_workers; // one for each thread
  std::vector<detail::DatasetPart> m_taken;       // and not computed yet
  std::deque<Piece> m_pieces;
  std::optional<Stored> m_stored;
};

} // namespace kaon
