// Measures the gain of each encoding for the columns of the workloads "bank" and "floats": size,
// and speed of encoding and decoding, page by page. Measures bare codecs and memcpy for comparison.
//
//     encodings [EVENTS [all]]
//
// With "all", measures each encoding separately; otherwise only the one chosen for each codec.

#include <kaon/base/Buffer.h>
#include <kaon/codec/Chooser.h>
#include <kaon/codec/Encoding.h>
#include <kaon/codec/EncodingTable.h>
#include <kaon/codec/PageEncoding.h>
#include <kaon/codec/RoundTo.h>

#include "common/Bank.h"
#include "common/Floats.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using kaon::Buffer;
using kaon::Compression;
using kaon::codec::Element;
using kaon::codec::Encoding;
using kaon::codec::Scheme;
using kaon::codec::Transform;

/// The size of the widest column of a table. The bank's widest column has 4 bytes a row.
constexpr std::size_t bytesOfPage = 65536;
constexpr std::size_t mostRowsOfPage = bytesOfPage / 4;

double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

template <class Body>
double bestOf(int runs, Body body) {
  double best = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const double begin = cpuSeconds();
    body();
    best = std::min(best, cpuSeconds() - begin);
  }
  return best;
}

struct Column {
  std::string name;
  Element element;
  std::span<const std::byte> values;
  [[nodiscard]] std::size_t pageBytes() const {
    return std::min(mostRowsOfPage, bytesOfPage / element.size) * element.size;
  }
  template <class Use>
  void forEachPage(Use use) const {
    for (std::size_t at = 0; at < values.size(); at += pageBytes())
      use(values.subspan(at, std::min(pageBytes(), values.size() - at)));
  }
};

struct Result {
  std::size_t bytes = 0;
  double encodeSeconds = 0;
  double decodeSeconds = 0;
};

/// Pages one after another, each as `encodePage` stores it.
struct Pages {
  Buffer bytes;
  std::vector<std::size_t> ends;
  std::vector<Encoding> encodings;
};

template <class EncodePage>
Result measure(const Column& column, EncodePage encodePage) {
  Pages pages;
  Result result;
  result.encodeSeconds = bestOf(3, [&] {
    pages.bytes.clear();
    pages.ends.clear();
    pages.encodings.clear();
    column.forEachPage([&](std::span<const std::byte> page) {
      pages.encodings.push_back(encodePage(page, pages.bytes));
      pages.ends.push_back(pages.bytes.size());
    });
  });
  result.bytes = pages.bytes.size();
  std::vector<std::byte> values(column.pageBytes());
  const auto decodeAll = [&](auto check) {
    std::size_t begin = 0;
    std::size_t number = 0;
    column.forEachPage([&](std::span<const std::byte> page) {
      const std::size_t end = pages.ends[number];
      const std::span<std::byte> out(values.data(), page.size());
      if (!kaon::codec::decode(pages.encodings[number], column.element,
                               pages.bytes.bytes().subspan(begin, end - begin), out))
        throw std::runtime_error("a page does not decode");
      check(page, out);
      begin = end;
      ++number;
    });
  };
  decodeAll([](auto page, auto out) {
    if (!std::ranges::equal(page, out))
      throw std::runtime_error("a page decodes to something else");
  });
  result.decodeSeconds = bestOf(5, [&] { decodeAll([](auto, auto) {}); });
  return result;
}

/// Measures one encoding for all pages; pages to which it does not apply are raw.
Result measure(const Column& column, const Scheme& scheme, Compression how) {
  return measure(column, [&](std::span<const std::byte> page, Buffer& out) {
    if (kaon::codec::encode(scheme, column.element, page, how, out))
      return scheme.encoding;
    out.append(page);
    return Encoding::raw;
  });
}

void print(const Column& column, const std::string& name, const Result& result) {
  const auto size = static_cast<double>(column.values.size());
  std::printf("%-8s %-22s %6.3f %8.0f %8.2f %8.3f\n", column.name.c_str(), name.c_str(),
              static_cast<double>(result.bytes) / size, size / result.encodeSeconds / 1e6,
              size / result.decodeSeconds / 1e9,
              result.decodeSeconds * 1e9 / (size / column.element.size));
}

struct Variant {
  std::string name;
  Scheme scheme;
  Compression how;
};

std::vector<Variant> variants() {
  using enum Encoding;
  return {{"raw (memcpy)", raw, kaon::uncompressed()},
          {"packed", packed, kaon::uncompressed()},
          {"quantised", quantised, kaon::uncompressed()},
          {"dictionary", dictionary, kaon::uncompressed()},
          {"runs", runs, kaon::uncompressed()},
          {"frequent", frequent, kaon::lz4()},
          {"lz4", compressed, kaon::lz4()},
          {"bytePlanes lz4", bytePlanes, kaon::lz4()},
          {"bitPlanes lz4", bitPlanes, kaon::lz4()},
          {"bitPlanes:zigzag lz4", {bitPlanes, Transform::zigzag}, kaon::lz4()},
          {"bitPlanes:xor lz4", {bitPlanes, Transform::exclusiveOr}, kaon::lz4()},
          {"zstd", compressed, kaon::zstd()},
          {"parts zstd", parts, kaon::zstd()},
          {"quantised zstd", quantised, kaon::zstd()},
          {"bytePlanes zstd", bytePlanes, kaon::zstd()},
          {"bitPlanes zstd", bitPlanes, kaon::zstd()},
          {"dictionary zstd", dictionary, kaon::zstd()},
          {"runs zstd", runs, kaon::zstd()},
          {"frequent zstd", frequent, kaon::zstd()},
          {"zlib", compressed, kaon::zlib()},
          {"parts zlib", parts, kaon::zlib()},
          {"lzma", compressed, kaon::lzma()},
          {"parts lzma", parts, kaon::lzma()}};
}

struct Class {
  std::string name;
  Compression how;
  Result total; ///< of the bank's columns and counts
};

/// Measures a column as a writer stores it, with encodings chosen page by page.
void measureClass(const Column& column, Class& of, bool isOfBank) {
  kaon::codec::EncodingChooser chooser(column.element, of.how);
  std::vector<std::size_t> pages(kaon::codec::encodingTable().size());
  const Result result = measure(column, [&](std::span<const std::byte> page, Buffer& out) {
    const Encoding encoding = chooser.encode(page, out);
    ++pages[static_cast<std::size_t>(encoding)];
    return encoding;
  });
  const auto most = static_cast<std::size_t>(std::ranges::max_element(pages) - pages.begin());
  print(column,
        of.name + ": " + std::string(kaon::codec::encodingName(static_cast<Encoding>(most))),
        result);
  if (!isOfBank)
    return;
  of.total.bytes += result.bytes;
  of.total.encodeSeconds += result.encodeSeconds;
  of.total.decodeSeconds += result.decodeSeconds;
}

/// The bank's columns as an array of structs in a program.
struct Row {
  std::int32_t pid;
  float px, py, pz, vx, vy, vz, vt;
  std::int8_t charge;
  float beta, chi2pid;
  std::int16_t status;
};

/// Bytes between members are zero.
std::vector<std::byte> rowsOf(const bench::Bank& bank) {
  std::vector<std::byte> bytes(bank.rows() * sizeof(Row));
  const auto put = [&](std::size_t offset, const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      std::memcpy(bytes.data() + i * sizeof(Row) + offset, &values[i], sizeof(values[i]));
  };
  put(offsetof(Row, pid), bank.pid);
  put(offsetof(Row, px), bank.px);
  put(offsetof(Row, py), bank.py);
  put(offsetof(Row, pz), bank.pz);
  put(offsetof(Row, vx), bank.vx);
  put(offsetof(Row, vy), bank.vy);
  put(offsetof(Row, vz), bank.vz);
  put(offsetof(Row, vt), bank.vt);
  put(offsetof(Row, charge), bank.charge);
  put(offsetof(Row, beta), bank.beta);
  put(offsetof(Row, chi2pid), bank.chi2pid);
  put(offsetof(Row, status), bank.status);
  return bytes;
}

/// Rounds values in place to a precision, as a writer does.
Column rounded(Column column, const kaon::Precision& precision, std::vector<float>& values) {
  kaon::codec::roundTo(precision, column.element, column.values,
                       std::as_writable_bytes(std::span(values)));
  column.element.precision = precision;
  return column;
}

template <class T>
Column column(std::string name, const std::vector<T>& values) {
  return {std::move(name),
          {sizeof(T), std::is_floating_point_v<T>, std::is_signed_v<T>, {}},
          std::as_bytes(std::span(values))};
}

} // namespace

int main(int argc, char** argv) {
  const std::size_t events = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const bool all = argc > 2 && std::string_view(argv[2]) == "all";
  const bench::Bank bank = bench::makeBank(events);
  const std::vector<float> floats = bench::makeFloats(8 * events);
  std::vector<std::uint32_t> counts(events);
  for (std::size_t i = 0; i < events; ++i)
    counts[i] = bank.offsets[i + 1] - bank.offsets[i];
  std::vector<Column> columns{
      column("pT", floats),          column("pid", bank.pid),   column("px", bank.px),
      column("py", bank.py),         column("pz", bank.pz),     column("vx", bank.vx),
      column("vy", bank.vy),         column("vz", bank.vz),     column("vt", bank.vt),
      column("charge", bank.charge), column("beta", bank.beta), column("chi2pid", bank.chi2pid),
      column("status", bank.status), column("counts", counts)};
  const std::size_t ofBank = columns.size();
  const std::vector<std::byte> rows = rowsOf(bank);
  columns.push_back({"rows", {sizeof(Row), false, false, {}}, rows});
  std::vector<float> fewerBits = floats;
  columns.push_back(rounded(column("pT 12b", fewerBits), kaon::mantissaBits(12), fewerBits));
  std::vector<float> steps = bank.vz;
  columns.push_back(rounded(column("vz 12b", steps), kaon::detail::bitsIn(-20, 20, 12), steps));
  std::vector<Class> classes{{"lz4 class", kaon::lz4(), {}},
                             {"zstd class", kaon::zstd(), {}},
                             {"zlib class", kaon::zlib(), {}},
                             {"lzma class", kaon::lzma(), {}}};
  std::printf("column   encoding               stored  enc MB/s dec GB/s ns/value\n");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& c = columns[i];
    if (all)
      for (const Variant& variant : variants())
        print(c, variant.name, measure(c, variant.scheme, variant.how));
    for (Class& of : classes)
      measureClass(c, of, i > 0 && i < ofBank);
    std::printf("\n");
  }
  std::printf("bank of %zu events, %.1f MB\n", bank.events(),
              1e-6 * static_cast<double>(bank.bytes()));
  for (const Class& of : classes)
    std::printf("%-12s %6.3f of raw, encode %.3f s, decode %.3f s\n", of.name.c_str(),
                static_cast<double>(of.total.bytes) / static_cast<double>(bank.bytes()),
                of.total.encodeSeconds, of.total.decodeSeconds);
}
