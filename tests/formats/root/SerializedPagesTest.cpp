#include <kaon/formats/root/SerializedPages.h>

#include <kaon/base/Error.h>
#include <kaon/base/Hash.h>
#include <kaon/formats/root/RootFile.h>
#include <kaon/formats/root/RootFileWriter.h>
#include <kaon/formats/root/container/BigEndian.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchBuilder.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Writing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// Decodes pages by their own description only, and compares the values with batches.

namespace kaon::root {
namespace {

using test::dataFile;
using test::expectError;
using test::sharedFile;

using Number = long double; // holds all 64-bit integers
using Numbers = std::vector<Number>;

/// Returns the bits [at, at + count) of bytes, the lowest first.
std::uint64_t bitsAt(std::span<const std::byte> bytes, std::size_t at, std::size_t count) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i)
    bits |= std::uint64_t{(std::to_integer<unsigned>(bytes[(at + i) / 8]) >> ((at + i) % 8)) & 1U}
            << i;
  return bits;
}

Number floatOf(std::uint64_t bits, std::size_t count) {
  return count == 64
             ? Number{std::bit_cast<double>(bits)}
             : Number{std::bit_cast<float>(static_cast<std::uint32_t>(bits << (32 - count)))};
}

Number halfOf(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31), mantissa = static_cast<int>(bits & 1023);
  const double size =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  constexpr int special = 31;
  const double magnitude = exponent < special ? size : mantissa == 0 ? INFINITY : NAN;
  return bits >> 15 ? -magnitude : magnitude;
}

/// Returns the elements of an RNTuple's page. Indexes are relative to the page.
Numbers elementsOf(const SerializedPage& page, std::span<const std::byte> bytes) {
  const std::string type(page.form.type);
  const bool isSplit = type.starts_with("Split");
  const std::string plain = isSplit ? type.substr(5) : type;
  const std::size_t width = page.form.bits / 8, count = page.elements;
  Numbers numbers;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    if (isSplit)
      for (std::size_t part = 0; part < width; ++part)
        bits |= std::to_integer<std::uint64_t>(bytes[part * count + i]) << (8 * part);
    else
      bits = bitsAt(bytes, i * page.form.bits, page.form.bits);
    if (plain.starts_with("Index"))
      numbers.push_back(isSplit ? sum += bits : bits);
    else if (page.form.step != 0)
      numbers.push_back(
          static_cast<float>(page.form.low + static_cast<double>(bits) * page.form.step));
    else if (plain == "Real16")
      numbers.push_back(halfOf(bits));
    else if (plain.starts_with("Real"))
      numbers.push_back(floatOf(bits, page.form.bits));
    else if (plain.starts_with("Int") && isSplit)
      numbers.push_back(static_cast<std::int64_t>(bits >> 1) ^
                        -static_cast<std::int64_t>(bits & 1));
    else if (plain.starts_with("Int"))
      numbers.push_back(static_cast<std::int64_t>(bits << (64 - page.form.bits)) >>
                        (64 - page.form.bits));
    else
      numbers.push_back(bits);
  }
  return numbers;
}

/// Decodes a number of a basket.
Number numberAt(const SerializedForm& form, const std::byte* at) {
  std::uint64_t bits = 0;
  for (std::uint32_t byte = 0; byte < form.bits / 8; ++byte)
    bits = bits << 8 | std::to_integer<std::uint64_t>(at[byte]);
  if (form.step != 0)
    return form.low + static_cast<double>(bits) * form.step;
  if (form.type == "bool")
    return bits != 0;
  if (form.type == "truncated") {
    const std::uint64_t sign = std::uint64_t{1} << (form.mantissaBits + 1), low = bits & 0xFFFF;
    const std::uint64_t mantissa = (low & (sign - 1)) << (23 - form.mantissaBits);
    const Number size = floatOf(bits >> 16 << 23 | mantissa, 32);
    return (low & sign) != 0 ? -size : size;
  }
  if (form.type.starts_with("float"))
    return floatOf(bits, form.bits);
  if (form.type.starts_with("int"))
    return static_cast<std::int64_t>(bits << (64 - form.bits)) >> (64 - form.bits);
  return bits;
}

/// Returns the start of each entry of a basket and the end of the last. Returns nothing if only a
/// counter determines them.
std::vector<std::size_t> boundsOf(const SerializedPage& page, std::span<const std::byte> bytes) {
  std::vector<std::size_t> bounds;
  const auto behind = bytes.subspan(page.form.dataBytes);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < page.entries.size(); ++i)
    switch (page.form.bounds) {
    case SerializedForm::Bounds::fixed:
      bounds.push_back(i * page.form.entryBytes);
      break;
    case SerializedForm::Bounds::offsets:
      bounds.push_back(loadBigEndian<std::uint32_t>(&behind[4 * (i + 1)]) - page.form.keyBytes);
      break;
    case SerializedForm::Bounds::sizes:
      bounds.push_back(sum += loadBigEndian<std::uint32_t>(&behind[4 * (i + 1)]));
      break;
    case SerializedForm::Bounds::counter:
      return {};
    }
  bounds.push_back(page.form.dataBytes);
  return bounds;
}

Numbers numbersOf(const SerializedPage& page, std::span<const std::byte> bytes,
                  std::size_t perEntry) {
  Numbers numbers;
  const std::size_t width = page.form.bits / 8;
  std::vector<std::size_t> bounds = boundsOf(page, bytes);
  if (bounds.empty())
    bounds = {0, page.form.dataBytes}; // entries follow each other without gaps
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    std::size_t left = perEntry;
    for (std::size_t at = bounds[i] + page.form.skipped; at + width <= bounds[i + 1] && left > 0;
         at += width, --left)
      numbers.push_back(numberAt(page.form, &bytes[at]));
  }
  return numbers;
}

/// Returns the values of all pages of a member.
Numbers decoded(const Source& source, const std::string& name, std::uint32_t column) {
  const Schema& schema = source.schema();
  const Column info = schema.columns()[column];
  const bool isCounted = !schema.table(info.table).isRoot() || schema.table(info.table).isCounted();
  const std::size_t perEntry =
      isCounted ? ~std::size_t{0} : schema.table(info.table).members[info.member].extent;
  Numbers numbers;
  Buffer room;
  for (const SerializedPage& page : SerializedPages(source, {name})) {
    if (page.column != column)
      continue;
    if (page.hasChecksum) {
      EXPECT_EQ(page.checksum, checksum(page.bytes));
    }
    const auto bytes = decompressed(page, room);
    const Numbers some =
        page.elements > 0 ? elementsOf(page, bytes) : numbersOf(page, bytes, perEntry);
    numbers.insert(numbers.end(), some.begin(), some.end());
  }
  return numbers;
}

Numbers inBatches(const Source& source, const std::string& name, Scalar type) {
  Numbers numbers;
  const auto append = [&]<class T>(T /*zero*/) {
    for (const Batch& batch : Batches(source, {name}))
      for (const T value : batch.values<T>(name))
        numbers.push_back(static_cast<Number>(value));
  };
  if (type == Scalar::Bool)
    append(false);
  else
    withScalar(type, append);
  return numbers;
}

/// NaNs are equal here.
bool areSame(const Numbers& left, const Numbers& right) {
  return std::ranges::equal(left, right, [](Number a, Number b) {
    return a == b || (a != a && b != b) || static_cast<float>(a) == static_cast<float>(b);
  });
}

/// Compares all members that pages describe; returns their number.
int compare(const Source& source) {
  int compared = 0;
  const Schema& schema = source.schema();
  for (std::uint32_t column = 0; column < schema.columns().size(); ++column) {
    const Column info = schema.columns()[column];
    if (info.role != ColumnRole::member)
      continue; // presence or counts
    const std::string name = schema.nameOfMember(info.table, info.member);
    const Scalar type = schema.table(info.table).members[info.member].type;
    if (name.ends_with("var.tag"))
      continue; // 96-bit choices between alternatives
    try {
      const Numbers numbers = decoded(source, name, column);
      EXPECT_TRUE(areSame(numbers, inBatches(source, name, type))) << source.name() << ": " << name;
      ++compared;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    }
  }
  return compared;
}

std::unique_ptr<File> opened(const std::string& path, const OpenOptions& options = {}) {
  return openRootFile(io::fileSource(path), options);
}

struct RootBytes {
  Buffer bytes;
  std::unique_ptr<File> file;
};

/// Writes a category with numbers of each type, and the collection "hits".
RootBytes written(Compression codec, CategoryForm form) {
  RootBytes root;
  RootFileWriter writer(io::memorySink("memory.root", root.bytes), {codec, 256}, form);
  for (std::size_t type = 0; type < detail::scalarKinds; ++type)
    withScalar(static_cast<Scalar>(type), [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> numbers;
      for (int i = 0; i < 1'000; ++i)
        numbers.push_back(static_cast<T>(type == 0 ? i % 3 == 0 : i * i - 100 * i));
      writer.write(
          "type" + std::to_string(type),
          test::entriesOf(test::values("x", TableKind::value, static_cast<Scalar>(type)), numbers)
              .batch(0));
    });
  struct Hit {
    double energy;
    std::int32_t cells[2];
  };
  detail::BatchBuilder builder;
  builder.add(test::collection("Hits", {{"energy", Scalar::Float64}, {"cells", Scalar::Int32, 2}}));
  builder.add(test::parameter("weights", Scalar::Float32));
  for (std::int32_t entry = 0; entry < 1'000; ++entry) {
    builder.setPresent(0);
    builder.setPresent(1);
    for (std::int32_t i = 0; i < entry % 4; ++i) {
      test::addRow(builder, 0, Hit{entry / 8., {i, -entry}});
      test::addRow(builder, 1, static_cast<float>(entry));
    }
    builder.endEntry();
  }
  for (const std::uint64_t cluster : {0, 1})
    writer.write("hits", builder.batch(1'000 * cluster));
  writer.finish();
  root.file = openRootFile(io::memorySource("memory.root", root.bytes.bytes()), {});
  return root;
}

TEST(SerializedPages, canBeDecodedByTheirDescription) {
  for (const CategoryForm form : {CategoryForm::ntuple, CategoryForm::tree})
    for (const Compression codec : {uncompressed(), lz4(), zstd(3), zlib(), lzma()}) {
      const RootBytes root = written(codec, form);
      for (std::size_t type = 0; type < detail::scalarKinds; ++type)
        EXPECT_EQ(compare(root.file->category("type" + std::to_string(type))), 1);
      EXPECT_GE(compare(root.file->category("hits")), 3);
    }
}

TEST(SerializedPages, ofRootCanBeDecodedByTheirDescription) {
  for (const char* const name : {"ttree_two_cycles", "ttree_dirs", "ttree_offsetmap",
                                 "ttree_uncompressed", "ttree_crashed_saveself", "rntuple_dirs"}) {
    const auto file = opened(dataFile(std::string("root/") + name + ".root"));
    int compared = 0;
    for (const std::string& category : file->categories())
      compared += compare(file->category(category));
    EXPECT_GT(compared, 0) << name;
  }
  if (!sharedFile("root/ttree_types.json"))
    GTEST_SKIP() << test::noSharedFiles;
  for (const char* const name :
       {"ttree_types_zstd", "rntuple_types_zstd", "rntuple_types_none", "rntuple_encodings_zstd",
        "rntuple_encodings_none", "real/uproot-HZZ", "real/uproot-sample-5.23.02-zlib"}) {
    const auto file = opened(*sharedFile(std::string("root/") + name + ".root"));
    EXPECT_GT(compare(file->category(file->categories().front())), 20) << name;
  }
}

/// Returns the number of hits of each entry, from the pages of counts.
Numbers countsIn(const Source& source) {
  Numbers counts;
  Buffer room;
  const std::uint32_t column = source.schema().countsColumn(source.schema().tableNamed("Hits"));
  std::map<std::uint64_t, Number> ends; // the last end in each cluster so far
  for (const SerializedPage& page : SerializedPages(source, {"Hits.energy"}))
    if (page.column == column) {
      const auto bytes = decompressed(page, room);
      if (page.elements == 0) {
        const Numbers some = numbersOf(page, bytes, 1);
        counts.insert(counts.end(), some.begin(), some.end());
      } else {
        Number& end = ends[page.entries.first];
        for (const Number next : elementsOf(page, bytes)) {
          counts.push_back(next - end);
          end = next;
        }
      }
    }
  return counts;
}

TEST(SerializedPages, ofCountsComeWithThoseOfValues) {
  Numbers expected;
  for (int entry = 0; entry < 2'000; ++entry)
    expected.push_back(entry % 4);
  for (const CategoryForm form : {CategoryForm::ntuple, CategoryForm::tree})
    EXPECT_EQ(countsIn(written(zstd(1), form).file->category("hits")), expected);
}

TEST(SerializedPages, areThoseWithSomeOfTheEntries) {
  for (const CategoryForm form : {CategoryForm::ntuple, CategoryForm::tree}) {
    const RootBytes root = written(zstd(1), form);
    const Source& source = root.file->category("hits");
    std::size_t all = 0, some = 0;
    SerializedPages pages(source, {"Hits"});
    while (pages.next())
      ++all;
    for (const SerializedPage& page : SerializedPages(source, {"Hits"}, {1'100, 1'101})) {
      EXPECT_LT(page.entries.first, 1'101U);
      EXPECT_GT(page.entries.last, 1'100U);
      ++some;
    }
    EXPECT_GT(some, 0U);
    EXPECT_LT(some, all);
  }
}

TEST(SerializedPages, areTheSameFromAnySource) {
  const std::string path = dataFile("root/ttree_uncompressed.root");
  const auto file = openRootFile(io::fileSource(path, MapUse::never), {});
  EXPECT_EQ(decoded(file->category("t"), "run", 0), decoded(opened(path)->category("t"), "run", 0));
  EXPECT_GT(compare(file->category("t")), 3);
}

TEST(SerializedPages, areCheckedAgainstTheirChecksums) {
  RootBytes root = written(zstd(1), CategoryForm::ntuple);
  std::uint64_t position = 0;
  for (const SerializedPage& page : SerializedPages(root.file->category("hits"), {"Hits.energy"}))
    position = page.position;
  root.bytes.data()[position] ^= std::byte{1};
  const auto readAll = [&](bool verify) {
    OpenOptions options;
    options.verify = verify;
    const auto file = openRootFile(io::memorySource("memory.root", root.bytes.bytes()), options);
    SerializedPages pages(file->category("hits"), {"Hits.energy"});
    while (pages.next())
      ;
  };
  expectError(ErrorKind::corrupt, "does not match its checksum", [&] { readAll(true); });
  readAll(false);
}

TEST(SerializedPages, areRefusedWhereTheyAreNoNumbers) {
  const auto file = opened(dataFile("root/ttree_objects.root"));
  const Source& tree = file->category(file->categories().front());
  int refused = 0;
  for (std::uint32_t table = 0; table < tree.schema().size(); ++table)
    try {
      SerializedPages(tree, {std::string(tree.schema().table(table).name)});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      test::expectContains(error.what(), "has objects of classes");
      ++refused;
    }
  EXPECT_GT(refused, 0);
  test::Writing writing;
  writing.writer.write(
      "events",
      test::entriesOf(test::values("x", TableKind::value, Scalar::Int32), std::vector{1}).batch(0));
  const auto other = writing.finished();
  expectError(ErrorKind::usage, "only plain RNTuples and trees",
              [&] { SerializedPages(other->category("events"), {"x"}); });
  expectError(ErrorKind::name, ": no column is called 'nonsense'",
              [&] { SerializedPages(tree, {"nonsense"}); });
}

} // namespace
} // namespace kaon::root
