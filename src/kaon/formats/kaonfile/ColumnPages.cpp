#include <kaon/formats/kaonfile/ColumnPages.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/kaonfile/ClusterIdentity.h>

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace kaon::kaonfile {
namespace {

constexpr std::uint8_t hasEnds = 1;

void putVarint(Buffer& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    *out.grow(1) = static_cast<std::byte>(value | 0x80);
  *out.grow(1) = static_cast<std::byte>(value);
}

template <class T>
void putNumber(Buffer& out, T value) {
  std::memcpy(out.grow(sizeof value), &value, sizeof value);
}

/// Reads numbers of variable length, and bytes. Throws if they end too early.
class DescriptionReader {
public:
  DescriptionReader(std::span<const std::byte> bytes, const ClusterInFile& cluster)
      : m_rest(bytes), m_cluster(cluster) {}

  [[nodiscard]] std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(take(1)[0]);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (shift == 63 && byte > 1)
          break;
        return value;
      }
    }
    failDamaged("a number in it is too large");
  }
  [[nodiscard]] std::uint32_t shortVarint() {
    const std::uint64_t value = varint();
    if (value > std::numeric_limits<std::uint32_t>::max())
      failDamaged("a number in it is too large");
    return static_cast<std::uint32_t>(value);
  }
  template <class T>
  [[nodiscard]] T number() {
    return detail::loadAs<T>(take(sizeof(T)).data());
  }
  [[nodiscard]] std::span<const std::byte> take(std::uint64_t count) {
    if (count > m_rest.size())
      failDamaged("it ends too early");
    const auto taken = m_rest.first(static_cast<std::size_t>(count));
    m_rest = m_rest.subspan(taken.size());
    return taken;
  }
  [[nodiscard]] std::size_t left() const noexcept { return m_rest.size(); }
  [[noreturn]] void failDamaged(const char* what) const { m_cluster.failDamaged(what); }

private:
  std::span<const std::byte> m_rest;
  const ClusterInFile& m_cluster;
};

void putBounds(Buffer& out, const PageBounds& bounds, Scalar type) {
  putNumber(out, static_cast<std::uint8_t>(bounds.flags));
  if (has(bounds.flags, PageFlags::unbounded))
    return;
  const std::size_t size = sizeOf(type);
  out.append(std::as_bytes(std::span(&bounds.bounds.least, 1)).first(size));
  out.append(std::as_bytes(std::span(&bounds.bounds.greatest, 1)).first(size));
}

PageBounds readBounds(DescriptionReader& in, Scalar type) {
  constexpr unsigned known = 3; // other flags are ignored
  PageBounds bounds;
  bounds.flags = static_cast<PageFlags>(in.number<std::uint8_t>() & known);
  if (has(bounds.flags, PageFlags::unbounded))
    return bounds;
  const std::size_t size = sizeOf(type);
  std::memcpy(&bounds.bounds.least, in.take(size).data(), size);
  std::memcpy(&bounds.bounds.greatest, in.take(size).data(), size);
  return bounds;
}

/// Appends a page. `end` is the end of the previous page that is not short, and becomes the end of
/// this one.
void putPage(Buffer& out, const PageEntry& page, std::uint64_t& end) {
  putNumber(out, static_cast<std::uint8_t>(page.encoding));
  putNumber(out, page.codec);
  putVarint(out, page.values);
  putVarint(out, page.size);
  if (page.isShort) {
    putVarint(out, 0);
    out.append(std::span(page.bytes).first(static_cast<std::size_t>(page.size)));
    return;
  }
  putVarint(out, page.position - end + 1);
  putNumber(out, page.checksum);
  end = page.position + page.size;
}

PageEntry readPage(DescriptionReader& in, std::uint64_t& end) {
  PageEntry page;
  page.encoding = static_cast<Encoding>(in.number<std::uint8_t>());
  page.codec = in.number<std::uint8_t>();
  page.values = in.shortVarint();
  page.size = in.varint();
  const std::uint64_t place = in.varint();
  if (place == 0) {
    if (page.size > shortPage)
      in.failDamaged("a page in it is too long");
    page.isShort = true;
    const auto bytes = in.take(page.size);
    std::memcpy(page.bytes.data(), bytes.data(), bytes.size());
    return page;
  }
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (place > most || page.size > most || end + (place - 1) > most - page.size)
    in.failDamaged("a page lies outside of it");
  page.position = end + (place - 1);
  page.checksum = in.number<std::uint32_t>();
  end = page.position + page.size;
  return page;
}

} // namespace

std::uint32_t pageChecksum(std::span<const std::byte> stored) noexcept {
  return static_cast<std::uint32_t>(checksum(stored));
}

void ClusterInFile::failDamaged(std::string_view what) const {
  fail(ErrorKind::corrupt, bytes.name(), ": cluster at byte ", position, ": ", what,
       causeOfDamage(bytes, fileId));
}

ClusterMetaWriter::ClusterMetaWriter(const Schema& schema, Buffer& out)
    : m_schema(schema), m_out(out), m_blocks(blocksOf(schema.columns().size())) {
  m_out.clear();
  const std::size_t size = static_cast<std::size_t>(blockPlace(m_blocks + 1));
  std::memset(m_out.grow(size), 0, size);
  std::memcpy(m_out.data(), &m_blocks, sizeof m_blocks);
}

void ClusterMetaWriter::add(ColumnNumber column, const ColumnPages& described) {
  while (m_block < blockOf(column))
    endBlock();
  m_has = static_cast<std::uint16_t>(m_has | 1U << (column % columnsOfBlock));
  m_description.clear();
  putNumber(m_description, described.ends.empty() ? std::uint8_t{0} : hasEnds);
  putVarint(m_description, described.pages.size());
  std::uint32_t begin = 0;
  for (const std::uint32_t end : described.ends)
    putVarint(m_description, end - std::exchange(begin, end));
  const Column& info = m_schema.columns()[column];
  const auto members = m_schema.table(info.table).members;
  const std::uint32_t firstMember = membersIn(m_schema, info).first;
  std::uint64_t end = 0;
  auto bounds = described.bounds.begin();
  for (const PageEntry& page : described.pages) {
    putPage(m_description, page, end);
    for (std::size_t i = 0; i < described.members(); ++i)
      putBounds(m_description, *bounds++, members[firstMember + i].type);
  }
  putVarint(m_body, m_description.size());
  m_body.append(m_description.bytes());
}

void ClusterMetaWriter::endBlock() {
  const auto begin = static_cast<std::uint32_t>(m_out.size());
  std::memcpy(m_out.data() + blockPlace(m_block), &begin, sizeof begin);
  if (m_has != 0) {
    const std::size_t at = m_out.size();
    putNumber(m_out, std::uint64_t{0});
    putNumber(m_out, m_block * columnsOfBlock);
    putNumber(m_out, m_has);
    m_out.append(m_body.bytes());
    const std::uint64_t sum = checksum(m_out.bytes().subspan(at + sizeof(std::uint64_t)));
    std::memcpy(m_out.data() + at, &sum, sizeof sum);
  }
  m_body.clear();
  m_has = 0;
  ++m_block;
}

void ClusterMetaWriter::finish() {
  while (m_block < m_blocks)
    endBlock();
  if (m_out.size() > std::numeric_limits<std::uint32_t>::max())
    fail(ErrorKind::usage, "the description of a cluster's pages would take ", m_out.size(),
         " bytes, more than 4 GiB: write smaller clusters, or larger pages");
  const auto end = static_cast<std::uint32_t>(m_out.size());
  std::memcpy(m_out.data() + blockPlace(m_blocks), &end, sizeof end);
}

ColumnBlockReader::ColumnBlockReader(std::span<const std::byte> block, std::uint32_t number,
                                     ClusterInFile cluster)
    : m_number(number), m_cluster(cluster) {
  if (block.empty())
    return;
  DescriptionReader in(block, m_cluster);
  const auto sum = in.number<std::uint64_t>();
  if (sum != (checksum(block.subspan(sizeof sum)) ^ m_cluster.seal))
    in.failDamaged(m_cluster.seal != 0
                       ? "the description of its columns does not match its checksum, "
                         "or belongs to another cluster or file"
                       : "the description of its columns does not match its checksum");
  if (in.number<std::uint32_t>() != number * columnsOfBlock)
    in.failDamaged("it describes other columns than expected");
  m_has = in.number<std::uint16_t>();
  m_descriptions = in.take(in.left());
}

void ColumnBlockReader::read(const Schema& schema, ColumnNumber column, ColumnPages& out) const {
  out.clear();
  DescriptionReader all(m_descriptions, m_cluster);
  const std::uint32_t bit = column % columnsOfBlock;
  for (int before = std::popcount(m_has & ((1U << bit) - 1)); before > 0; --before)
    (void)all.take(all.varint());
  DescriptionReader in(all.take(all.varint()), m_cluster);
  const bool isFirst = (in.number<std::uint8_t>() & hasEnds) != 0;
  const std::uint64_t pages = in.varint();
  if (pages > in.left())
    in.failDamaged("it ends too early");
  std::uint64_t end = 0;
  for (std::uint64_t page = 0; isFirst && page < pages; ++page) {
    const std::uint32_t entries = in.shortVarint();
    end += entries;
    if (entries == 0 || end > std::numeric_limits<std::uint32_t>::max())
      in.failDamaged("its page boundaries are out of order");
    out.ends.push_back(static_cast<std::uint32_t>(end));
  }
  const Column& info = schema.columns()[column];
  const auto members = schema.table(info.table).members;
  const auto [firstMember, lastMember] = membersIn(schema, info);
  std::uint64_t last = 0;
  for (std::uint64_t page = 0; page < pages; ++page) {
    out.pages.push_back(readPage(in, last));
    for (MemberNumber member = firstMember; member < lastMember; ++member)
      out.bounds.push_back(readBounds(in, members[member].type));
  }
}

} // namespace kaon::kaonfile
