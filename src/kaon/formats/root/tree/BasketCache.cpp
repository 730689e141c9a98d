#include <kaon/formats/root/tree/BasketCache.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <utility>

namespace kaon::root {
namespace {

// Bytes that are read along instead of splitting a request.
constexpr std::uint64_t smallGap = 16 * 1024;

} // namespace

BasketCache::BasketCache(const RootContainer& container, std::string tree,
                         std::vector<const BranchDescription*> branches,
                         const io::FetchedRanges& fetched)
    : m_container(container), m_tree(std::move(tree)), m_fetched(fetched) {
  m_slots.resize(branches.size());
  for (std::size_t i = 0; i < branches.size(); ++i)
    m_slots[i].branch = branches[i];
}

std::string BasketCache::where(std::uint32_t slot, std::uint64_t entry) const {
  return m_tree + ": branch '" + std::string(m_slots[slot].branch->name) + "', basket of entry " +
         std::to_string(entry);
}

const Basket& BasketCache::at(std::uint32_t slot, std::uint64_t entry, const SetSizes& setSizes) {
  Slot& wanted = m_slots[slot];
  wanted.lastUse = ++m_uses;
  if (wanted.basket && wanted.basket->contains(entry))
    return *wanted.basket;
  std::unique_ptr<Basket> basket = std::move(wanted.basket);
  if (basket) {
    m_memory -= basket->memory();
    std::erase(m_open, slot);
  } else {
    basket = std::make_unique<Basket>();
  }
  load(slot, entry, *basket);
  if (basket->lacksBounds())
    setSizes(*basket);
  makeRoom();
  m_memory += basket->memory();
  m_open.push_back(slot);
  wanted.basket = std::move(basket);
  return *wanted.basket;
}

/// Drops the oldest baskets until the rest is within the budget. Baskets that are read alternately
/// are kept, because each switch would decompress them again.
void BasketCache::makeRoom() {
  constexpr std::uint64_t rounds = 16;
  while (m_memory > m_container.options().memoryBudget && !m_open.empty()) {
    const auto oldest = std::ranges::min_element(
        m_open, {}, [&](std::uint32_t slot) { return m_slots[slot].lastUse; });
    if (m_uses - m_slots[*oldest].lastUse < rounds * m_open.size())
      return;
    m_memory -= m_slots[*oldest].basket->memory();
    m_slots[*oldest].basket.reset();
    m_open.erase(oldest);
  }
}

void BasketCache::load(std::uint32_t slot, std::uint64_t entry, Basket& basket) {
  const BasketPositions& places = m_slots[slot].branch->baskets;
  const std::size_t number = places.find(entry);
  const std::string name = where(slot, entry);
  if (number == places.size())
    fail(ErrorKind::corrupt, name, ": the tree does not say where it is; the file is damaged");
  const std::uint64_t first = places.firstEntry(number);
  const auto embedded = places.embedded(number);
  if (!embedded.empty())
    basket.open(embedded, true, first, name);
  else
    loadRecord({places.position(number), places.bytes(number)}, first, name, basket);
  if (basket.lastEntry() != places.lastEntry(number))
    fail(ErrorKind::corrupt, name, ": it ends at entry ", basket.lastEntry(), ", and not at ",
         places.lastEntry(number), "; the file is damaged");
}

std::vector<io::ByteRange> BasketCache::rangesOf(std::span<const std::uint32_t> slots,
                                                 EntryRange entries) const {
  std::vector<io::ByteRange> ranges;
  for (const std::uint32_t slot : slots) {
    const BasketPositions& places = m_slots[slot].branch->baskets;
    for (std::size_t basket = places.find(entries.first);
         basket < places.size() && places.firstEntry(basket) < entries.last; ++basket) {
      const io::ByteRange range{places.position(basket), places.bytes(basket)};
      const std::uint64_t size = m_container.bytes().size();
      if (range.offset > 0 && range.offset < size && range.count <= size - range.offset)
        ranges.push_back(range);
    }
  }
  io::joinNeighbours(ranges, smallGap);
  return ranges;
}

void BasketCache::dropFetched() {
  if (m_container.bytes().inPlace())
    return; // nothing is fetched
  std::erase_if(m_open, [&](std::uint32_t slot) {
    std::unique_ptr<Basket>& basket = m_slots[slot].basket;
    if (basket->isDecompressed())
      return false;
    m_memory -= basket->memory();
    basket.reset();
    return true;
  });
}

/// Opens a basket from bytes that were fetched, or reads them now.
void BasketCache::loadRecord(io::ByteRange range, std::uint64_t first, const std::string& name,
                             Basket& basket) const {
  const io::ByteSource& bytes = m_container.bytes();
  if (const auto known = m_fetched.find(range.offset, range.count))
    return basket.open(*known, false, first, name);
  bytes.useInPlace(range, basket.room(), [&](std::span<const std::byte> record) {
    basket.open(record, false, first, name);
    if (basket.isDecompressed() || !bytes.isMapped())
      return;
    basket.room().clear(); // it must not point into the map
    basket.room().append(record);
    basket.open(basket.room().bytes(), false, first, name);
  });
}

} // namespace kaon::root
