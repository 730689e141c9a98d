#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/object/Decoration.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon {
struct Relation;
} // namespace kaon

namespace kaon::detail {

class CollectionData;

/// Reads collections from pages: decodes a column at the first access, and finds the collections
/// that relations lead to. Any thread.
class ColumnLoader {
public:
  /// Decodes a column and puts it into the collection.
  virtual void load(const CollectionData& data, ColumnNumber column) = 0;

  /// Returns the collection in a table that a relation leads to; nullptr if the entry lacks it.
  /// Throws Error(type) if it has none of the relation's datatypes, Error(corrupt) if the table
  /// does not exist.
  [[nodiscard]] virtual CollectionData* collection(TableNumber table, const Relation& relation) = 0;
  /// Checks a reference beyond the end of a collection: throws Error(corrupt) unless the entry
  /// lacks that collection.
  virtual void checkAbsent(const CollectionData& data, std::uint32_t index) = 0;

  /// Returns the values of a decoration of the collection, from its first object on. Throws
  /// Error(name) if the file lacks it, Error(type) if it is of another type.
  [[nodiscard]] virtual ColumnView decoration(const CollectionData& data, std::string_view name,
                                              Scalar type) = 0;
  /// Returns the decorations of the collection in the file.
  [[nodiscard]] virtual std::vector<DecorationInfo>
  decorations(const CollectionData& data) const = 0;

protected:
  ~ColumnLoader() = default;
};

} // namespace kaon::detail
