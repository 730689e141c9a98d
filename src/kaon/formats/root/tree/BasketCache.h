#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/Source.h>
#include <kaon/detail/io/FetchedRanges.h>
#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/tree/Basket.h>
#include <kaon/formats/root/tree/TreeDescription.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kaon::root {

/// The current basket of each branch for one reader, decompressed. Beyond the memory budget it
/// keeps only baskets that are read alternately. For one thread.
class BasketCache {
public:
  /// `branches` by their slots. Baskets are taken from `fetched` if it has them.
  BasketCache(const RootContainer& container, std::string tree,
              std::vector<const BranchDescription*> branches, const io::FetchedRanges& fetched);

  /// Sets the sizes of the entries of a basket that does not store them.
  using SetSizes = std::function<void(Basket& basket)>;

  /// Returns the basket of a branch that has an entry. It is valid until the next call. Throws
  /// Error(corrupt), Error(version).
  [[nodiscard]] const Basket& at(std::uint32_t slot, std::uint64_t entry, const SetSizes& setSizes);

  /// Returns the places of the baskets of these branches that begin in the entries.
  [[nodiscard]] std::vector<io::ByteRange> rangesOf(std::span<const std::uint32_t> slots,
                                                    EntryRange entries) const;
  /// Drops baskets that may be in fetched bytes. Call this before other bytes are fetched.
  void dropFetched();

  [[nodiscard]] std::string where(std::uint32_t slot, std::uint64_t entry) const;

private:
  struct Slot {
    const BranchDescription* branch = nullptr;
    std::unique_ptr<Basket> basket;
    std::uint64_t lastUse = 0;
  };
  void load(std::uint32_t slot, std::uint64_t entry, Basket& basket);
  void makeRoom();
  void loadRecord(io::ByteRange range, std::uint64_t first, const std::string& name,
                  Basket& basket) const;

  const RootContainer& m_container;
  std::string m_tree;
  std::vector<Slot> m_slots;
  std::vector<std::uint32_t> m_open; // slots with a basket
  const io::FetchedRanges& m_fetched;
  std::uint64_t m_uses = 0;
  std::size_t m_memory = 0; // of all open baskets
};

} // namespace kaon::root
