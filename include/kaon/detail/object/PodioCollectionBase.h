#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace kaon {
class CollectionBase;
} // namespace kaon

namespace podio {

/// The base of kaon::CollectionBase, so a pointer of code written for podio points to any
/// collection. It must be a class of this namespace, because that code declares it so. It has no
/// data, and its functions are in podio/CollectionBase.h.
class CollectionBase {
public:
  virtual ~CollectionBase() = default;

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t max_size() const;
  [[nodiscard]] bool isValid() const;
  [[nodiscard]] std::string_view getTypeName() const;
  [[nodiscard]] std::string_view getValueTypeName() const;
  [[nodiscard]] std::string_view getDataTypeName() const;
  [[nodiscard]] std::uint32_t getSchemaVersion() const;
  [[nodiscard]] bool isSubsetCollection() const;
  void setSubsetCollection(bool isSubset = true);
  [[nodiscard]] std::uint32_t getID() const;
  void setID(std::uint32_t id);
  [[nodiscard]] bool hasID() const;
  void prepareForWrite() const;
  void clear();
  void print() const;
  void print(std::ostream& out, bool flush = true) const;

private:
  friend class kaon::CollectionBase;
  CollectionBase() = default;
  CollectionBase(const CollectionBase&) = default;
  CollectionBase& operator=(const CollectionBase&) = default;
};

} // namespace podio
