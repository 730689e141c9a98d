// Measures the benefit of each encoding and of each transform of planes: how much larger files
// become without it, and how much longer decoding takes.
//
//     ablation [FILE.kaon...]
//
// Encodes all pages of the files as a writer does, once with all encodings and once without each of
// them. Encodes the columns of the workloads "bank" and "floats" first. Encodings inside others are
// always allowed.

#include <kaon/base/Buffer.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/event/Reader.h>

#include "common/Bank.h"
#include "common/Floats.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using kaon::Buffer;
using kaon::Compression;
using kaon::codec::Element;
using kaon::codec::Encoding;
using kaon::codec::EncodingChooser;
using kaon::codec::encodingTable;
using kaon::codec::Scheme;
using kaon::codec::Transform;

/// The decoded pages of a column, one after another.
struct Column {
  Element element;
  Buffer values;
  std::vector<std::size_t> pageEnds{};

  void add(std::span<const std::byte> page) {
    if (page.empty())
      return;
    values.append(page);
    pageEnds.push_back(values.size());
  }
  template <class Use>
  void forEachPage(Use use) const {
    std::size_t begin = 0;
    for (const std::size_t end : pageEnds) {
      use(values.bytes().subspan(begin, end - begin));
      begin = end;
    }
  }
};
using Columns = std::vector<Column>;

Element elementOf(const kaon::Schema& schema, const kaon::Column& column) {
  if (column.role != kaon::ColumnRole::member)
    return {.size = column.elementSize};
  return kaon::detail::elementOf(schema.table(column.table).members[column.member]);
}

Column columnOf(const kaon::Source& source, kaon::detail::Window& window, std::uint32_t number) {
  const kaon::Schema& schema = source.schema();
  const kaon::Column& info = schema.columns()[number];
  Column column{elementOf(schema, info), {}};
  std::vector<std::uint32_t> counts;
  for (std::uint64_t entry = 0; entry < source.entries();
       entry = window.pages(info.table, entry).lastEntry) {
    const kaon::detail::Page& page = window.page(number, entry);
    if (page.isRepeated)
      continue;
    if (info.role == kaon::ColumnRole::counts) {
      const auto* const sums = reinterpret_cast<const std::uint32_t*>(page.data);
      counts.assign(sums + 1, sums + page.values);
      for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] -= sums[i];
      column.add(std::as_bytes(std::span(counts)));
    } else {
      column.add({page.data, page.values * info.elementSize});
    }
  }
  return column;
}

Columns columnsOf(const std::string& path) {
  Columns columns;
  const kaon::Reader reader(path);
  for (const std::string& name : reader.file().categories()) {
    const kaon::Source& source = reader.file().category(name);
    kaon::detail::Window window(source);
    for (std::uint32_t number = 0; number < source.schema().columns().size(); ++number)
      columns.push_back(columnOf(source, window, number));
  }
  return columns;
}

template <class T>
Column columnOf(const std::vector<T>& values) {
  constexpr std::size_t bytesOfPage = 65536;
  Column column{{sizeof(T), std::is_floating_point_v<T>, std::is_signed_v<T>, {}}, {}};
  const auto bytes = std::as_bytes(std::span(values));
  for (std::size_t begin = 0; begin < bytes.size(); begin += bytesOfPage)
    column.add(bytes.subspan(begin, std::min(bytesOfPage, bytes.size() - begin)));
  return column;
}

Columns bankColumns() {
  Columns columns;
  bench::forEachColumn([&](const auto& values) { columns.push_back(columnOf(values)); },
                       bench::makeBank(100'000));
  return columns;
}

struct Result {
  std::size_t bytes = 0;
  double decodeSeconds = 0;
  std::vector<std::size_t> bytesBy =
      std::vector<std::size_t>(encodingTable().size()); ///< by encoding
};

double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Body>
double medianSeconds(Body body) {
  std::array<double, 7> seconds;
  for (double& each : seconds) {
    const double begin = cpuSeconds();
    body();
    each = cpuSeconds() - begin;
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

struct StoredPage {
  Encoding encoding;
  std::size_t end;
};

Result measure(const Column& column, Compression how, std::optional<Scheme> forbidden) {
  EncodingChooser chooser(column.element, how);
  if (forbidden)
    chooser.forbid(*forbidden);
  Result result;
  Buffer stored;
  std::vector<StoredPage> pages;
  std::size_t most = 0;
  column.forEachPage([&](std::span<const std::byte> values) {
    const std::size_t begin = stored.size();
    const Encoding encoding = chooser.encode(values, stored);
    pages.push_back({encoding, stored.size()});
    result.bytesBy[static_cast<std::size_t>(encoding)] += stored.size() - begin;
    most = std::max(most, values.size());
  });
  result.bytes = stored.size();
  std::vector<std::byte> decoded(most);
  result.decodeSeconds = medianSeconds([&] {
    std::size_t number = 0, begin = 0;
    column.forEachPage([&](std::span<const std::byte> values) {
      const auto [encoding, end] = pages[number++];
      if (!kaon::codec::decode(encoding, column.element, stored.bytes().subspan(begin, end - begin),
                               std::span(decoded).first(values.size())))
        throw std::runtime_error("a page does not decode");
      begin = end;
    });
  });
  return result;
}

Result measure(const Columns& columns, Compression how, std::optional<Scheme> forbidden = {}) {
  Result sum;
  for (const Column& column : columns) {
    const Result result = measure(column, how, forbidden);
    sum.bytes += result.bytes;
    sum.decodeSeconds += result.decodeSeconds;
    std::ranges::transform(sum.bytesBy, result.bytesBy, sum.bytesBy.begin(), std::plus());
  }
  return sum;
}

/// Returns all encodings except raw, and the transforms that a writer can do without.
std::vector<Scheme> removable() {
  std::vector<Scheme> schemes;
  for (const auto& row : encodingTable().subspan(1)) {
    schemes.emplace_back(row.encoding);
    for (const Transform transform : row.transforms)
      if (row.areTransformsTried && transform != Transform::none)
        schemes.emplace_back(row.encoding, transform);
  }
  return schemes;
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void report(const std::string& name, const Columns& columns) {
  std::size_t decodedBytes = 0;
  for (const Column& column : columns)
    decodedBytes += column.values.size();
  for (const Compression how : {kaon::uncompressed(), kaon::lz4(), kaon::zstd()}) {
    const Result all = measure(columns, how);
    const auto bytes = static_cast<double>(all.bytes);
    std::printf("\n%s, %s: %zu columns, %.3f MB, stored %.3f MB, decoded in %.2f ms\n",
                name.c_str(), std::string(kaon::codecName(how.codec)).c_str(), columns.size(),
                1e-6 * static_cast<double>(decodedBytes), 1e-6 * bytes, 1e3 * all.decodeSeconds);
    std::printf("  %-17s %9s %22s %22s\n", "encoding", "of bytes", "bytes without it",
                "decoding without it");
    for (const Scheme& scheme : removable()) {
      const std::size_t bytesBy = all.bytesBy[static_cast<std::size_t>(scheme.encoding)];
      if (bytesBy == 0)
        continue;
      const Result without = measure(columns, how, scheme);
      std::printf("  %-17s %7.2f %% %+20.2f %% %+20.1f %%\n",
                  kaon::codec::schemeName(scheme).c_str(),
                  percent(static_cast<double>(bytesBy), bytes),
                  percent(static_cast<double>(without.bytes) - bytes, bytes),
                  percent(without.decodeSeconds - all.decodeSeconds, all.decodeSeconds));
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  try {
    report("bank", bankColumns());
    Columns floats;
    floats.push_back(columnOf(bench::makeFloats(1'000'000)));
    report("floats", floats);
    for (int i = 1; i < argc; ++i)
      report(std::filesystem::path(argv[i]).filename().string(), columnsOf(argv[i]));
    if (argc == 1)
      std::puts("\nReal files were left out: none was named.");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
