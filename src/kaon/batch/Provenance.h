#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/batch/Source.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The origin of entries, as two values: the id of a file, and the entry in it. Both are 0 for
// entries that come from no file. The document "source:ID" has the file's name.

namespace kaon {

inline constexpr std::array<std::string_view, 2> provenanceNames{"provenance.file",
                                                                 "provenance.entry"};
[[nodiscard]] bool isProvenance(std::string_view name) noexcept;
/// Returns the table of one of these values.
[[nodiscard]] TableDefinition provenanceTable(std::string_view name);
/// The suffix of decorations with the positions of objects in the entry that they were read from:
/// "Muon.provenance". Without this decoration, the positions did not change.
inline constexpr std::string_view placesSuffix = ".provenance";
[[nodiscard]] bool isOfPlaces(const Table& table) noexcept;
/// Writes the position of each object in its own entry, for all objects of some entries.
void fillPlaces(std::span<const std::uint32_t> offsets, std::uint32_t* places) noexcept;
/// Returns the name of the document with the name of the file that has this id.
[[nodiscard]] std::string sourceDocument(std::uint64_t id);
/// Returns the id in the name of a document "source:ID"; nothing for other documents.
[[nodiscard]] std::optional<std::uint64_t> idOfSource(std::string_view document) noexcept;

/// A batch with the values that state the origins of its entries, see Batch::origins(). They
/// replace older values in the batch, and so refer to the file that the batch was read from. It
/// points into the batch, which must outlive it.
class BatchWithProvenance {
public:
  /// Throws Error(usage) if the batch has another kind of table with one of these names.
  explicit BatchWithProvenance(const Batch& batch);
  BatchWithProvenance(const BatchWithProvenance&) = delete;
  BatchWithProvenance& operator=(const BatchWithProvenance&) = delete;
  [[nodiscard]] const Batch& batch() const noexcept { return m_batch; }

private:
  static Schema schemaOf(const Batch& batch);

  Schema m_schema;
  Batch m_batch;
  std::array<std::vector<std::uint64_t>, provenanceNames.size()> m_values;
};

} // namespace kaon
