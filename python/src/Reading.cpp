#include "Arrays.h"
#include "EntryBounds.h"
#include "Models.h"
#include "Module.h"
#include "Names.h"
#include "ObjectValues.h"
#include "PythonSource.h"
#include "Warnings.h"

#include <kaon/base/AvailableMemory.h>
#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/Joinable.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/detail/reading/Window.h>
#include <kaon/event/Reader.h>
#include <kaon/files/Files.h>
#include <kaon/files/Parents.h>
#include <kaon/model/MemberTree.h>
#include <kaon/model/TableLabels.h>
#include <kaon/reading/ColumnReader.h>
#include <kaon/selecting/CommonFile.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <sstream>
#include <string>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

/// The tables to read, parents before their children, each with the members to read.
using Wanted = std::map<std::uint32_t, std::vector<std::uint32_t>>;

void check(const Category& category, const Wanted& wanted, EntryRange range) {
  const Source& source = category.source();
  const Schema& schema = source.schema();
  if (range.first > range.last || range.last > category.size())
    fail(ErrorKind::usage, source.name(), ": has no entries ", range.first, " to ", range.last,
         ", only ", category.size());
  for (const auto& [number, members] : wanted) {
    if (number >= schema.size())
      fail(ErrorKind::usage, source.name(), ": has no table number ", number);
    const Table table = schema.table(number);
    if (!table.isRoot() && !wanted.contains(table.parent))
      fail(ErrorKind::usage, "'", table.name, "' cannot be read without its parent table");
    for (const std::uint32_t member : members)
      if (member >= table.members.size())
        fail(ErrorKind::usage, "'", table.name, "' has no member number ", member);
  }
}

/// Returns a reader of these tables, which has counted their rows.
ColumnReader readerOf(const Source& source, const Wanted& wanted, EntryRange range) {
  const nb::gil_scoped_release release;
  const auto keys = std::views::keys(wanted);
  const std::vector<std::uint32_t> tables(keys.begin(), keys.end());
  return {source, tables, range};
}

/// Pages that are being fetched. Its destructor may wait for a fetch in Python, and therefore
/// releases the GIL.
class Held {
public:
  explicit Held(std::shared_ptr<const void> held) : m_held(std::move(held)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    const nb::gil_scoped_release release;
    m_held.reset();
  }

private:
  std::shared_ptr<const void> m_held;
};

/// Starts to fetch the members together with the counts, so that counting rows needs no requests of
/// its own.
std::shared_ptr<const void> hold(const Source& source, const Wanted& wanted, EntryRange range) {
  const nb::gil_scoped_release release;
  const Schema& schema = source.schema();
  std::vector<std::uint32_t> columns;
  for (const auto& [number, members] : wanted) {
    const Table table = schema.table(number);
    if (table.canBeAbsent())
      columns.push_back(schema.presenceColumn(number));
    if (table.isCounted())
      columns.push_back(schema.countsColumn(number));
    for (const std::uint32_t member : members)
      columns.push_back(schema.place(number, member).column);
  }
  sortUnique(columns); // members stored as rows share a column
  const std::unique_ptr<detail::Cursor> cursor = source.cursor();
  cursor->fetch(columns, range);
  return cursor->hold();
}

/// The memory that one column needs, with the column's name.
struct Need {
  std::string name;
  double bytes; // a damaged file can state more than any integer holds
};

std::vector<Need> needsOf(const ColumnReader& reader, const Schema& schema, const Wanted& wanted) {
  std::vector<Need> needs;
  for (const auto& [number, members] : wanted) {
    const Table table = schema.table(number);
    const double entries = table.canBeAbsent() ? static_cast<double>(reader.range().size()) : 0;
    const double above = table.isCounted() ? static_cast<double>(reader.rowsAbove(number)) : 0;
    needs.push_back({std::string(table.name), entries + above * sizeof(std::int64_t)});
    for (const std::uint32_t member : members)
      needs.push_back({schema.nameOfMember(number, member),
                       static_cast<double>(reader.rows(number)) * table.members[member].size()});
  }
  return needs;
}

std::string sizeText(double bytes) {
  std::ostringstream text;
  if (bytes < 1e6)
    text << std::fixed << std::setprecision(0) << bytes << " bytes";
  else
    text << std::fixed << std::setprecision(1) << bytes / 1e6 << " MB";
  return text.str();
}

/// Throws Error(memory) if the arrays need more bytes than the limit, or than the available memory
/// if the limit is 0.
void checkMemory(const ColumnReader& reader, const Source& source, const Wanted& wanted,
                 std::uint64_t limit) {
  std::vector<Need> needs = needsOf(reader, source.schema(), wanted);
  double bytes = 0;
  for (const Need& need : needs)
    bytes += need.bytes;
  constexpr double few = 64e6; // below this, skip asking the system
  if (limit == 0 && bytes < few)
    return;
  const auto most = static_cast<double>(limit ? limit : availableMemory());
  if (bytes <= most)
    return;
  constexpr std::ptrdiff_t shown = 3;
  std::ranges::stable_sort(needs, std::greater{}, &Need::bytes);
  std::string largest;
  for (const Need& need : needs | std::views::take(shown) |
                              std::views::filter([](const Need& some) { return some.bytes > 0; }))
    largest += (largest.empty() ? "" : "; ") + ("'" + need.name + "', " + sizeText(need.bytes));
  fail(ErrorKind::memory, source.name(), ": entries ", reader.range().first, " to ",
       reader.range().last, " would take ", sizeText(bytes), " as arrays, but ", sizeText(most),
       limit ? " are allowed" : " of memory are available",
       ": read fewer columns (the largest are ", largest,
       "), fewer entries at a time, with `iterate`, or allow more, with `memory_limit`");
}

/// Throws Error(memory) if a page of a wanted member has entries outside of the range and more
/// bytes than the limit and the arrays: reading decodes whole pages.
void checkPages(const ColumnReader& reader, const Source& source, const Wanted& wanted,
                std::uint64_t limit) {
  constexpr double few = 16e6; // pages that every reader has room for
  const Schema& schema = source.schema();
  const EntryRange range = reader.range();
  if (range.size() == 0)
    return;
  double most = std::max(few, static_cast<double>(limit));
  for (const Need& need : needsOf(reader, schema, wanted))
    most = std::max(most, need.bytes);
  detail::Window window(source);
  for (const auto& [number, members] : wanted)
    for (const std::uint64_t entry : {range.first, range.last - 1}) {
      const detail::PageRange page = window.pages(number, entry);
      if (members.empty() || (page.firstEntry >= range.first && page.lastEntry <= range.last) ||
          page.lastMissing >= page.lastEntry)
        continue;
      const auto rows = static_cast<double>(window.rows(number, page.lastEntry - 1).second);
      for (const std::uint32_t member : members) {
        const std::uint32_t column = schema.place(number, member).column;
        const double bytes = rows * schema.columns()[column].elementSize;
        if (bytes > most)
          fail(ErrorKind::memory, source.name(), ": '", schema.nameOfMember(number, member),
               "': entries ", page.firstEntry, " to ", page.lastEntry, " are in one page of ",
               sizeText(bytes), ", but ", sizeText(static_cast<double>(limit)),
               " are allowed: read these entries together and allow more, or write the file with "
               "smaller pages (kaon convert --page 64KB)");
      }
    }
}

/// Creates arrays for a table and registers them with the reader, which fills them.
TableArrays arraysFor(ColumnReader& reader, const Schema& schema, std::uint32_t number,
                      const std::vector<std::uint32_t>& members) {
  const Table table = schema.table(number);
  TableArrays arrays{nb::none(), nb::none(), {}};
  if (table.canBeAbsent()) {
    arrays.present = emptyArray(Scalar::Bool, reader.range().size());
    reader.setPresence(number, {dataOf<bool>(arrays.present), reader.range().size()});
  }
  if (table.isCounted()) {
    const std::size_t offsets = reader.rowsAbove(number) + 1;
    arrays.offsets = emptyArray(Scalar::Int64, offsets);
    reader.setOffsets(number, {dataOf<std::int64_t>(arrays.offsets), offsets});
  }
  for (const std::uint32_t member : members) {
    const Member info = table.members[member];
    const nb::object array = emptyArray(info.type, reader.rows(number), info.extent);
    reader.setValues(number, member, {dataOf(array), reader.rows(number) * info.size()});
    arrays.members[nb::int_(member)] = array;
  }
  return arrays;
}

std::vector<std::string> sortedKeys(const Category& category) {
  std::vector<std::string> names;
  if (const Source* const sorted = category.source().sortedKeys())
    for (const Table& key : sorted->schema().tables())
      if (key.name != detail::entryOfKeys)
        names.emplace_back(key.name);
  return names;
}

/// Keys as Python passes them: name, 64 bits of the value, and whether the value is unsigned.
using PythonKeyValues = std::vector<std::tuple<std::string, std::int64_t, bool>>;

detail::KeyBits bitsOf(bool isUnsigned) {
  return isUnsigned ? detail::KeyBits::unsignedNumber : detail::KeyBits::signedNumber;
}

std::vector<kaon::detail::Key> keysFrom(const PythonKeyValues& values) {
  std::vector<kaon::detail::Key> keys;
  for (const auto& [name, value, isUnsigned] : values)
    keys.push_back({name, value, bitsOf(isUnsigned)});
  return keys;
}

std::optional<std::uint64_t> findFirst(const Category& category, const PythonKeyValues& values) {
  const nb::gil_scoped_release release;
  return detail::find(category.source(), keysFrom(values));
}

/// Returns a new array of entry numbers.
nb::object entriesArray(std::size_t count, const auto& entryAt) {
  nb::object array = emptyArray(Scalar::Int64, count);
  auto* const entries = dataOf<std::int64_t>(array);
  for (std::size_t i = 0; i < count; ++i)
    entries[i] = entryAt(i);
  return array;
}

nb::object findAllEntries(const Category& category, const PythonKeyValues& values) {
  std::vector<std::uint64_t> entries;
  {
    const nb::gil_scoped_release release;
    entries = detail::findAll(category.source(), keysFrom(values));
  }
  return entriesArray(entries.size(),
                      [&](std::size_t i) { return static_cast<std::int64_t>(entries[i]); });
}

using KeyArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::object findEachEntry(const Category& category,
                         const std::vector<std::tuple<std::string, KeyArray, bool>>& values) {
  std::vector<detail::KeyColumn> columns;
  for (const auto& [name, array, areUnsigned] : values)
    columns.push_back({name, {array.data(), array.shape(0)}, bitsOf(areUnsigned)});
  std::vector<std::optional<std::uint64_t>> entries;
  {
    const nb::gil_scoped_release release;
    entries = detail::findEach(category.source(), columns);
  }
  return entriesArray(entries.size(), [&](std::size_t i) {
    return entries[i] ? static_cast<std::int64_t>(*entries[i]) : -1;
  });
}

/// Returns a reader that has counted the rows. Throws Error(memory) if the members exceed the
/// limit.
ColumnReader checkedReader(const Source& source, const Wanted& wanted, EntryRange range,
                           std::uint64_t memoryLimit) {
  ColumnReader reader = readerOf(source, wanted, range);
  checkMemory(reader, source, wanted, memoryLimit);
  if (memoryLimit > 0)
    checkPages(reader, source, wanted, memoryLimit);
  return reader;
}

nb::dict read(const Category& category, const Wanted& wanted, std::uint64_t first,
              std::uint64_t last, std::uint64_t memoryLimit) {
  const Source& source = category.source();
  const EntryRange range{first, last};
  check(category, wanted, range);
  const Held held(hold(source, wanted, range));
  ColumnReader reader = checkedReader(source, wanted, range, memoryLimit);
  nb::dict all;
  for (const auto& [table, members] : wanted)
    all[nb::int_(table)] = nb::cast(arraysFor(reader, source.schema(), table, members));
  const nb::gil_scoped_release release;
  reader.read();
  return all;
}

/// How a column is stored, with its table and member.
struct Usage : ColumnUsage {
  std::uint32_t table = 0;
  std::optional<std::uint32_t> member; ///< nothing if the column has no member or several
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

/// Decodes text that contains a path, as Python decodes paths.
nb::object fileName(const std::string& name) {
  return nb::steal(PyUnicode_DecodeFSDefaultAndSize(name.data(), std::ssize(name)));
}

/// An open file and the warnings of opening it.
struct OpenFile {
  Reader reader;
  std::vector<Warning> warnings;
  std::optional<Recovery> recovery = {}; ///< if damage is skipped
};

/// Initialises a file at a path, or with a source of bytes. Damaged data are skipped if requested.
void openAs(OpenFile* self, auto bytes, const Models& models, const OpenOptions& options,
            bool skipsDamage) {
  const nb::gil_scoped_release release;
  WarningCollector collector;
  std::optional<Recovery> recovery;
  const auto openFile = [&]() -> std::shared_ptr<const File> {
    if (!skipsDamage)
      return open(std::move(bytes), options);
    DamagedFile damaged = openDamaged(std::move(bytes), options);
    recovery = std::move(damaged.report);
    return std::move(damaged.file);
  };
  Reader reader(openFile());
  if (!models.empty())
    reader = reader.evolved(documentsOf(models));
  new (self) OpenFile{std::move(reader), collector.take(), std::move(recovery)};
}

void openFile(OpenFile* self, const std::filesystem::path& path, const Models& models, bool group,
              std::vector<std::uint64_t> tags, std::string_view map, bool skipsDamage) {
  openAs(self, path.string(), models,
         {.map = mapUseNamed(map), .group = group, .tags = std::move(tags)}, skipsDamage);
}

void openSource(OpenFile* self, const std::string& name, std::uint64_t size, nb::callable fetch,
                const Models& models, bool group, std::vector<std::uint64_t> tags,
                bool skipsDamage) {
  openAs(self, pythonSource(name, size, std::move(fetch)), models,
         {.group = group, .tags = std::move(tags)}, skipsDamage);
}

/// Opens the parents of a category: the file whose entries its entries were made from.
OpenFile parentsOfFile(const OpenFile& self, std::string_view category) {
  const nb::gil_scoped_release release;
  WarningCollector collector;
  Reader reader(parentsOf(self.reader[category].file(), category));
  return {std::move(reader), collector.take()};
}

using NamedObject = std::tuple<std::string, nb::str, nb::str, std::uint64_t>;

std::vector<NamedObject> objectsOf(const OpenFile& self) {
  std::vector<NamedObject> all;
  if (const ObjectStore* const store = self.reader.file().objectStore())
    for (StoredObject& object : store->objects())
      all.emplace_back(std::move(object.name), textOf(object.type), textOf(object.title),
                       object.bytes);
  return all;
}

nb::object readObject(const OpenFile& self, std::string_view name, const nb::callable& make) {
  const ObjectStore* const store = self.reader.file().objectStore();
  if (!store)
    fail(ErrorKind::name, self.reader.file().name(), ": has no object '", name, "'");
  ObjectTree tree;
  {
    const nb::gil_scoped_release release;
    tree = store->read(name);
  }
  return toPython(tree, make);
}

void bindUsage(nb::module_& module) {
  nb::class_<Usage>(module, "Usage", "How a column lies in its file.")
      .def_ro("table", &Usage::table)
      .def_ro("member", &Usage::member)
      .def_ro("values", &Usage::values)
      .def_ro("stored_bytes", &Usage::storedBytes)
      .def_ro("decoded_bytes", &Usage::decodedBytes)
      .def_prop_ro("codecs", [](const Usage& self) { return namesOfForms(self); });
}

/// Binds functions that describe a category.
void bindContents(nb::class_<Category>& type) {
  type.def_prop_ro("name", [](const Category& self) { return fileName(self.source().name()); })
      .def_prop_ro("entries", &Category::size)
      .def_prop_ro("num_tables", [](const Category& self) { return self.source().schema().size(); })
      .def(
          "table",
          [](const Category& self, std::uint32_t number) {
            if (number >= self.source().schema().size())
              throw nb::index_error("the table does not exist"); // ends iteration in Python
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
      .def(
          "presences",
          [](const Category& self, std::uint32_t table, std::uint32_t member) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
            for (const TableMember place : presencesOf(self.source().schema(), table, member))
              all.emplace_back(place.table, place.member);
            return all;
          },
          "table"_a, "member"_a,
          "Tables and members of the bools that tell whether a member has a value: of each "
          "optional "
          "around it one.")
      .def_prop_ro("clusters",
                   [](const Category& self) {
                     std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
                     for (const EntryRange& cluster : self.source().clusters())
                       all.emplace_back(cluster.first, cluster.last);
                     return all;
                   })
      .def_prop_ro("labels", [](const Category& self) { return labelsOf(self.source().schema()); })
      .def_prop_ro("keys", [](const Category& self) { return keysOf(self.source().schema()); })
      .def_prop_ro("sorted_keys", &sortedKeys,
                   "The keys that the file has sorted, in the order in which they are compared.")
      .def_prop_ro(
          "unreadable",
          [](const Category& self) {
            std::vector<std::tuple<std::string, std::string, std::string>> all;
            for (const Unreadable& each : self.source().unreadable())
              all.emplace_back(each.name, each.type, each.reason);
            return all;
          },
          "The columns that are not read: their names and types in the file, and the reasons.")
      .def(
          "why_unread",
          [](const Category& self, std::string_view name) {
            return whyUnread(self.source(), name);
          },
          "name"_a,
          "The reason why a column of this name is not read, to append to a message; else \"\".");
}

/// Binds functions that search a category and read it.
void bindQueries(nb::class_<Category>& type) {
  type.def("warn_of_unreadable",
           [](const Category& self) { warnOfUnreadable(self.source(), "are left out"); })
      .def(
          "check_joinable",
          [](const Category& self, const Category* reference) {
            detail::checkJoinable(self.source(), reference ? &reference->source() : nullptr);
          },
          "reference"_a.none(),
          "Raises if its entries lack all columns of a reference that has values.")
      .def("has_values", [](const Category& self) { return detail::hasValues(self.source()); })
      .def("find", &findFirst, "keys"_a, "The first entry with these values, if there is one.")
      .def("find_all", &findAllEntries, "keys"_a, "All entries with these values, ascending.")
      .def("find_each", &findEachEntry, "keys"_a,
           "The first entry for each row of values; -1 for rows without an entry.")
      .def("usage", &usage, "How each column lies in the file.")
      .def("bounds", &boundsOf, "table"_a, "member"_a, "by_page"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Returns the first entry of each cluster or page, and the first one behind it. If "
           "the\nfile has bounds, adds the bits of a member's least and greatest value, whether it "
           "is\nempty, and whether it has NaNs.")
      .def(
          "check_memory",
          [](const Category& self, const Wanted& wanted, std::uint64_t first, std::uint64_t last,
             std::uint64_t memoryLimit) {
            check(self, wanted, {first, last});
            (void)checkedReader(self.source(), wanted, {first, last}, memoryLimit);
          },
          "wanted"_a, "first"_a, "last"_a, "memory_limit"_a = 0,
          "Raises the error that read() would raise if the arrays took too much memory.")
      .def(
          "check_pages",
          [](const Category& self, const Wanted& wanted, std::uint64_t first, std::uint64_t last,
             std::uint64_t memoryLimit) {
            check(self, wanted, {first, last});
            const ColumnReader reader = readerOf(self.source(), wanted, {first, last});
            const nb::gil_scoped_release release;
            checkPages(reader, self.source(), wanted, memoryLimit);
          },
          "wanted"_a, "first"_a, "last"_a, "memory_limit"_a,
          "Raises if read() would decode a page that is larger than the arrays and the limit.")
      .def("read", &read, "wanted"_a, "first"_a, "last"_a, "memory_limit"_a = 0,
           "Reads members, by the number of their table, of the entries [first, last) into new\n"
           "arrays, by the number of the table. The tables above a table must be wanted too. They\n"
           "take no more than so many bytes; 0: no more than there are.");
}

void bindCommonTables(nb::module_& module) {
  nb::class_<detail::CommonTables>(module, "CommonTables", "Tables that suit several files.")
      .def(nb::init<>())
      .def(
          "add",
          [](detail::CommonTables& self, const Category& category) { self.add(category.source()); },
          "category"_a)
      .def_prop_ro("differ", &detail::CommonTables::differ,
                   "Whether tables of the files differ, so that some file needs others.")
      .def(
          "apply",
          [](const detail::CommonTables& self, const Category& category, const std::string& name) {
            return Category(withCommonTables(category.file(), name, self), name);
          },
          "category"_a, "name"_a, "A category of this name with the tables.");
  module.def(
      "may_differ_in_optionals",
      [](const Category& category) { return detail::mayDifferInOptionals(*category.file()); },
      "category"_a, "Whether columns of the file may be optional in other files.");
}

void bindRecovery(nb::module_& module) {
  nb::class_<RecoveredCategory>(module, "RecoveredCategory")
      .def_ro("name", &RecoveredCategory::name)
      .def_ro("entries", &RecoveredCategory::entries)
      .def_ro("lost_entries", &RecoveredCategory::lostEntries);
  nb::class_<DamagedColumn>(module, "DamagedColumn")
      .def_ro("category", &DamagedColumn::category)
      .def_ro("name", &DamagedColumn::name)
      .def_ro("damaged_entries", &DamagedColumn::damagedEntries)
      .def_ro("damaged_bytes", &DamagedColumn::damagedBytes)
      .def_ro("left_out", &DamagedColumn::leftOut);
  nb::class_<Recovery>(module, "Recovery")
      .def_prop_ro("file", [](const Recovery& self) { return fileName(self.file); })
      .def_ro("categories", &Recovery::categories)
      .def_ro("columns", &Recovery::columns)
      .def_ro("lost_documents", &Recovery::lostDocuments)
      .def_ro("rebuilt", &Recovery::rebuilt)
      .def_ro("bytes", &Recovery::bytes)
      .def_ro("lost_bytes", &Recovery::lostBytes)
      .def_prop_ro("is_sound", &Recovery::isSound)
      .def_prop_ro("text", [](const Recovery& self) { return fileName(self.text()); });
}

void bindFile(nb::module_& module) {
  nb::class_<OpenFile>(module, "File", "An open file. For any thread.")
      .def("__init__", &openFile, "path"_a, "models"_a = nb::dict(), "group"_a = true,
           "tags"_a = std::vector<std::uint64_t>(), "map"_a = "auto", "skips_damage"_a = false,
           "With models, JSON by their name in messages, it is read as if it had been "
           "written\nwith them.")
      .def("__init__", &openSource, "name"_a, "size"_a, "fetch"_a, "models"_a = nb::dict(),
           "group"_a = true, "tags"_a = std::vector<std::uint64_t>(), "skips_damage"_a = false,
           "Opens a file of `size` bytes through `fetch(ranges)`. A range is the first byte and "
           "the\none behind the last. `fetch` returns the bytes of the ranges, in any thread.")
      .def_prop_ro("name", [](const OpenFile& self) { return fileName(self.reader.file().name()); })
      .def_prop_ro("id", [](const OpenFile& self) { return self.reader.file().id(); })
      .def_prop_ro("format",
                   [](const OpenFile& self) { return std::string(self.reader.file().format()); })
      .def_prop_ro("is_complete",
                   [](const OpenFile& self) { return self.reader.file().isComplete(); })
      .def_prop_ro("warnings",
                   [](const OpenFile& self) {
                     nb::list warnings;
                     for (const Warning& warning : self.warnings)
                       warnings.append(toPython(warning));
                     return warnings;
                   })
      .def_ro("recovery", &OpenFile::recovery, "The report if damage is skipped.")
      .def_prop_ro("categories", [](const OpenFile& self) { return self.reader.categories(); })
      .def_prop_ro("objects", &objectsOf,
                   "Name, class, title and bytes of each object that is not a category.")
      .def("read_object", &readObject, "name"_a, "make"_a,
           "Returns an object; make(class, failure) returns the mapping for its members.")
      .def(
          "category", [](const OpenFile& self, std::string_view name) { return self.reader[name]; },
          "name"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("parents", &parentsOfFile, "category"_a)
      .def_prop_ro("documents", [](const OpenFile& self) { return self.reader.file().documents(); })
      .def(
          "document",
          [](const OpenFile& self, std::string_view name) {
            return self.reader.file().document(name);
          },
          "name"_a);
}

} // namespace

void bindReading(nb::module_& module) {
  openUrlsByPython();
  openTablesByPython();
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&endPythonSources));
  bindUsage(module);
  nb::class_<Category> category(module, "Category",
                                "One category of an open file. For any thread.");
  bindContents(category);
  bindQueries(category);
  bindRecovery(module);
  bindFile(module);
  bindCommonTables(module);
}

} // namespace kaon::python
