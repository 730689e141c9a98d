#include <kaon/formats/root/tree/TreeSource.h>

#include <kaon/base/Error.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/tree/FirstEntries.h>
#include <kaon/formats/root/tree/TreeCursor.h>

#include <algorithm>

namespace kaon::root {

TreeSource::TreeSource(const RootContainer& container, const ListedObject& object,
                       const SchemaDocument& stored)
    : m_contents(container, object, stored),
      m_compressed(static_cast<double>(object.key.storedBytes()) /
                   std::max(1U, object.key.objectBytes)) {
  if (const UnreadBranches unread = unreadByFirstEntries(m_contents); !unread.empty())
    m_contents.makeTables(unread, stored);
}

std::vector<EntryRange> TreeSource::clusters() const {
  const auto clusters = m_contents.tree().clusters();
  return {clusters.begin(), clusters.end()};
}

std::unique_ptr<detail::Cursor> TreeSource::cursor() const {
  return std::make_unique<TreeCursor>(m_contents);
}

std::optional<ColumnUsage> TreeSource::usage(ColumnNumber column) const {
  const BranchDescription* const branch = m_contents.branchCountedIn(column);
  if (!branch)
    return std::nullopt;
  ColumnUsage usage;
  const std::uint64_t embedded = branch->baskets.embeddedBytes();
  usage.storedBytes = branch->baskets.storedBytes() +
                      static_cast<std::uint64_t>(m_compressed * static_cast<double>(embedded));
  usage.decodedBytes = branch->bytes + embedded;
  const bool isRaw = usage.storedBytes >= usage.decodedBytes;
  usage.forms = {{isRaw ? codec::Encoding::raw : codec::Encoding::compressed,
                  isRaw ? Codec::none : codecOf(branch->compression), usage.storedBytes}};
  return usage;
}

std::unique_ptr<Source> openTree(const RootContainer& container, const ListedObject& object,
                                 std::string_view stored) {
  SchemaDocument document;
  if (!stored.empty()) {
    const std::string where = container.name() + ":" + object.name() + ": kaon's description of it";
    document = schemaDocumentFrom(stored, where);
  }
  try {
    return std::make_unique<TreeSource>(container, object, document);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::version)
      throw;
    fail(ErrorKind::version, error.what(), "; ", container.writer(), " wrote the file");
  }
}

} // namespace kaon::root
