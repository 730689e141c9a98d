#include <kaon/tools/PrecisionTrial.h>

#include <kaon/base/ProgressCount.h>
#include <kaon/base/Tasks.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/RoundTo.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/detail/reading/Window.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace kaon {
namespace {

constexpr int sampledPages = 4; // per cluster

/// Measures the bytes of a column's pages after one member is rounded.
class Trial {
public:
  Trial(const Schema& schema, TableNumber table, MemberNumber member, Compression how,
        Precision precision)
      : m_place(schema.place(table, member)), m_member(schema.table(table).members[member]),
        m_elementSize(schema.stride(m_place)), m_precision(precision),
        m_chooser(elementOf(schema, m_place.column, m_member, precision), how) {}

  void add(std::span<const std::byte> page) {
    m_page.clear();
    m_page.append(page);
    if (m_precision.kind != Precision::Kind::exact && !page.empty())
      round();
    m_encoded.clear();
    const codec::Encoding encoding = m_chooser.shrink(m_page.bytes(), m_encoded);
    m_bytes += encoding == codec::Encoding::raw ? m_page.size() : m_encoded.size();
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return m_bytes; }

private:
  static codec::Element elementOf(const Schema& schema, ColumnNumber column, const Member& member,
                                  const Precision& precision) {
    if (schema.columns()[column].role != ColumnRole::member)
      return {.size = schema.columns()[column].elementSize};
    codec::Element element = kaon::detail::elementOf(member);
    if (precision.kind != Precision::Kind::exact)
      element.precision = precision;
    return element;
  }

  void round() {
    const std::size_t size = m_member.size();
    const std::size_t rows = m_page.size() / m_elementSize;
    const auto values = m_values.assign(rows * size);
    std::byte* const inPage = m_page.data() + m_place.offset;
    detail::copyStrided(values.data(), size, inPage, m_elementSize, rows, size);
    codec::roundTo(m_precision, kaon::detail::elementOf(m_member), values, values);
    detail::copyStrided(inPage, m_elementSize, values.data(), size, rows, size);
  }

  detail::MemberPosition m_place;
  Member m_member;
  std::size_t m_elementSize;
  Precision m_precision;
  codec::EncodingChooser m_chooser;
  Buffer m_page, m_values, m_encoded;
  std::uint64_t m_bytes = 0;
};

/// Returns the entries whose pages are sampled.
std::vector<std::uint64_t> sampledEntries(const Source& source, TableNumber group) {
  const auto clusters = source.clusters();
  std::vector<std::uint64_t> entries;
  if (clusters.empty())
    return entries;
  const auto cursor = source.cursor();
  for (const std::size_t number :
       std::set<std::size_t>{0, clusters.size() / 2, clusters.size() - 1}) {
    std::uint64_t entry = clusters[number].first;
    for (int page = 0; page < sampledPages && entry < clusters[number].last; ++page) {
      entries.push_back(entry);
      entry = cursor->pages(group, entry).lastEntry;
    }
  }
  return entries;
}

bool isTried(const Member& member, unsigned bits) {
  const unsigned most = member.type == Scalar::Float64 ? 51 : 22;
  const bool isCoarse =
      member.precision.kind == Precision::Kind::range ||
      (member.precision.kind == Precision::Kind::mantissa && member.precision.bits <= bits);
  return bits <= most && !isCoarse;
}

std::vector<PrecisionTrial> tryMember(const Source& source, TableNumber table, MemberNumber member,
                                      Compression how, const std::vector<unsigned>& bits) {
  const Schema& schema = source.schema();
  const ColumnNumber column = schema.place(table, member).column;
  std::vector<PrecisionTrial> results;
  std::vector<Trial> trials;
  trials.emplace_back(schema, table, member, how, Precision{});
  for (const unsigned each : bits)
    if (isTried(schema.table(table).members[member], each)) {
      results.push_back({table, member, schema.nameOfMember(table, member), each, 0});
      trials.emplace_back(schema, table, member, how, mantissaBits(each));
    }
  if (results.empty())
    return results;
  detail::Window window(source);
  for (const std::uint64_t entry : sampledEntries(source, schema.groupOf(table))) {
    const detail::Page& page = window.page(column, entry);
    if (!page.isRepeated)
      for (Trial& trial : trials)
        trial.add({page.data, page.values * schema.columns()[column].elementSize});
  }
  const auto exact = static_cast<double>(trials[0].bytes());
  const auto stored = static_cast<double>(source.usage(column).value_or(ColumnUsage{}).storedBytes);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const auto rounded = static_cast<double>(trials[i + 1].bytes()); rounded < exact)
      results[i].savedBytes = static_cast<std::uint64_t>(stored * (1 - rounded / exact));
  return results;
}

} // namespace

std::vector<PrecisionTrial> tryPrecision(const Source& source, Compression codec,
                                         const std::vector<unsigned>& bits,
                                         const Progress& progress) {
  const Schema& schema = source.schema();
  std::vector<TableMember> floats;
  for (TableNumber table = 0; table < schema.size(); ++table)
    for (MemberNumber member = 0; member < schema.table(table).members.size(); ++member)
      if (detail::elementOf(schema.table(table).members[member]).isFloat)
        floats.emplace_back(table, member);
  std::vector<std::vector<PrecisionTrial>> results(floats.size());
  ProgressCount count(progress, floats.size());
  forEach(floats.size(), [&](std::size_t i) {
    results[i] = tryMember(source, floats[i].table, floats[i].member, codec, bits);
    count.add(1);
  });
  std::vector<PrecisionTrial> all;
  for (auto& each : results)
    std::ranges::move(each, std::back_inserter(all));
  return all;
}

Compression codecOf(const Source& source) {
  std::map<Codec, std::uint64_t> bytesBy;
  bool isEncoded = false; // writers without a codec do not encode
  for (ColumnNumber column = 0; column < source.schema().columns().size(); ++column)
    for (const StoredForm& form : source.usage(column).value_or(ColumnUsage{}).forms) {
      isEncoded |= form.encoding > codec::Encoding::constant;
      if (form.codec != Codec::none && form.codec <= Codec::lzma)
        bytesBy[form.codec] += form.bytes;
    }
  const auto most =
      std::ranges::max_element(bytesBy, {}, [](const auto& each) { return each.second; });
  if (most == bytesBy.end())
    return isEncoded ? zstd() : uncompressed();
  return {most->first, 1};
}

} // namespace kaon
