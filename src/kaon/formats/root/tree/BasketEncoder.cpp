#include <kaon/formats/root/tree/BasketEncoder.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/batch/MemberValues.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/formats/root/container/Blocks.h>
#include <kaon/formats/root/objects/ByteOrder.h>
#include <kaon/formats/root/objects/ObjectHeader.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kaon::root {
namespace {

using BranchKind = BranchPlan::Kind;

constexpr std::uint16_t vectorVersion = 9; // readers ignore it

/// Returns the root table of a branch.
std::uint32_t rootOf(const Schema& schema, const BranchPlan& branch) {
  return schema.rootOf(branch.table);
}

/// Returns the approximate size of a branch in the whole batch.
std::size_t bytesOf(const BranchPlan& branch, const Schema& schema, const Batch& batch) {
  constexpr std::size_t ofEntry = 4;
  const Table info = schema.table(branch.table);
  const TableView& view = batch.table(branch.table);
  std::size_t sum = batch.entries() * ofEntry;
  if (branch.kind == BranchKind::counts || branch.kind == BranchKind::presence)
    return sum;
  const bool isOneMember = branch.kind == BranchKind::counted;
  for (MemberNumber member = 0; member < info.members.size(); ++member)
    if (!isOneMember || member == branch.member)
      sum += view.rows * info.members[member].size();
  return sum;
}

} // namespace

std::size_t keyBytesOfBasket(std::string_view branch, std::string_view tree) {
  RecordKey key;
  key.className = "TBasket";
  key.name = branch;
  key.title = tree;
  key.isWide = true; // baskets are encoded before their position is known
  return keyBytesOf(key) + basketKeyBytes;
}

template <class T>
void BasketEncoder::append(T value) {
  storeBigEndian(value, m_data.grow(sizeof(T)));
}

void BasketEncoder::encode(std::span<const BranchPlan> branches, const Schema& schema,
                           const Batch& batch, EncodedBaskets& out) {
  out.entries = batch.entries();
  for (std::uint32_t number = 0; number < branches.size(); ++number) {
    const auto present = batch.table(branches[number].table).present;
    if (branches[number].kind != BranchKind::presence ||
        std::ranges::find(present, std::byte{0}) != present.end())
      encodeBranch(branches[number], number, schema, batch, out);
  }
}

void BasketEncoder::encodeBranch(const BranchPlan& branch, std::uint32_t number,
                                 const Schema& schema, const Batch& batch, EncodedBaskets& out) {
  const std::size_t pieces = bytesOf(branch, schema, batch) / m_pageBytes + 1;
  const std::size_t each = (batch.entries() + pieces - 1) / pieces;
  for (std::size_t first = 0; first < batch.entries(); first += each) {
    EncodedBasket& basket = out.baskets.emplace_back();
    basket.branch = number;
    encodeBasket(branch, schema, batch, {first, std::min(first + each, batch.entries())}, basket,
                 out.pages);
  }
}

/// Encodes a basket: the data of the entries and, if their sizes vary, the start of each entry.
void BasketEncoder::encodeBasket(const BranchPlan& branch, const Schema& schema, const Batch& batch,
                                 Range entries, EncodedBasket& basket, Buffer& out) {
  constexpr std::size_t mostBytes = std::size_t{1} << 30;
  const Table info = schema.table(branch.table);
  const TableView& view = batch.table(branch.table);
  m_data.clear();
  m_begins.clear();
  switch (branch.kind) {
  case BranchKind::values:
    collectValues(info, view, entries);
    break;
  case BranchKind::counts:
    collectCounts(branch, batch, entries, basket);
    break;
  case BranchKind::counted:
    collectCounted(info.members[branch.member], view, branch.member, entries);
    break;
  case BranchKind::vector:
    collectVectors(info.members[0], view, entries);
    break;
  case BranchKind::text:
  case BranchKind::texts:
    collectTexts(branch, schema, batch, entries);
    break;
  case BranchKind::presence:
    m_data.append(view.present.subspan(entries.first, entries.size()));
  }
  const std::size_t data = m_data.size();
  if (data > mostBytes)
    fail(ErrorKind::usage, "the tree '", m_tree, "': '", branch.name, "': ", data, " bytes in ",
         counted(entries.size(), "entry", "entries"), " are too many for a basket of a tree");
  if (m_begins.empty()) {
    basket.entryBytes = static_cast<std::uint32_t>(data / entries.size());
  } else {
    const std::size_t keyBytes = keyBytesOfBasket(branch.name, m_tree);
    append(static_cast<std::uint32_t>(m_begins.size() + 1));
    for (const std::uint32_t begin : m_begins)
      append(static_cast<std::uint32_t>(keyBytes + begin));
    append(std::uint32_t{0}); // ROOT reserves one more
  }
  basket.entries = static_cast<std::uint32_t>(entries.size());
  basket.dataBytes = static_cast<std::uint32_t>(data);
  basket.objectBytes = static_cast<std::uint32_t>(m_data.size());
  basket.position = out.size();
  if (!compressBlocks(m_codec, m_data.bytes(), out))
    out.append(m_data.bytes());
  basket.bytes = static_cast<std::uint32_t>(out.size() - basket.position);
}

/// Collects rows of all members, without padding.
void BasketEncoder::collectValues(const Table& info, const TableView& view, Range entries) {
  if (info.members.size() == 1)
    return appendNumbers(info.members[0], view.members[0], entries);
  std::size_t rowBytes = 0;
  for (const Member& member : info.members)
    rowBytes += member.size();
  Buffer rows;
  const auto out = rows.assign(rowBytes * entries.size());
  std::size_t offset = 0;
  for (MemberNumber i = 0; i < info.members.size(); ++i) {
    const Member member = info.members[i];
    m_data.clear();
    appendNumbers(member, view.members[i], entries);
    detail::copyStrided(out.data() + offset, rowBytes, m_data.data(), member.size(), entries.size(),
                        member.size());
    offset += member.size();
  }
  m_data = std::move(rows);
}

void BasketEncoder::collectCounts(const BranchPlan& branch, const Batch& batch, Range entries,
                                  EncodedBasket& basket) {
  const TableView& view = batch.table(branch.table);
  const bool hasValue = branch.counts != Table::none;
  for (std::size_t entry = entries.first; entry < entries.last; ++entry) {
    const std::uint32_t rows = view.offsets[entry + 1] - view.offsets[entry];
    if (hasValue &&
        detail::loadAs<std::uint32_t>(batch.table(branch.counts).members[0].at(entry)) != rows)
      fail(ErrorKind::usage, "the tree '", m_tree, "': '", branch.name,
           "' must equal the number of rows that it counts in the tree");
    append(rows);
    basket.mostRows = std::max(basket.mostRows, rows);
  }
}

void BasketEncoder::collectCounted(const Member& member, const TableView& view,
                                   std::uint32_t number, Range entries) {
  const std::uint32_t first = view.offsets[entries.first];
  for (std::size_t entry = entries.first; entry < entries.last; ++entry)
    m_begins.push_back((view.offsets[entry] - first) * member.size());
  appendNumbers(member, view.members[number], {first, view.offsets[entries.last]});
}

void BasketEncoder::collectVectors(const Member& member, const TableView& view, Range entries) {
  for (std::size_t entry = entries.first; entry < entries.last; ++entry) {
    const std::uint32_t first = view.offsets[entry], last = view.offsets[entry + 1];
    m_begins.push_back(static_cast<std::uint32_t>(m_data.size()));
    const std::size_t bytes =
        sizeof(vectorVersion) + sizeof(std::uint32_t) + (last - first) * member.size();
    append(hasByteCount | static_cast<std::uint32_t>(bytes));
    append(vectorVersion);
    append(last - first);
    appendNumbers(member, view.members[0], {first, last});
  }
}

/// Collects a string for each entry, or a vector of strings.
void BasketEncoder::collectTexts(const BranchPlan& branch, const Schema& schema, const Batch& batch,
                                 Range entries) {
  const TableView& characters = batch.table(branch.table);
  const auto ends = characters.offsets;
  const auto strings = batch.table(rootOf(schema, branch)).offsets;
  for (std::size_t entry = entries.first; entry < entries.last; ++entry) {
    const std::size_t begin = m_data.size();
    m_begins.push_back(static_cast<std::uint32_t>(begin));
    if (branch.kind == BranchKind::text) {
      appendText(characters.members[0], {ends[entry], ends[entry + 1]});
      continue;
    }
    append(std::uint32_t{0}); // the length, which is set below
    append(vectorVersion);
    append(strings[entry + 1] - strings[entry]);
    for (std::size_t i = strings[entry]; i < strings[entry + 1]; ++i)
      appendText(characters.members[0], {ends[i], ends[i + 1]});
    const std::size_t bytes = m_data.size() - begin - sizeof(std::uint32_t);
    storeBigEndian(hasByteCount | static_cast<std::uint32_t>(bytes), m_data.data() + begin);
  }
}

void BasketEncoder::appendNumbers(const Member& member, const ColumnView& values, Range rows) {
  if (rows.size() == 0)
    return;
  const std::byte* const in = valuesInOrder(member, values, rows.first, rows.size(), m_values);
  const std::size_t count = rows.size() * member.extent, size = sizeOf(member.type);
  std::byte* const out = m_data.grow(count * size);
  if (size == 1)
    std::memcpy(out, in, count);
  else
    turnBytes(size, in, count, out);
}

void BasketEncoder::appendText(const ColumnView& characters, Range rows) {
  constexpr std::size_t longText = 255;
  if (rows.size() < longText) {
    append(static_cast<std::uint8_t>(rows.size()));
  } else {
    append(static_cast<std::uint8_t>(longText));
    append(static_cast<std::uint32_t>(rows.size()));
  }
  if (rows.size() > 0)
    detail::copyStrided(m_data.grow(rows.size()), 1, characters.at(rows.first), characters.stride,
                        rows.size(), 1);
}

} // namespace kaon::root
