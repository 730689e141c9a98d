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

// How entries say where they come from: by two values, the id of a file and the entry in it, 0 for
// those that come from none. The document "source:ID" has the file's name.

namespace kaon {

inline constexpr std::array<std::string_view, 2> provenanceNames{"provenance.file",
                                                                 "provenance.entry"};
[[nodiscard]] bool isProvenance(std::string_view name) noexcept;
/// The table of one of these values.
[[nodiscard]] TableDefinition provenanceTable(std::string_view name);
/// What decorations are called that say where objects were in the entry that theirs was read from:
/// "Muon.provenance". Without one they were where they are.
inline constexpr std::string_view placesSuffix = ".provenance";
[[nodiscard]] bool isOfPlaces(const Table& table) noexcept;
/// Of all objects of some entries, where each is in its own.
void fillPlaces(std::span<const std::uint32_t> offsets, std::uint32_t* places) noexcept;
/// The document that has the name of the file with an id.
[[nodiscard]] std::string sourceDocument(std::uint64_t id);
/// The id of the file whose name a document has; nothing if it is another document.
[[nodiscard]] std::optional<std::uint64_t> idOfSource(std::string_view document) noexcept;

/// A batch with the values that say where its entries were read from, by Batch::origins(). Such as
/// it has already are replaced, so that they lead to the file that it was read from. It points into
/// the batch, which must outlive it.
class BatchWithProvenance {
public:
  /// Throws Error(usage) if the batch has a table of these names that is something else.
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
