#include <kaon/formats/root/tree/TreeSource.h>

#include <kaon/formats/root/tree/TreeCursor.h>

namespace kaon::root {

std::vector<EntryRange> TreeSource::clusters() const {
  const auto clusters = m_contents.tree().clusters();
  return {clusters.begin(), clusters.end()};
}

std::unique_ptr<Cursor> TreeSource::cursor() const {
  return std::make_unique<TreeCursor>(m_contents);
}

std::unique_ptr<Source> openTree(const Container& container, const ListedObject& object) {
  return std::make_unique<TreeSource>(container, object);
}

} // namespace kaon::root
