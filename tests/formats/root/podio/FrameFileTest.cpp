#include <kaon/formats/root/RootFile.h>

#include <kaon/batch/Columns.h>
#include <kaon/batch/Window.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/formats/root/podio/FrameFile.h>
#include <kaon/model/Metadata.h>

#include "support/DataFiles.h"
#include "support/Errors.h"
#include "support/Files.h"
#include "support/Random.h"
#include "support/RowsAsJson.h"
#include "support/Sanitizers.h"
#include "support/Warnings.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Whole files of podio's, in both forms that ROOT has, against what podio itself reads from them.

namespace kaon::root {
namespace {

using test::expectError;
using test::Json;

std::unique_ptr<File> openBytes(std::string_view bytes) {
  return openRootFile(io::memorySource("f.root", std::as_bytes(std::span(bytes))), {});
}

std::string unzipped(const std::string& bytes) {
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + bytes.size() - sizeof size, sizeof size); // as gzip has it
  std::string text(size, '\0');
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  EXPECT_EQ(libdeflate_gzip_decompress(inflater.get(), bytes.data(), bytes.size(), text.data(),
                                       text.size(), nullptr),
            LIBDEFLATE_SUCCESS);
  return text;
}

/// Whether a value is what JSON says: floats are rounded to their type, NaNs are texts.
template <class T>
bool isAs(const Json& expected, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (expected.is_string())
      return expected == test::asJson(value);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(expected.get<T>()) == std::bit_cast<Bits>(value);
  } else {
    return expected.is_boolean() ? expected.get<bool>() == (value != 0) : expected == value;
  }
}

/// All entries of a category, one after another, compared with columns of JSON.
class Comparison {
public:
  explicit Comparison(const Source& source) : m_source(source), m_window(source) {}

  void compare(const Json& category) {
    ASSERT_EQ(m_source.entries(), category["entries"].get<std::uint64_t>());
    for (const auto& [name, collection] : category["collections"].items())
      compareCollection(name, collection, category["collection_names"]);
    compareParameters(category["parameters"]);
  }

private:
  void compareCollection(const std::string& name, const Json& collection, const Json& names) {
    compareTable(name, collection);
    for (const auto& [vector, elements] : collection["vectors"].items())
      compareTable(name + "." + vector, elements);
    const bool isSubset = collection["subset"].get<bool>();
    for (const auto& [relation, references] : collection["relations"].items())
      compareRelation(name + "." + (isSubset ? "object" : relation), references, names);
  }

  void compareTable(const std::string& name, const Json& table) {
    EXPECT_EQ(sizes(name), table["sizes"]) << name;
    for (const auto& [column, values] : table["columns"].items()) {
      const bool isBare = column.empty() || column == "values";
      compareColumn(isBare ? name : name + "." + column, values);
    }
  }

  void compareRelation(const std::string& name, const Json& relation, const Json& names) {
    if (relation["many"].get<bool>()) {
      EXPECT_EQ(sizes(name), relation["sizes"]) << name;
    }
    compareColumn(name + ".index", relation["index"]);
    std::size_t row = 0;
    forRows(name + ".collection", [&](const std::byte* at, const Member& /*member*/) {
      std::uint32_t table = 0;
      std::memcpy(&table, at, sizeof table);
      const int expected = relation["collection"][row++].get<int>();
      if (expected >= 0) {
        EXPECT_EQ(m_source.schema().table(table).name, names[static_cast<std::size_t>(expected)])
            << name << " " << row;
      } else {
        EXPECT_LT(table, m_source.schema().size());
      }
    });
  }

  void compareColumn(const std::string& name, const Json& expected) {
    std::size_t row = 0;
    bool areSame = true;
    forRows(name, [&](const std::byte* at, const Member& member) {
      const Json& value = row < expected.size() ? expected[row] : Json();
      ++row;
      withScalar(member.type, [&](auto zero) {
        using T = decltype(zero);
        const auto* const values = reinterpret_cast<const T*>(at);
        for (std::uint32_t i = 0; i < member.extent; ++i)
          areSame &= isAs(member.extent == 1 ? value : value[i], values[i]);
      });
    });
    EXPECT_EQ(row, expected.size()) << name;
    EXPECT_TRUE(areSame) << name;
  }

  /// Rows of each entry, or of each row of the table above.
  Json sizes(const std::string& name) {
    const std::uint32_t number = m_source.schema().tableNamed(name);
    const Table table = m_source.schema().table(number);
    Json all = Json::array();
    for (std::uint64_t entry = 0; entry < m_source.entries(); ++entry) {
      if (table.isRoot()) {
        const auto [first, last] = m_window.rows(number, entry);
        all.push_back(last - first);
        continue;
      }
      const auto [first, last] = m_window.rows(table.parent, entry);
      const auto offsets = m_window.offsets(number, entry);
      for (std::size_t row = first; row < last; ++row)
        all.push_back(offsets[row + 1] - offsets[row]);
    }
    return all;
  }

  template <class Use>
  void forRows(const std::string& name, Use use) {
    const auto [table, member] = m_source.schema().memberNamed(name);
    const Member info = m_source.schema().table(table).members[member];
    for (std::uint64_t entry = 0; entry < m_source.entries(); ++entry) {
      const auto [first, last] = m_window.rows(table, entry);
      const ColumnView values = m_window.member(table, member, entry);
      for (std::size_t row = first; row < last; ++row)
        use(values.at(row), info);
    }
  }

  void compareParameters(const Json& expected) {
    test::RowsAsJson rows(m_source);
    for (std::uint64_t entry = 0; entry < m_source.entries(); ++entry) {
      Json found{{"int", Json::object()},
                 {"float", Json::object()},
                 {"double", Json::object()},
                 {"string", Json::object()}};
      for (std::uint32_t table = 0; table < m_source.schema().size(); ++table) {
        const Table info = m_source.schema().table(table);
        if (info.kind != TableKind::parameter || !m_window.isPresent(table, entry))
          continue;
        found[typeNamed(info.type)][std::string(info.name)] = rows.entry(table, entry);
      }
      Json rounded = expected[entry];
      for (auto& [key, values] : rounded["float"].items())
        for (Json& value : values)
          value = value.get<float>();
      EXPECT_EQ(found, rounded) << entry;
    }
  }

  static std::string typeNamed(std::string_view type) {
    return type == "int32"     ? "int"
           : type == "float32" ? "float"
           : type == "float64" ? "double"
                               : "string";
  }

  const Source& m_source;
  Window m_window;
};

void comparePath(const std::string& path, const Json& expected) {
  SCOPED_TRACE(path);
  const std::string bytes = test::readFile(path);
  const auto file = openBytes(bytes);
  EXPECT_EQ(file->categories().size(), expected["categories"].size());
  for (const auto& [name, category] : expected["categories"].items())
    Comparison(file->category(name)).compare(category);
}

constexpr std::array forms{".ttree.root", ".rntuple.root"};

std::string toy(const std::string& form) { return test::dataFile("podio/toy" + form); }

TEST(FrameFile, HasWhatPodioWrote) {
  test::Warnings warnings;
  const Json expected = Json::parse(test::readFile(test::dataFile("podio/toy.json")));
  for (const std::string form : forms)
    comparePath(toy(form), expected);
  EXPECT_TRUE(warnings.take().empty());
}

class LargerFile : public testing::TestWithParam<std::string> {};

TEST_P(LargerFile, HasWhatPodioReads) {
  test::Warnings warnings;
  auto contents = test::sharedFile("podio/" + GetParam() + ".json");
  const bool isZipped = !contents;
  if (isZipped)
    contents = test::sharedFile("podio/" + GetParam() + ".json.gz");
  if (!contents)
    GTEST_SKIP() << test::noSharedFiles;
  const std::string text = test::readFile(*contents);
  const Json expected = Json::parse(isZipped ? unzipped(text) : text);
  for (const std::string form : forms)
    comparePath(*test::sharedFile("podio/" + GetParam() + form), expected);
  EXPECT_TRUE(warnings.take().empty());
}

INSTANTIATE_TEST_SUITE_P(Edm4hep, LargerFile,
                         testing::Values("edm4hep_3", "edm4hep_50", "edm4hep_old_3"));

TEST(FrameFile, CarriesItsModelsAndWhoWroteIt) {
  for (const std::string form : forms) {
    const std::string bytes = test::readFile(toy(form));
    const auto file = openBytes(bytes);
    EXPECT_EQ(file->documents(), (std::vector<std::string>{"metadata", "model:toymodel"}));
    const Metadata metadata = Metadata::fromJson(file->document("metadata"), "f.root");
    EXPECT_EQ(metadata.get<std::string>("podio"), "1.7.0");
    expectError(ErrorKind::name, "did you mean 'model:toymodel'",
                [&] { (void)file->document("model:toymodl"); });
    expectError(ErrorKind::name, "did you mean 'events'", [&] { (void)file->category("event"); });
    EXPECT_EQ(file->category("events").schema(), file->category("events;1").schema());
  }
}

TEST(FrameFile, IsReadAsEarlierVersionsDescribedIt) {
  test::Warnings warnings;
  const Json expected = Json::parse(test::readFile(test::dataFile("podio/toy.json")));
  const std::string bytes = test::readFile(test::dataFile("podio/toy_old.rntuple.root"));
  const auto file = openBytes(bytes);
  Comparison(file->category("runs")).compare(expected["categories"]["runs"]);
  EXPECT_TRUE(warnings.take().empty());
}

/// A file in memory, as if it had just been opened.
class OpenedFile final : public File {
public:
  explicit OpenedFile(std::shared_ptr<const File> file) : m_file(std::move(file)) {}
  [[nodiscard]] const std::string& name() const noexcept override { return m_file->name(); }
  [[nodiscard]] std::string_view format() const noexcept override { return m_file->format(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept override { return m_file->bytes(); }
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_file->id(); }
  [[nodiscard]] std::vector<std::string> categories() const override {
    return m_file->categories();
  }
  [[nodiscard]] const Source& category(std::string_view name) const override {
    return m_file->category(name);
  }
  [[nodiscard]] std::string document(std::string_view name) const override {
    return m_file->document(name);
  }

private:
  std::shared_ptr<const File> m_file;
};

TEST(FrameFile, ThatIsOfAnUnknownVersionStaysPlainTables) {
  test::Warnings warnings;
  const auto stored = memory::MemoryFile::make("m");
  const std::vector<int> numbers{1};
  Columns columns(1);
  columns.add("x", numbers);
  const auto sink = stored->sink();
  sink->write("podio_metadata", columns.batch());
  sink->finish();
  const auto file = podio::withFrames(std::make_unique<OpenedFile>(stored));
  EXPECT_EQ(file->categories(), std::vector<std::string>{"podio_metadata"});
  EXPECT_EQ(warnings.take(),
            std::vector<std::string>{"m:podio_metadata: says nothing of any collections; the file "
                                     "is read as plain tables"});
}

/// Reads every page of every column. Returns whether it could be read.
bool survives(std::string_view bytes) {
  try {
    const auto file = openBytes(bytes);
    for (const std::string& name : file->categories()) {
      const Source& source = file->category(name);
      if (source.entries() > 100'000)
        return true; // entries of nothing
      Window window(source);
      const Schema& schema = source.schema();
      for (std::uint32_t root = 0; root < schema.size(); ++root)
        for (std::uint64_t entry = 0; schema.table(root).isRoot() && entry < source.entries();
             entry = window.pages(root, entry).lastEntry)
          for (const std::uint32_t table : schema.tablesUnder(root)) {
            const auto [first, last] = schema.columnsOf(table);
            for (std::uint32_t column = first; column < last; ++column)
              (void)window.page(column, entry);
          }
    }
    return true;
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::version)
        << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with("f.root")) << error.what();
    return false;
  }
}

TEST(DamagedFrameFile, isReadOrRefusedWhereBytesAreOthers) {
  test::Warnings warnings;
  constexpr std::size_t times = test::isSanitized ? 100 : 1'000;
  test::Random random(3);
  for (const std::string form : forms) {
    const std::string whole = test::readFile(toy(form));
    ASSERT_TRUE(survives(whole));
    std::size_t refused = 0;
    for (std::size_t i = 0; i < times; ++i) {
      std::string bytes = whole;
      for (std::size_t n = 1 + random.below(3); n > 0; --n)
        bytes[random.below(bytes.size())] = static_cast<char>(random.bits());
      refused += survives(bytes) ? 0 : 1;
    }
    EXPECT_GT(refused, times / 10) << form;
  }
}

TEST(DamagedFrameFile, isReadOrRefusedWhereItIsCut) {
  test::Warnings warnings;
  for (const std::string form : forms) {
    const std::string whole = test::readFile(toy(form));
    for (std::size_t size = 0; size < whole.size(); size += 997)
      (void)survives(std::string_view(whole).substr(0, size));
  }
}

} // namespace
} // namespace kaon::root
