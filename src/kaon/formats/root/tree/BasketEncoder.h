#pragma once

#include <kaon/codec/Codec.h>
#include <kaon/formats/root/RootCategoryWriter.h>
#include <kaon/formats/root/tree/BranchPlan.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kaon::root {

/// Some entries of a branch among the baskets of their cluster.
struct EncodedBasket {
  std::uint64_t position = 0; ///< of the stored bytes
  std::uint32_t bytes = 0;    ///< stored
  std::uint32_t branch = 0;
  std::uint32_t entries = 0;
  std::uint32_t objectBytes = 0; ///< decoded bytes
  std::uint32_t dataBytes = 0;   ///< decoded bytes of the entries, without offsets
  std::uint32_t entryBytes = 0;  ///< of each entry; 0 if it varies
  std::uint32_t mostRows = 0;    ///< of an entry, in a branch of counts
};

/// The baskets of a cluster.
struct EncodedBaskets final : EncodedEntries {
  explicit EncodedBaskets(std::uint32_t tablesOfBatch) : tables(tablesOfBatch) {}
  [[nodiscard]] std::size_t bytesBeside() const noexcept override {
    return baskets.capacity() * sizeof baskets[0];
  }
  std::uint32_t tables; ///< number of tables when the cluster was encoded
  std::vector<EncodedBasket> baskets;
};

/// The size of the part of a basket's key behind the general key.
inline constexpr std::size_t basketKeyBytes = 19;
/// Returns the size of the whole key.
[[nodiscard]] std::size_t keyBytesOfBasket(std::string_view branch, std::string_view tree);

/// Encodes the baskets of clusters of one tree. For one thread at a time.
class BasketEncoder {
public:
  BasketEncoder(Compression codec, std::size_t pageBytes, std::string_view tree)
      : m_codec(codec), m_pageBytes(pageBytes), m_tree(tree) {}

  /// Encodes all branches of a batch. Leaves out the presence of tables that all of its entries
  /// have. Throws Error(usage) for an entry that is too large for a basket.
  void encode(std::span<const BranchPlan> branches, const Schema& schema, const Batch& batch,
              EncodedBaskets& out);
  /// Encodes one branch, including presence.
  void encodeBranch(const BranchPlan& branch, std::uint32_t number, const Schema& schema,
                    const Batch& batch, EncodedBaskets& out);

private:
  struct Range {
    std::size_t first, last;
    [[nodiscard]] std::size_t size() const noexcept { return last - first; }
  };
  void encodeBasket(const BranchPlan& branch, const Schema& schema, const Batch& batch,
                    Range entries, EncodedBasket& basket, Buffer& out);
  void collectValues(const Table& info, const TableView& view, Range entries);
  void collectCounts(const BranchPlan& branch, const Batch& batch, Range entries,
                     EncodedBasket& basket);
  void collectCounted(const Member& member, const TableView& view, std::uint32_t number,
                      Range entries);
  void collectVectors(const Member& member, const TableView& view, Range entries);
  void collectTexts(const BranchPlan& branch, const Schema& schema, const Batch& batch,
                    Range entries);
  void appendNumbers(const Member& member, const ColumnView& values, Range rows);
  void appendText(const ColumnView& characters, Range rows);
  template <class T>
  void append(T value);

  Compression m_codec;
  std::size_t m_pageBytes;
  std::string_view m_tree;
  Buffer m_data, m_values;
  std::vector<std::uint32_t> m_begins; // of entries in the data; empty if all have the same size
};

} // namespace kaon::root
