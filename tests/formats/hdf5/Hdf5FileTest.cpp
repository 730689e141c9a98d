#include <kaon/formats/hdf5/Hdf5Format.h>

#include "support/Contents.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/RoundTrip.h"
#include "support/Tables.h"

#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/writing/BatchBuilder.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

// Files that kaon writes as HDF5 are read back unchanged. tests/python/test_hdf5_files.py tests
// files of kaon with h5py, and files of h5py with kaon.

namespace kaon::hdf5 {
namespace {

using test::contentsOf;
using test::expectError;

/// An HDF5 file in memory, in the form that RoundTrip needs.
struct Hdf5Writing {
  explicit Hdf5Writing(const SinkOptions& options = {})
      : sink(createHdf5File(io::memorySink("memory.h5", bytes), options)), writer(*sink) {}
  Buffer bytes;
  std::unique_ptr<Sink> sink;
  Sink& writer;
  [[nodiscard]] std::unique_ptr<File> finished() {
    writer.finish();
    return opened();
  }
  [[nodiscard]] std::unique_ptr<File> opened() const {
    return openHdf5File(io::memorySource("memory.h5", bytes.bytes()), {});
  }
};

/// Refuses bytes beyond a limit, like a full disk.
class FullSink final : public io::ByteSink {
public:
  [[nodiscard]] const std::string& name() const noexcept override { return m_name; }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > m_room)
      fail(ErrorKind::io, m_name, ": no space left");
    m_room -= bytes.size();
  }
  void rewrite(std::uint64_t /*position*/, std::span<const std::byte> /*bytes*/) override {}
  void finish() override {}

private:
  std::string m_name = "full.h5";
  std::size_t m_room = 50'000;
};

using Options = std::tuple<Compression, std::size_t, Layout>; // the number: bytes of a chunk

/// Bytes whose reads wait for a permission.
class WaitingSource final : public io::ByteSource {
public:
  explicit WaitingSource(std::span<const std::byte> bytes)
      : ByteSource("waiting.h5"), m_source(io::memorySource("waiting.h5", bytes)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return m_source->size(); }
  mutable std::binary_semaphore hasBegun{0}, mayGoOn{0};

private:
  void request(std::span<const io::ByteRange> ranges, std::span<std::span<const std::byte>> views,
               Buffer& scratch) const override {
    if (!std::exchange(m_isOn, true)) {
      hasBegun.release();
      mayGoOn.acquire();
    }
    std::ranges::copy(m_source->views(ranges, scratch), views.begin());
  }
  std::unique_ptr<io::ByteSource> m_source;
  mutable bool m_isOn = false;
};

class Hdf5RoundTrip : public testing::TestWithParam<Options> {};
INSTANTIATE_TEST_SUITE_P(Options, Hdf5RoundTrip,
                         testing::Values(Options(uncompressed(), 16, Layout::row),
                                         Options(uncompressed(), 64 << 10, Layout::split),
                                         Options(zlib(6), 100, Layout::split),
                                         Options(zstd(), 64 << 10, Layout::row)));

TEST_P(Hdf5RoundTrip, givesBackAnyEvents) {
  const auto& [codec, pageBytes, layout] = GetParam();
  test::expectRandomEventsBack<Hdf5Writing>({.codec = codec, .pageBytes = pageBytes}, layout);
}

/// Writes numbers in two categories.
void writeNumbers(Sink& sink, std::size_t entries) {
  for (const char* const category : {"runs/of today", "events"}) {
    detail::BatchBuilder builder;
    builder.add(test::values("number", TableKind::value, Scalar::UInt64));
    builder.add(test::collection("Squares", {{"square", Scalar::UInt64}}));
    for (std::uint64_t i = 0; i < entries; ++i) {
      const std::uint64_t square = i * i;
      std::memcpy(builder.append(0, 1), &i, sizeof(i));
      builder.setPresent(1);
      for (std::uint64_t k = 0; k < i % 3; ++k)
        std::memcpy(builder.append(1, 1), &square, sizeof(square));
      builder.endEntry();
    }
    sink.write(category, builder.batch(0));
  }
}

TEST(Hdf5File, isReadInAnyNumberOfThreads) {
  Hdf5Writing writing({.pageBytes = 256});
  writeNumbers(writing.writer, 5000);
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), (std::vector<std::string>{"runs/of today", "events"}));
  const auto expected = contentsOf(file->category("events"));
  EXPECT_EQ(expected.entries, 5000U);
  const auto other = writing.opened();
  std::vector<test::Contents> found(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < found.size(); ++i)
    threads.emplace_back([&, i] {
      found[i] =
          contentsOf((i % 2 == 0 ? file : other)->category(i < 4 ? "events" : "runs/of today"));
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const test::Contents& contents : found)
    EXPECT_EQ(contents, expected);
}

// Closing a file must not wait for reads of other files: their sources might wait for the thread
// that closes it.
TEST(Hdf5File, isClosedWithoutWaitingForOthers) {
  Hdf5Writing writing;
  writeNumbers(writing.writer, 100);
  auto file = writing.finished();
  auto waiting = std::make_unique<WaitingSource>(writing.bytes.bytes());
  WaitingSource& source = *waiting;
  std::thread other([&] { (void)openHdf5File(std::move(waiting), {}); });
  source.hasBegun.acquire(); // it holds the lock of libhdf5
  file.reset();
  source.mayGoOn.release();
  other.join();
  EXPECT_EQ(writing.opened()->category("events").entries(), 100U);
}

TEST(Hdf5File, hasTheTextsThatWereAdded) {
  Hdf5Writing writing;
  writeNumbers(writing.writer, 1);
  const std::string binary("a\0b\0", 4);
  for (const auto& [name, text] :
       {std::pair("", "no name"), {"a/b", "1"}, {"a_b", "2"}, {".", "3"}, {"empty", ""}})
    writing.writer.addDocument(name, text);
  writing.writer.addDocument("binary", binary);
  writing.writer.addDocument("empty", "");
  const auto file = writing.finished();
  EXPECT_EQ(file->documents(),
            (std::vector<std::string>{"", ".", "a/b", "a_b", "binary", "empty"}));
  EXPECT_EQ(file->document(""), "no name");
  EXPECT_EQ(file->document("a/b"), "1");
  EXPECT_EQ(file->document("a_b"), "2");
  EXPECT_EQ(file->document("."), "3");
  EXPECT_EQ(file->document("binary"), binary);
  EXPECT_EQ(file->document("empty"), "");
  expectError(ErrorKind::name, "has no document 'kaon.schema:events'",
              [&] { (void)file->document("kaon.schema:events"); });
}

TEST(Hdf5FileWriter, appendsBatchesThatAnotherWriterEncoded) {
  Hdf5Writing first, second;
  detail::BatchBuilder builder;
  builder.add(test::values("number", TableKind::value, Scalar::Int32));
  for (std::int32_t i = 0; i < 3; ++i) {
    std::memcpy(builder.append(0, 1), &i, sizeof(i));
    builder.endEntry();
  }
  ASSERT_TRUE(second.writer.takesCopies());
  auto encoded = first.writer.encode("events", builder.batch(0));
  second.writer.appendCopy("events", *encoded);
  second.writer.appendCopy("others", *encoded);
  first.writer.append(std::move(encoded));
  const auto expected = contentsOf(first.finished()->category("events"));
  EXPECT_EQ(expected.entries, 3U);
  const auto file = second.finished();
  EXPECT_EQ(contentsOf(file->category("events")), expected);
  EXPECT_EQ(contentsOf(file->category("others")), expected);
}

TEST(Hdf5FileWriter, takesMoreTablesThanAnObjectHeaderCanName) {
  Hdf5Writing writing;
  detail::BatchBuilder builder;
  constexpr std::int32_t tables = 5000; // 4096 tables would take 64 KiB
  for (std::int32_t i = 0; i < tables; ++i)
    builder.add(test::values("x" + std::to_string(i), TableKind::value, Scalar::Int32));
  for (std::int32_t i = 0; i < tables; ++i)
    std::memcpy(builder.append(static_cast<std::uint32_t>(i), 1), &i, sizeof(i));
  builder.endEntry();
  test::Contents written;
  const Batch batch = builder.batch(0);
  written.append(batch);
  writing.writer.write("events", batch);
  const auto file = writing.finished();
  EXPECT_EQ(contentsOf(file->category("events")), written);
}

TEST(Hdf5FileWriter, refusesUnreadableTables) {
  const auto write = [](Hdf5Writing& writing, const std::string& category,
                        const TableDefinition& table) {
    detail::BatchBuilder builder;
    builder.add(table);
    writing.writer.write(category, builder.batch(0));
  };
  const std::string name(60'001, 'x');
  const auto expectRefused = [&](const std::string& category, const TableDefinition& table,
                                 const std::string& what) {
    Hdf5Writing refusing;
    expectError(ErrorKind::usage, what, [&] { write(refusing, category, table); });
    EXPECT_TRUE(refusing.finished()->categories().empty());
  };
  expectRefused(name, test::collection("Hits", {}), "the name of a category has 60001 bytes");
  expectRefused("events", test::collection(name, {}), "has 60001 bytes; names of groups");
  expectRefused("events", test::collection("Hits", {{name, Scalar::Bool}}),
                "has 60001 bytes; names of groups");
  expectRefused("events", test::collection("Hits", {{"x", Scalar::Int8, (64U << 20) + 1}}),
                "the rows of 'Hits' have 67108872 bytes");
  Hdf5Writing writing;
  expectError(ErrorKind::usage, "the name of a document has 60001 bytes",
              [&] { writing.writer.addDocument(name, ""); });
  const std::string longest(60'000, 'x');
  write(writing, longest, test::collection(longest, {{longest, Scalar::Bool}}));
  writing.writer.addDocument(longest, "text");
  const auto file = writing.finished();
  EXPECT_EQ(file->categories(), std::vector{longest});
  EXPECT_EQ(file->category(longest).schema().table(0).name, longest);
  EXPECT_EQ(file->document(longest), "text");
}

TEST(Hdf5FileWriter, reportsErrorsOfItsSink) {
  const auto sink = createHdf5File(std::make_unique<FullSink>(), {.codec = uncompressed()});
  expectError(ErrorKind::io, "full.h5: no space left", [&] { writeNumbers(*sink, 20'000); });
  expectError(ErrorKind::usage, "is finished, or failed", [&] { writeNumbers(*sink, 1); });
}

TEST(Hdf5FileWriter, leavesNothingThatWasNotFinished) {
  const test::TemporaryDirectory directory;
  const std::string path = directory / "a.h5";
  {
    const auto sink = createHdf5File(io::fileSink(path), {});
    writeNumbers(*sink, 10);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const auto sink = createHdf5File(io::fileSink(path), {});
  writeNumbers(*sink, 10);
  sink->finish();
  EXPECT_EQ(openHdf5File(io::fileSource(path, MapUse::never), {})->category("events").entries(),
            10U);
  expectError(ErrorKind::usage, "is finished", [&] { sink->finish(); });
}

TEST(Hdf5FileWriter, doesNotWriteToPipes) {
  expectError(ErrorKind::usage, "which is impossible here",
              [] { (void)createHdf5File(io::streamSink(2, "a pipe"), {}); });
}

} // namespace
} // namespace kaon::hdf5
