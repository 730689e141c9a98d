#include <kaon/formats/root/ntuple/LoadedPages.h>

#include <kaon/base/Bytes.h>
#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/ntuple/Envelope.h>

#include <algorithm>
#include <utility>

namespace kaon::root {

const LoadedNTuplePage& LoadedPages::at(std::size_t cluster, std::uint32_t column,
                                        std::uint64_t element) {
  Current& current = m_current[column];
  current.lastUse = ++m_uses;
  if (current.cluster == cluster && current.page.contains(element))
    return current.page;
  const Cluster& info = m_ntuple.clusters[cluster];
  const auto pages = info.pagesOf(info.column(column));
  const auto after = std::ranges::upper_bound(pages, element, {}, &PageLocator::firstElement);
  release(current);
  load(cluster, column, *(after - 1), current);
  current.cluster = cluster;
  keepBudget(column);
  return current.page;
}

void LoadedPages::load(std::size_t cluster, std::uint32_t column, const PageLocator& stored,
                       Current& current) {
  const StoredColumn& info = m_ntuple.descriptor.columns[column];
  const std::uint64_t size = pageBytes(info, stored.elements);
  if (!canBecome(stored.place.bytes, size))
    failPage(cluster, column, stored, ErrorKind::corrupt, ": claims to hold more than it can");
  // Batches may still use the memory of the previous page.
  if (!current.storage || current.storage.use_count() > 1)
    current.storage = std::make_shared<Buffer>();
  const bool isRaw = stored.place.bytes == size;
  const StoredBytes bytes = storedBytes(stored, isRaw, isRaw ? *current.storage : m_scratch);
  if (!bytes.isSound)
    failPage(cluster, column, stored, ErrorKind::corrupt, ": does not match its checksum");
  current.page = {stored.firstElement, {bytes.bytes, stored.elements}, {}, nullptr};
  if (!isRaw) {
    Buffer& room = isIndex(info.type) ? m_unpacked : *current.storage;
    const auto out = room.assign(static_cast<std::size_t>(size));
    try {
      decompressBlocks(bytes.bytes, out, m_noPlace,
                       stored.hasChecksum ? BlockChecksums::skip : BlockChecksums::verify);
    } catch (const Error& error) { // it has no place yet, because the text of the place takes time
      failPage(cluster, column, stored, error.kind(), error.what());
    }
    current.page.elements.bytes = out;
    m_ntuple.container.bytes().checkUnchanged();
  }
  if (isIndex(info.type))
    return loadEnds(info, current.page.elements, current);
  if (isRaw && bytes.isFetched)
    current.page.keeper = m_bytes.fetched().keeper();
  else if (current.page.elements.bytes.data() == current.storage->data())
    current.page.keeper = current.storage;
}

/// Stores the decoded elements of an index column.
void LoadedPages::loadEnds(const StoredColumn& column, const Elements& elements, Current& current) {
  Buffer decoded;
  const auto out = decoded.assign(elements.count * sizeof(std::uint64_t));
  const std::span ends(detail::valuesAt<std::uint64_t>(out.data()), elements.count);
  decodeIndexes(column.type, elements, ends);
  *current.storage = std::move(decoded);
  current.page.ends = ends;
  current.page.keeper = current.storage;
}

/// Returns the bytes of a page without its checksum. Bytes that are not kept may be in a map.
LoadedPages::StoredBytes LoadedPages::storedBytes(const PageLocator& stored, bool isKept,
                                                  Buffer& room) {
  Locator place = stored.place;
  if (stored.hasChecksum)
    place.bytes += pageChecksumBytes;
  const auto fetched = m_bytes.fetched().find(place.position, place.bytes);
  const io::ByteSource& file = m_ntuple.container.bytes();
  const std::uint64_t mostBlob = m_ntuple.descriptor.maxKeySize;
  const bool isInOnePiece = mostBlob == 0 || place.bytes <= mostBlob;
  const auto all = fetched                   ? *fetched
                   : isKept || !isInOnePiece ? readBlob(file, place, mostBlob, room, m_ntuple.name)
                                             : file.viewInPlace(place.position, place.bytes, room);
  if (!stored.hasChecksum)
    return {all, fetched.has_value(), true};
  const auto bytes = all.first(all.size() - pageChecksumBytes);
  const bool isSound =
      !m_ntuple.container.options().verify ||
      detail::loadAs<std::uint64_t>(bytes.data() + bytes.size()) == checksum(bytes);
  return {bytes, fetched.has_value(), isSound};
}

void LoadedPages::failPage(std::size_t cluster, std::uint32_t column, const PageLocator& stored,
                           ErrorKind kind, std::string_view what) const {
  m_ntuple.container.bytes().checkUnchanged(); // a file that was overwritten is not damaged
  const std::uint32_t field = m_ntuple.descriptor.columns[column].field;
  constexpr std::string_view isDamaged = "; the file is damaged";
  const bool saysSo = what.ends_with("damaged");
  fail(kind, m_ntuple.name, ": the page of '", m_ntuple.descriptor.fields[field].name, "' (column ",
       column, ") at byte ", stored.place.position, ", in the cluster of entry ",
       m_ntuple.clusters[cluster].firstEntry, what, saysSo ? "" : isDamaged);
}

void LoadedPages::release(Current& current) {
  current.cluster = ~std::size_t{0};
  current.page = {};
  m_kept -= std::exchange(current.bytes, 0);
}

/// Adds the size of the newest page, and drops the oldest pages while the sum exceeds the budget.
/// Pages that are read alternately are kept, because each switch would decompress them again.
void LoadedPages::keepBudget(std::uint32_t newest) {
  Current& current = m_current[newest];
  current.bytes = current.storage->size();
  m_kept += current.bytes;
  if (std::ranges::find(m_used, newest) == m_used.end())
    m_used.push_back(newest);
  constexpr std::uint64_t rounds = 16;
  while (m_kept > m_ntuple.container.options().memoryBudget) {
    const auto oldest = std::ranges::min_element(
        m_used, {}, [&](std::uint32_t column) { return m_current[column].lastUse; });
    Current& dropped = m_current[*oldest];
    if (m_uses - dropped.lastUse < rounds * m_used.size())
      return;
    release(dropped);
    dropped.storage.reset();
    m_used.erase(oldest);
  }
}

} // namespace kaon::root
