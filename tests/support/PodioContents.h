#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/reading/Window.h>

#include "support/DataFiles.h"
#include "support/Files.h"
#include "support/RowsAsJson.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

// The contents of podio's sample files, as read by podio itself.

namespace kaon::test {

inline std::string unzipped(const std::string& bytes) {
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data() + bytes.size() - sizeof size, sizeof size); // the trailer of gzip
  std::string text(size, '\0');
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  EXPECT_EQ(libdeflate_gzip_decompress(inflater.get(), bytes.data(), bytes.size(), text.data(),
                                       text.size(), nullptr),
            LIBDEFLATE_SUCCESS);
  return text;
}

/// Whether a value equals JSON: floats are rounded to their type, NaNs are texts.
template <class T>
bool isAs(const Json& expected, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (expected.is_string())
      return expected == asJson(value);
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return std::bit_cast<Bits>(expected.get<T>()) == std::bit_cast<Bits>(value);
  } else {
    return expected.is_boolean() ? expected.get<bool>() == (value != 0) : expected == value;
  }
}

/// Compares all entries of a category with columns of JSON.
class PodioComparison {
public:
  explicit PodioComparison(const Source& source) : m_source(source), m_window(source) {}

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

  /// Returns the number of rows of each entry, or of each row of the table above.
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
    RowsAsJson rows(m_source);
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
  detail::Window m_window;
};

/// Compares all contents of a file with JSON: see tests/data/podio/README.md.
inline void expectContents(const File& file, const Json& expected) {
  EXPECT_EQ(file.categories().size(), expected["categories"].size());
  for (const auto& [name, category] : expected["categories"].items())
    PodioComparison(file.category(name)).compare(category);
}

/// Returns the contents of a sample; nothing if it is one of the optional files and missing.
inline std::optional<Json> podioContents(const std::string& sample) {
  if (sample == "toy")
    return Json::parse(readFile(dataFile("podio/toy.json")));
  auto path = sharedFile("podio/" + sample + ".json");
  const bool isZipped = !path;
  if (isZipped)
    path = sharedFile("podio/" + sample + ".json.gz");
  if (!path)
    return std::nullopt;
  const std::string text = readFile(*path);
  return Json::parse(isZipped ? unzipped(text) : text);
}

/// Returns a file of a sample, with a suffix such as ".ttree.root"; the sample must exist.
inline std::string podioSample(const std::string& sample, const std::string& suffix) {
  return readFile(sample == "toy" ? dataFile("podio/toy" + suffix)
                                  : *sharedFile("podio/" + sample + suffix));
}

} // namespace kaon::test
