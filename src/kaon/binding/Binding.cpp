#include <kaon/binding/Binding.h>

#include <kaon/base/Error.h>
#include <kaon/binding/Conversion.h>
#include <kaon/binding/ModelVersions.h>
#include <kaon/object/ObjectLayout.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace kaon {
namespace {

// What a relation or vector member that the file does not have reads as.
constexpr Slice emptySlice{};
constexpr Reference noReference{};
constexpr std::byte trueByte{1};

template <class T>
const std::byte* bytesOf(const T& thing) {
  return std::as_bytes(std::span(&thing, 1)).data();
}

std::string join(std::string_view first, std::string_view second) {
  const bool both = !first.empty() && !second.empty();
  return std::string(first) + (both ? "." : "") + std::string(second);
}

TableKind kindOf(const Relation& relation) {
  return relation.many ? TableKind::manyRelation : TableKind::oneRelation;
}

/// Where members are looked for: a collection's own, or those of the elements of a list.
struct Rows {
  std::uint32_t table = Table::none;
  std::string_view list;   ///< its name; of a collection ""
  std::string_view inFile; ///< as the file calls it
};

class Binder {
public:
  Binder(const File& file, const Source& source, std::uint32_t table, const Datatype& type,
         std::vector<std::byte>& zeros)
      : m_file(file), m_source(source), m_table(table), m_type(type), m_zeros(zeros) {}

  std::vector<Origin> origins() {
    for (const VectorMember& vector : m_type.vectors)
      m_zeros.resize(std::max<std::size_t>(m_zeros.size(), vector.rowSize));
    addLeaves({m_table, "", ""}, m_type.leaves, m_type.defaults.data());
    for (const VectorMember& vector : m_type.vectors) {
      const Rows rows = findList(vector.name, TableKind::vectorMember);
      checkLists(rows, vector);
      std::uint32_t inner = rows.table;
      for (std::uint32_t level = 0; level <= vector.depth; ++level) {
        m_origins.push_back({inner, Origin::slices, bytesOf(emptySlice)});
        if (level < vector.depth && inner != Table::none)
          inner = unnamedListUnder(inner);
      }
      if (vector.holdsStrings())
        addCharacters(inner);
      addLeaves({inner, rows.list, rows.inFile}, vector.leaves, m_zeros.data());
    }
    for (const Relation& relation : m_type.relations)
      addRelation(relation);
    warnOfUnknown();
    return std::move(m_origins);
  }

private:
  [[nodiscard]] Table table(std::uint32_t number) const { return m_source.schema().table(number); }

  /// The first for which `find` gives something: of the name, then of its old ones.
  template <class Find>
  [[nodiscard]] auto findByAnyName(std::string_view name, Find find) const {
    auto result = find(name);
    for (auto rename = m_type.renames.begin(); !result && rename != m_type.renames.end(); ++rename)
      if (rename->name == name)
        result = find(rename->before);
    return result;
  }

  [[nodiscard]] Rows findList(std::string_view name, TableKind kind) {
    const std::string collection = std::string(table(m_table).name) + ".";
    const auto find = [&](std::string_view called) -> std::optional<Rows> {
      const std::uint32_t number = m_source.schema().find(collection + std::string(called));
      if (number == Table::none || table(number).parent != m_table)
        return std::nullopt;
      if (table(number).kind != kind)
        fail(ErrorKind::type, m_source.name(), ": '", table(number).name,
             "' is not of the kind that it is in the model that it is read with",
             versionText(m_file, m_type));
      return Rows{number, name, called};
    };
    const Rows rows = findByAnyName(name, find).value_or(Rows{Table::none, name, name});
    if (rows.table != Table::none)
      m_used.push_back({rows.table, Origin::slices});
    else
      m_lacking.push_back(name);
    return rows;
  }

  /// Where the file has a member, by its name in this program.
  [[nodiscard]] std::optional<MemberPlace> findMember(const Rows& rows,
                                                      std::string_view name) const {
    const Members members = table(rows.table).members;
    const auto placeOf = [&](std::string_view called) -> std::optional<MemberPlace> {
      const std::uint32_t number = members.find(called);
      if (number < members.size())
        return MemberPlace{rows.table, number};
      return rows.list.empty() ? findLate(called) : std::nullopt;
    };
    if (const auto place = placeOf(name))
      return place;
    return findByAnyName(join(rows.list, name), [&](std::string_view path) {
      if (rows.list.empty())
        return placeOf(path);
      const bool isInside = path.starts_with(rows.inFile) && path.size() > rows.inFile.size() &&
                            path[rows.inFile.size()] == '.';
      return isInside ? placeOf(path.substr(rows.inFile.size() + 1)) : std::nullopt;
    });
  }

  /// A member that came later than the collection.
  [[nodiscard]] std::optional<MemberPlace> findLate(std::string_view name) const {
    const std::uint32_t number = m_source.schema().find(join(table(m_table).name, name));
    if (number == Table::none || table(number).parent != m_table ||
        table(number).kind != TableKind::decoration || table(number).members.size() != 1 ||
        !table(number).members[0].name.empty())
      return std::nullopt;
    return MemberPlace{number, 0};
  }

  void addLeaves(const Rows& rows, std::span<const Leaf> leaves, const std::byte* defaults) {
    for (const Leaf& leaf : leaves) {
      const std::byte* const missing = defaults + leaf.offset;
      std::optional<Origin> origin;
      if (rows.table != Table::none)
        origin = findLeaf(rows, leaf, missing);
      if (!origin && rows.list.empty())
        origin = findComputed(leaf, missing);
      m_origins.push_back(origin.value_or(Origin{.missing = missing}));
    }
  }

  [[nodiscard]] std::optional<Origin> findLeaf(const Rows& rows, const Leaf& leaf,
                                               const std::byte* missing) {
    if (const auto member = findMember(rows, leaf.name))
      return originOf(leaf, *member, missing);
    // A plain member became an optional one, or the other way round.
    constexpr std::string_view value = ".value", hasValue = ".has_value";
    const std::string_view name = leaf.name;
    if (name.ends_with(value))
      if (const auto plain = findMember(rows, name.substr(0, name.size() - value.size())))
        return originOf(leaf, *plain, missing);
    if (name.ends_with(hasValue) && leaf.type == Scalar::Bool &&
        findMember(rows, name.substr(0, name.size() - hasValue.size())))
      return Origin{.missing = bytesOf(trueByte)};
    const auto inside = findMember(rows, join(name, value.substr(1)));
    const auto mask = findMember(rows, join(name, hasValue.substr(1)));
    if (!inside || !mask || table(mask->table).members[mask->member].type != Scalar::Bool)
      return std::nullopt;
    m_used.push_back(*mask);
    Origin origin = originOf(leaf, *inside, missing);
    origin.converted = leaf.type;
    origin.mask = mask;
    return origin;
  }

  [[nodiscard]] Origin originOf(const Leaf& leaf, MemberPlace place, const std::byte* missing) {
    const Table rows = table(place.table);
    const Member member = rows.members[place.member];
    if (member.extent != leaf.extent)
      fail(ErrorKind::type, m_source.name(), ": '", join(rows.name, member.name), "' holds ",
           member.extent, " ", nameOf(member.type), " an object, but ", leaf.extent, " ",
           nameOf(leaf.type), " in the model that it is read with", versionText(m_file, m_type));
    m_used.push_back(place);
    Origin origin{place.table, place.member, missing};
    if (member.type != leaf.type)
      origin.converted = leaf.type;
    return origin;
  }

  /// Computed by what a program told onRead().
  [[nodiscard]] std::optional<Origin> findComputed(const Leaf& leaf, const std::byte* missing) {
    const Members members = table(m_table).members;
    for (const Computation* const computation : computationsOf(leaf)) {
      const auto isThere = [&](const std::string& name) {
        const std::uint32_t number = members.find(name);
        return number < members.size() && members[number].extent == 1;
      };
      if (!std::ranges::all_of(computation->from, isThere))
        continue;
      for (const std::string& name : computation->from)
        m_used.push_back({m_table, members.find(name)});
      return Origin{
          .table = m_table, .missing = missing, .converted = leaf.type, .computation = computation};
    }
    return std::nullopt;
  }

  /// The table of the lists that are all there is to the rows of a vector member's table;
  /// Table::none if there are none.
  [[nodiscard]] std::uint32_t unnamedListUnder(std::uint32_t number) const {
    const std::uint32_t inner = m_source.schema().find(std::string(table(number).name) + ".");
    const bool isThere = inner != Table::none && table(inner).parent == number &&
                         table(inner).kind == TableKind::vectorMember;
    return isThere ? inner : Table::none;
  }

  /// That of what the innermost of such lists hold.
  [[nodiscard]] std::uint32_t innermostOf(std::uint32_t number) const {
    for (std::uint32_t next = unnamedListUnder(number); next != Table::none;
         next = unnamedListUnder(number))
      number = next;
    return number;
  }

  /// Lists are as deep in the file, and strings are strings there too, with characters as a string
  /// has them.
  void checkLists(const Rows& rows, const VectorMember& vector) const {
    if (rows.table == Table::none)
      return;
    const std::uint32_t innermost = innermostOf(rows.table);
    const Table info = table(innermost);
    // Each of them adds a dot to the name.
    const std::size_t depth = info.name.size() - table(rows.table).name.size();
    const bool isText = vector.isString() || vector.holdsStrings();
    const bool isTextInFile = info.type == VectorMember::string;
    const bool holdsStrings = isTextInFile && info.members.empty();
    if (depth != vector.depth || isText != isTextInFile ||
        (isText && vector.holdsStrings() != holdsStrings))
      fail(ErrorKind::type, m_source.name(), ": '", table(rows.table).name, "' holds ",
           contentText(depth, holdsStrings, isTextInFile ? "a string" : info.type),
           " an object, but ", contentText(vector.depth, vector.holdsStrings(), vector.type),
           " in the model that it is read with", versionText(m_file, m_type));
    if (vector.isString())
      checkCharacters(info);
  }
  /// What lists hold, in messages.
  [[nodiscard]] static std::string contentText(std::size_t depth, bool holdsStrings,
                                               std::string_view type) {
    std::string text(depth == 0 && holdsStrings ? "any number of " : "");
    for (std::size_t level = 0; level < depth; ++level)
      text += "lists of ";
    return text.append(holdsStrings ? "strings" : type);
  }
  void checkCharacters(const Table& info) const {
    if (info.rowSize != 1 || info.members.size() != 1 || info.members[0].type != Scalar::UInt8)
      fail(ErrorKind::corrupt, m_source.name(), ": '", info.name,
           "' does not have the characters of strings; the file is damaged");
  }

  /// The columns of a list of strings, in this table, after that of its slices.
  void addCharacters(std::uint32_t strings) {
    std::uint32_t text = Table::none;
    if (strings != Table::none) {
      const auto isText = [&](std::uint32_t number) {
        return table(number).kind == TableKind::text && table(number).parent == strings;
      };
      const auto below = m_source.schema().tablesUnder(m_table);
      const auto texts = std::ranges::find_if(below, isText);
      if (texts == below.end())
        fail(ErrorKind::corrupt, m_source.name(), ": the strings of '", table(strings).name,
             "' are missing; the file is damaged");
      text = *texts;
      checkCharacters(table(text));
    }
    m_origins.push_back({text, Origin::slices, bytesOf(emptySlice)});
    m_origins.push_back({text, 0, bytesOf(emptySlice)});
  }

  void addRelation(const Relation& relation) {
    const std::uint32_t number = findList(relation.name, kindOf(relation)).table;
    if (relation.many)
      m_origins.push_back({number, Origin::slices, bytesOf(emptySlice)});
    m_origins.push_back({number, relationIndex, bytesOf(noReference.index)});
    m_origins.push_back({number, relationCollection, bytesOf(noReference.neighbour)});
  }

  void warnOfUnknown() {
    std::vector<Unread> unknown;
    addUnknownMembers(m_table, unknown);
    const std::size_t collection = table(m_table).name.size() + 1;
    for (const std::uint32_t number : m_source.schema().tablesUnder(m_table)) {
      const Table below = table(number);
      if (below.parent != m_table || below.kind == TableKind::decoration)
        continue;
      if (!isUsed(number, Origin::slices))
        unknown.push_back({std::string(below.name.substr(collection)), lackingLike(below)});
      else if (below.kind == TableKind::vectorMember)
        addUnknownMembers(innermostOf(number), unknown);
    }
    if (!unknown.empty())
      warnOfUnread(m_file, m_source, m_type, unknown);
  }
  /// The lists and relations that the file lacks and that could be what a table of it is.
  [[nodiscard]] std::vector<std::string> lackingLike(const Table& info) const {
    std::vector<std::string> lacking;
    const auto isLacking = [&](std::string_view name) {
      return std::ranges::find(m_lacking, name) != m_lacking.end();
    };
    for (const VectorMember& vector : m_type.vectors)
      if (info.kind == TableKind::vectorMember && vector.type == info.type &&
          isLacking(vector.name))
        lacking.emplace_back(vector.name);
    const auto leadsThere = [&](DatatypeFunction datatype) {
      return datatype().isCalled(info.type);
    };
    for (const Relation& relation : m_type.relations)
      if (info.kind == kindOf(relation) && isLacking(relation.name) &&
          std::ranges::any_of(relation.datatypes, leadsThere))
        lacking.emplace_back(relation.name);
    return lacking;
  }
  void addUnknownMembers(std::uint32_t number, std::vector<Unread>& unknown) const {
    const Table rows = table(number);
    std::string_view list =
        number == m_table ? "" : rows.name.substr(table(m_table).name.size() + 1);
    while (list.ends_with('.'))
      list.remove_suffix(1);
    for (std::uint32_t i = 0; i < rows.members.size(); ++i)
      if (!isUsed(number, i))
        unknown.push_back({join(list, rows.members[i].name), {}});
  }
  [[nodiscard]] bool isUsed(std::uint32_t number, std::uint32_t member) const {
    return std::ranges::find(m_used, MemberPlace{number, member}) != m_used.end();
  }

  const File& m_file;
  const Source& m_source;
  std::uint32_t m_table;
  const Datatype& m_type;
  std::vector<std::byte>& m_zeros;
  std::vector<Origin> m_origins;
  std::vector<MemberPlace> m_used;         // of the file
  std::vector<std::string_view> m_lacking; // lists and relations that the file does not have
};

/// A member's rows in the page with this entry.
NumberRows numbersOf(Window& window, std::uint32_t table, std::uint32_t member,
                     std::uint64_t entry) {
  const Member info = window.source().schema().table(table).members[member];
  return {window.member(table, member, entry), info.type, info.extent};
}

/// The entry that has a row of a page, the one with `entry`.
std::uint64_t entryOfRow(Window& window, std::uint32_t table, std::uint64_t entry,
                         std::size_t row) {
  const Table info = window.source().schema().table(table);
  if (info.isCounted()) {
    const auto offsets = window.offsets(table, entry);
    row = static_cast<std::size_t>(std::ranges::upper_bound(offsets, row) - offsets.begin()) - 1;
  }
  return info.isRoot() ? window.pages(table, entry).firstEntry + row
                       : entryOfRow(window, info.parent, entry, row);
}

/// Converts values of the page with this entry.
void convertChecked(Window& window, MemberPlace place, std::uint64_t entry, const NumberRows& from,
                    std::size_t rows, Scalar type, std::byte* to) {
  const std::byte* const wrong = convert(from, rows, type, to);
  if (!wrong)
    return;
  const Schema& schema = window.source().schema();
  const std::size_t row =
      from.values.stride == 0
          ? 0
          : static_cast<std::size_t>(wrong - from.values.base) / from.values.stride;
  fail(ErrorKind::type, window.source().name(), ": '",
       schema.nameOfMember(place.table, place.member), "' holds the ", nameOf(from.type), " ",
       numberText(wrong, from.type), " in entry ", entryOfRow(window, place.table, entry, row),
       ", which is no ", nameOf(type), ", as the model that it is read with wants it");
}

/// Whether a column lies that far after another one in the same rows.
bool liesAfter(const Schema& schema, const Origin& first, const Origin& next,
               std::uint32_t distance) {
  const auto isMember = [](const Origin& origin) {
    return origin.table != Table::none && origin.member != Origin::slices && !origin.converted;
  };
  if (!isMember(first) || !isMember(next) || first.table != next.table)
    return false;
  const Place a = schema.place(first.table, first.member);
  const Place b = schema.place(next.table, next.member);
  return a.column == b.column && b.offset == a.offset + distance;
}

ColumnView computePage(Window& window, const Origin& origin, std::uint64_t entry, Buffer& values) {
  const Schema& schema = window.source().schema();
  const Members members = schema.table(origin.table).members;
  const Computation& computation = *origin.computation;
  std::vector<Buffer> arguments(computation.from.size());
  std::vector<const std::byte*> begins;
  const auto pageOf = [&](const std::string& member) -> const Page& {
    return window.page(schema.place(origin.table, members.find(member)).column, entry);
  };
  const bool isOne = std::ranges::all_of(
      computation.from, [&](const std::string& member) { return pageOf(member).isRepeated; });
  std::size_t rows = pageOf(computation.from.front()).values;
  if (isOne)
    rows = std::min<std::size_t>(rows, 1);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::uint32_t member = members.find(computation.from[i]);
    const Scalar type = computation.types[i];
    begins.push_back(arguments[i].assign(rows * sizeOf(type)).data());
    convertChecked(window, {origin.table, member}, entry,
                   numbersOf(window, origin.table, member, entry), rows, type, arguments[i].data());
  }
  const std::size_t size = sizeOf(*origin.converted);
  computation.run(begins, rows, values.assign(std::max<std::size_t>(rows, 1) * size).data());
  return {values.data(), isOne ? 0 : size};
}

} // namespace

std::vector<Origin> bindColumns(const File& file, const Source& source, std::uint32_t table,
                                const Datatype& type, std::vector<std::byte>& zeros) {
  std::vector<Origin> origins = Binder(file, source, table, type, zeros).origins();
  const auto& columns = layoutOf(type).columns;
  for (std::size_t i = origins.size(); i-- > 1;)
    if (columns[i].pool == columns[i - 1].pool &&
        liesAfter(source.schema(), origins[i - 1], origins[i],
                  columns[i].offset - columns[i - 1].offset))
      origins[i - 1].together = origins[i].together + 1;
  return origins;
}

void checkDatatype(const File& file, const Source& source, std::uint32_t table,
                   const Datatype& type) {
  const Table info = source.schema().table(table);
  if (!type.isCalled(info.type))
    fail(ErrorKind::type, source.name(), ": '", info.name, "' is a collection of ", info.type,
         ", not of ", type.name, versionText(file, type));
}

ColumnView convertPage(Window& window, const Origin& origin, std::uint64_t entry, Buffer& values) {
  if (origin.computation)
    return computePage(window, origin, entry, values);
  const Schema& schema = window.source().schema();
  const Page& page = window.page(schema.place(origin.table, origin.member).column, entry);
  const NumberRows from = numbersOf(window, origin.table, origin.member, entry);
  const std::size_t rowSize = std::size_t{sizeOf(*origin.converted)} * from.extent;
  // Where all rows are the same one, it is converted once, however many a file says there are.
  const auto isRepeated = [&](MemberPlace place) {
    return window.page(schema.place(place.table, place.member).column, entry).isRepeated;
  };
  const bool isOne = page.isRepeated && (!origin.mask || isRepeated(*origin.mask));
  const std::size_t rows = isOne ? std::min<std::size_t>(page.values, 1) : page.values;
  std::byte* const to = values.assign(std::max<std::size_t>(rows, 1) * rowSize).data();
  convertChecked(window, {origin.table, origin.member}, entry, from, rows, *origin.converted, to);
  if (origin.mask) {
    const ColumnView mask = window.member(origin.mask->table, origin.mask->member, entry);
    for (std::size_t row = 0; row < rows; ++row)
      if (*mask.at(row) == std::byte{0})
        std::memcpy(to + row * rowSize, origin.missing, rowSize);
  }
  return {to, isOne ? 0 : rowSize};
}

} // namespace kaon
