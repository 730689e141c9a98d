#pragma once

#include <kaon/object/Collection.h>
#ifdef PODIO_JSON_OUTPUT
#include <kaon/object/HandleJson.h>
#endif

#include <podio/utilities/TypeHelpers.h>

// The functions of podio::CollectionBase, which kaon declares as the base of its collections.

namespace podio {

namespace detail {

[[nodiscard]] inline const kaon::CollectionBase& asKaon(const CollectionBase& collection) {
  return static_cast<const kaon::CollectionBase&>(collection);
}
[[nodiscard]] inline kaon::CollectionBase& asKaon(CollectionBase& collection) {
  return static_cast<kaon::CollectionBase&>(collection);
}

} // namespace detail

inline std::size_t CollectionBase::size() const { return detail::asKaon(*this).size(); }
inline bool CollectionBase::empty() const { return size() == 0; }
inline std::size_t CollectionBase::max_size() const { return kaon::CollectionBase::max_size(); }
inline bool CollectionBase::isValid() const { return detail::asKaon(*this).isValid(); }
inline std::string_view CollectionBase::getTypeName() const {
  return detail::asKaon(*this).getTypeName();
}
inline std::string_view CollectionBase::getValueTypeName() const {
  return detail::asKaon(*this).getValueTypeName();
}
inline std::string_view CollectionBase::getDataTypeName() const {
  return detail::asKaon(*this).getDataTypeName();
}
inline std::uint32_t CollectionBase::getSchemaVersion() const {
  return detail::asKaon(*this).getSchemaVersion();
}
inline bool CollectionBase::isSubsetCollection() const {
  return detail::asKaon(*this).isSubsetCollection();
}
inline void CollectionBase::setSubsetCollection(bool isSubset) {
  detail::asKaon(*this).setSubsetCollection(isSubset);
}
inline std::uint32_t CollectionBase::getID() const { return detail::asKaon(*this).getID(); }
inline void CollectionBase::setID(std::uint32_t id) { detail::asKaon(*this).setID(id); }
inline bool CollectionBase::hasID() const { return detail::asKaon(*this).hasID(); }
inline void CollectionBase::prepareForWrite() const { detail::asKaon(*this).prepareForWrite(); }
inline void CollectionBase::clear() { detail::asKaon(*this).clear(); }
inline void CollectionBase::print() const { detail::asKaon(*this).print(); }
inline void CollectionBase::print(std::ostream& out, bool flush) const {
  detail::asKaon(*this).print(out, flush);
}

} // namespace podio
