#include "Arrays.h"
#include "Module.h"
#include "Names.h"
#include "Warnings.h"

#include <kaon/base/Error.h>
#include <kaon/batch/Gather.h>
#include <kaon/batch/Window.h>
#include <kaon/event/Reader.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

/// The tables to read, parents before what lies under them, and their members.
using Wanted = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// Reads some entries of a category into arrays, page by page.
class ArrayReader {
public:
  ArrayReader(const Source& source, EntryRange range)
      : m_source(source), m_window(source), m_range(range) {}

  nb::dict read(const Wanted& wanted);

private:
  struct Target {
    std::uint32_t table = 0;
    std::uint32_t member = 0;
    std::byte* out = nullptr;
    std::size_t rows = 0; // that there is room for
  };

  void check(const Wanted& wanted) const;
  void fetch(const Wanted& wanted);
  TableArrays allocate(std::uint32_t table);
  void allocateMembers(std::uint32_t table, const std::vector<std::uint32_t>& members,
                       TableArrays& arrays);
  void readPresence(std::uint32_t table, bool* present);
  std::size_t readOffsets(std::uint32_t table, std::int64_t* offsets);
  void readMember(Target& target, std::uint64_t first, std::uint64_t last);

  template <class F>
  void forEachPage(std::uint32_t table, F use) {
    for (std::uint64_t first = m_range.first; first < m_range.last;) {
      const std::uint64_t last = std::min(m_window.pages(table, first).lastEntry, m_range.last);
      use(first, last);
      first = last;
    }
  }
  /// The rows of a table in its pages that belong to these entries, which share them.
  std::pair<std::size_t, std::size_t> rows(std::uint32_t table, std::uint64_t first,
                                           std::uint64_t last) {
    return {m_window.rows(table, first).first, m_window.rows(table, last - 1).second};
  }

  const Source& m_source;
  Window m_window;
  EntryRange m_range;
  std::map<std::uint32_t, std::size_t> m_rows;            // by table
  std::map<std::uint32_t, std::vector<Target>> m_targets; // by group, whose pages go together
};

nb::dict ArrayReader::read(const Wanted& wanted) {
  check(wanted);
  fetch(wanted);
  nb::dict all;
  for (const auto& [table, members] : wanted) {
    TableArrays arrays = allocate(table);
    allocateMembers(table, members, arrays);
    all[nb::int_(table)] = nb::cast(std::move(arrays));
  }
  const nb::gil_scoped_release release;
  for (auto& [group, targets] : m_targets)
    forEachPage(group, [&](std::uint64_t first, std::uint64_t last) {
      for (Target& target : targets) // so that the counts of a page serve all of them
        readMember(target, first, last);
    });
  return all;
}

void ArrayReader::check(const Wanted& wanted) const {
  const Schema& schema = m_source.schema();
  for (const auto& [table, members] : wanted) {
    if (table >= schema.size())
      fail(ErrorKind::usage, m_source.name(), ": has no table number ", table);
    const Table info = schema.table(table);
    if (!info.isRoot() && !wanted.contains(info.parent))
      fail(ErrorKind::usage, "'", info.name, "' cannot be read without the table it lies under");
    for (const std::uint32_t member : members)
      if (member >= info.members.size())
        fail(ErrorKind::usage, "'", info.name, "' has no member number ", member);
  }
}

/// Lets the source fetch what will be read.
void ArrayReader::fetch(const Wanted& wanted) {
  const nb::gil_scoped_release release;
  const Schema& schema = m_source.schema();
  std::vector<std::uint32_t> columns;
  for (const auto& [table, members] : wanted) {
    const Table info = schema.table(table);
    if (info.canBeAbsent())
      columns.push_back(schema.presenceColumn(table));
    if (info.isCounted())
      columns.push_back(schema.countsColumn(table));
    for (const std::uint32_t member : members)
      columns.push_back(schema.place(table, member).column);
  }
  const auto repeated = std::ranges::unique(columns); // members of rows share theirs
  columns.erase(repeated.begin(), repeated.end());
  m_window.fetch(columns, m_range);
}

/// Reads what tells how many rows there are.
TableArrays ArrayReader::allocate(std::uint32_t table) {
  const Table info = m_source.schema().table(table);
  const std::size_t entries = m_range.last - m_range.first;
  std::size_t rows = info.isRoot() ? entries : m_rows[info.parent];
  TableArrays arrays{nb::none(), nb::none(), {}};
  if (info.canBeAbsent()) {
    arrays.present = emptyArray(Scalar::Bool, entries);
    readPresence(table, dataOf<bool>(arrays.present));
  }
  if (info.isCounted()) {
    arrays.offsets = emptyArray(Scalar::Int64, rows + 1);
    rows = readOffsets(table, dataOf<std::int64_t>(arrays.offsets));
  }
  m_rows[table] = rows;
  return arrays;
}

void ArrayReader::allocateMembers(std::uint32_t table, const std::vector<std::uint32_t>& members,
                                  TableArrays& arrays) {
  const Schema& schema = m_source.schema();
  for (const std::uint32_t member : members) {
    const Member leaf = schema.table(table).members[member];
    const nb::object array = emptyArray(leaf.type, m_rows[table], leaf.extent);
    m_targets[schema.groupOf(table)].push_back({table, member, dataOf(array), m_rows[table]});
    arrays.members[nb::int_(member)] = array;
  }
}

void ArrayReader::readPresence(std::uint32_t table, bool* present) {
  const nb::gil_scoped_release release;
  for (std::uint64_t entry = m_range.first; entry < m_range.last; ++entry)
    *present++ = m_window.isPresent(table, entry);
}

/// Returns the number of rows.
std::size_t ArrayReader::readOffsets(std::uint32_t table, std::int64_t* offsets) {
  const nb::gil_scoped_release release;
  const Table info = m_source.schema().table(table);
  std::int64_t sum = 0;
  *offsets = 0;
  forEachPage(table, [&](std::uint64_t first, std::uint64_t last) {
    const std::uint64_t begin = m_window.pages(table, first).firstEntry;
    const auto [from, to] = info.isRoot()
                                ? std::pair<std::size_t, std::size_t>(first - begin, last - begin)
                                : rows(info.parent, first, last);
    const auto inPage = m_window.offsets(table, first).subspan(from, to - from + 1);
    for (std::size_t i = 1; i < inPage.size(); ++i)
      offsets[i] = sum + inPage[i] - inPage[0];
    offsets += inPage.size() - 1;
    sum = *offsets;
  });
  return static_cast<std::size_t>(sum);
}

void ArrayReader::readMember(Target& target, std::uint64_t first, std::uint64_t last) {
  const auto [from, to] = rows(target.table, first, last);
  const std::size_t count = to - from;
  if (count == 0)
    return;
  if (count > target.rows) // than when memory was taken: someone writes to the mapped file
    fail(ErrorKind::corrupt, m_source.name(), ": changed while it was read");
  const std::size_t size = m_source.schema().table(target.table).members[target.member].size();
  const ColumnView values = m_window.member(target.table, target.member, first);
  copyStrided(target.out, size, values.at(from), values.stride, count, size);
  target.out += count * size;
  target.rows -= count;
}

nb::dict read(const Category& category, const Wanted& wanted, std::uint64_t first,
              std::uint64_t last) {
  if (first > last || last > category.size())
    fail(ErrorKind::usage, category.source().name(), ": has no entries ", first, " to ", last,
         ", only ", category.size());
  return ArrayReader(category.source(), {first, last}).read(wanted);
}

/// How a column lies in its file, and what it is.
struct Usage : ColumnUsage {
  std::uint32_t table = 0;
  std::optional<std::uint32_t> member; ///< nothing if it is not that of a single member
};

std::vector<Usage> usage(const Category& category) {
  const nb::gil_scoped_release release;
  const auto columns = category.source().schema().columns();
  std::vector<Usage> all;
  for (std::uint32_t number = 0; number < columns.size(); ++number) {
    Usage& one = all.emplace_back();
    static_cast<ColumnUsage&>(one) = category.source().usage(number).value_or(ColumnUsage{});
    one.table = columns[number].table;
    if (columns[number].role == ColumnRole::member)
      one.member = columns[number].member;
  }
  return all;
}

/// Text with a path in it, as Python keeps paths.
nb::object fileName(const std::string& name) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(name.data(), std::ssize(name)));
}

/// An open file, and what there was to warn of.
struct OpenFile {
  Reader reader;
  std::vector<Warning> warnings;
};

void openFile(OpenFile* self, const std::filesystem::path& path) {
  const nb::gil_scoped_release release;
  WarningCollector collector;
  Reader reader(path.string());
  new (self) OpenFile{std::move(reader), collector.take()};
}

} // namespace

void bindReading(nb::module_& module) {
  nb::class_<Usage>(module, "Usage", "How a column lies in its file.")
      .def_ro("table", &Usage::table)
      .def_ro("member", &Usage::member)
      .def_ro("values", &Usage::values)
      .def_ro("stored_bytes", &Usage::storedBytes)
      .def_ro("decoded_bytes", &Usage::decodedBytes)
      .def_prop_ro("codecs", [](const Usage& self) { return namesOfForms(self); });

  nb::class_<Category>(module, "Category", "One category of an open file. For any thread.")
      .def_prop_ro("name", [](const Category& self) { return fileName(self.source().name()); })
      .def_prop_ro("entries", &Category::size)
      .def_prop_ro("num_tables", [](const Category& self) { return self.source().schema().size(); })
      .def(
          "table",
          [](const Category& self, std::uint32_t number) {
            if (number >= self.source().schema().size())
              throw nb::index_error("there is no such table"); // which ends iteration
            return self.source().schema().table(number).definition();
          },
          "number"_a)
      .def(
          "tables_under",
          [](const Category& self, std::uint32_t root) {
            const auto under = self.source().schema().tablesUnder(root);
            return std::vector<std::uint32_t>(under.begin(), under.end());
          },
          "root"_a, "The numbers of a table under the entries and of all that lie under it.")
      .def_prop_ro("clusters",
                   [](const Category& self) {
                     std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
                     for (const EntryRange& cluster : self.source().clusters())
                       all.emplace_back(cluster.first, cluster.last);
                     return all;
                   })
      .def_prop_ro("labels", [](const Category& self) { return labelsOf(self.source().schema()); })
      .def_prop_ro("keys", [](const Category& self) { return keysOf(self.source().schema()); })
      .def("usage", &usage, "How each column lies in the file.")
      .def("read", &read, "wanted"_a, "first"_a, "last"_a,
           "Reads members, by the number of their table, of the entries [first, last) into new\n"
           "arrays, by the number of the table. The tables above a table must be wanted too.");

  nb::class_<OpenFile>(module, "File", "An open file. For any thread.")
      .def("__init__", &openFile, "path"_a)
      .def_prop_ro("name", [](const OpenFile& self) { return fileName(self.reader.file().name()); })
      .def_prop_ro("id", [](const OpenFile& self) { return self.reader.file().id(); })
      .def_prop_ro("is_complete",
                   [](const OpenFile& self) { return self.reader.file().isComplete(); })
      .def_prop_ro("warnings",
                   [](const OpenFile& self) {
                     nb::list warnings;
                     for (const Warning& warning : self.warnings)
                       warnings.append(toPython(warning));
                     return warnings;
                   })
      .def_prop_ro("categories", [](const OpenFile& self) { return self.reader.categories(); })
      .def(
          "category", [](const OpenFile& self, std::string_view name) { return self.reader[name]; },
          "name"_a)
      .def_prop_ro("documents", [](const OpenFile& self) { return self.reader.file().documents(); })
      .def(
          "document",
          [](const OpenFile& self, std::string_view name) {
            return self.reader.file().document(name);
          },
          "name"_a);
}

} // namespace kaon::python
