#pragma once

#include <kaon/batch/Batch.h>
#include <kaon/object/Decoration.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace kaon {

class CollectionData;
struct Relation;

/// Who knows the pages of collections that were read: decodes their columns when these are first
/// touched, and finds the collections that their relations lead to. Any thread.
class ColumnLoader {
public:
  /// Decodes a column and puts it into the collection.
  virtual void load(const CollectionData& data, std::uint32_t column) = 0;

  /// The collection in a table, which any of the relation's datatypes may have; nullptr if the
  /// entry is without it. Throws Error(type) for another datatype, Error(corrupt) if there is no
  /// such table.
  [[nodiscard]] virtual CollectionData* collection(std::uint32_t table,
                                                   const Relation& relation) = 0;
  /// A reference leads beyond the end of a collection. Returns if the entry is without that
  /// collection, else throws Error(corrupt).
  virtual void checkAbsent(const CollectionData& data, std::uint32_t index) = 0;

  /// The values of a decoration of the collection, from its first object on. Throws Error(name) if
  /// the file has none of this name, Error(type) if it is of another type.
  [[nodiscard]] virtual ColumnView decoration(const CollectionData& data, std::string_view name,
                                              Scalar type) = 0;
  /// The decorations that the file has of the collection.
  [[nodiscard]] virtual std::vector<DecorationInfo>
  decorations(const CollectionData& data) const = 0;

protected:
  ~ColumnLoader() = default;
};

} // namespace kaon
