#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/formats/arrow/StreamColumn.h>
#include <kaon/formats/arrow/TableRows.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kaon::arrow {

/// A copy of the type of entries, where fields with nulls are marked as optionals: their metadata
/// have the structure "?". Libraries say of nearly all fields that they can be null, so only the
/// values show which fields are optionals. The original must outlive the copy.
class MarkedType {
public:
  /// The place of a field: the numbers of the children that lead to it.
  using FieldPath = std::vector<std::uint32_t>;

  explicit MarkedType(const ArrowSchema& type);

  [[nodiscard]] const ArrowSchema& type() const noexcept { return m_entries->type; }
  /// Marks the fields with nulls in some entries, if nulls are not stored in another way: floats of
  /// streams become NaN. Throws Error(usage) for arrays whose parts do not fit.
  void mark(const ArrowArray& entries, EntryForm form);
  /// Marks a field. Ignores paths that lead to no field.
  void mark(const FieldPath& path);
  /// Returns the marked fields.
  [[nodiscard]] const std::vector<FieldPath>& marked() const noexcept { return m_marked; }

private:
  struct MarkedField {
    explicit MarkedField(const ArrowSchema& original);
    ArrowSchema type;
    std::string metadata = {};
    std::vector<std::unique_ptr<MarkedField>> fields = {};
    std::vector<ArrowSchema*> children = {};
  };

  void mark(MarkedField& field, const FieldPath& path);
  void search(MarkedField& field, const FieldPath& path, const ArrowArray& array,
              const RowRuns& rows, EntryForm form);

  std::unique_ptr<MarkedField> m_entries;
  std::vector<FieldPath> m_marked;
};

/// Returns whether an array, or an array in it, may have nulls.
[[nodiscard]] bool mayHaveNullsInside(const ArrowArray& array) noexcept;

} // namespace kaon::arrow
