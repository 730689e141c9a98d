#include <kaon/binding/Binding.h>

#include <kaon/base/Error.h>
#include <kaon/base/Joined.h>
#include <kaon/binding/Conversion.h>
#include <kaon/binding/ModelVersions.h>
#include <kaon/detail/object/ObjectLayout.h>
#include <kaon/model/ModelMatch.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace kaon {
namespace {

// The values of relations and vector members that the file lacks.
constexpr detail::Slice emptySlice{};
constexpr detail::Reference noReference{};
constexpr std::byte trueByte{1};

template <class T>
const std::byte* bytesOf(const T& thing) {
  return std::as_bytes(std::span(&thing, 1)).data();
}

TableKind kindOf(const Relation& relation) {
  return relation.many ? TableKind::manyRelation : TableKind::oneRelation;
}

/// Finds the origins of a datatype's columns in a file.
class DatatypeBinder {
public:
  DatatypeBinder(const File& file, const Source& source, TableNumber table, const Datatype& type,
                 std::vector<std::byte>& zeros)
      : m_file(file), m_source(source), m_table(table), m_type(type), m_zeros(zeros) {
    for (const VectorMember& vector : type.vectors)
      m_zeros.resize(std::max<std::size_t>(m_zeros.size(), vector.rowSize));
  }

  std::vector<BindingOrigin> origins() {
    if (!addAsStored()) {
      m_origins.clear();
      addMatched();
    }
    return std::move(m_origins);
  }

private:
  [[nodiscard]] const Schema& schema() const { return m_source.schema(); }
  [[nodiscard]] Table table(std::uint32_t number) const { return schema().table(number); }

  /// Adds the columns of a file of the same version, whose tables equal those of the datatype.
  /// Returns false for other files.
  bool addAsStored() {
    if (!addLeavesAsStored(m_table, m_type.leaves, m_type.defaults.data()))
      return false;
    const detail::TableChain under = schema().tablesUnder(m_table);
    auto next = ++under.begin();
    const auto skipDecorations = [&] {
      while (next != under.end() && table(*next).kind == TableKind::decoration)
        ++next;
    };
    const auto takeNext = [&](std::string_view name, TableKind kind) -> TableNumber {
      skipDecorations();
      if (next == under.end())
        return Table::none;
      const TableNumber number = *next++;
      const Table info = table(number);
      const bool isIt = info.parent == m_table && info.kind == kind && tailOf(info) == name;
      return isIt ? number : Table::none;
    };
    for (const VectorMember& vector : m_type.vectors) {
      const std::uint32_t number = takeNext(vector.name, TableKind::vectorMember);
      if (vector.innerLists() > 0 || number == Table::none || table(number).type != vector.type)
        return false;
      m_origins.push_back({number, BindingOrigin::slices, bytesOf(emptySlice)});
      if (!addLeavesAsStored(number, vector.leaves, m_zeros.data()))
        return false;
    }
    for (const Relation& relation : m_type.relations) {
      const std::uint32_t number = takeNext(relation.name, kindOf(relation));
      if (number == Table::none || table(number).type != relation.target)
        return false;
      addRelation(relation, number);
    }
    skipDecorations();
    return next == under.end();
  }
  [[nodiscard]] std::string_view tailOf(const Table& info) const {
    return info.name.substr(std::min(table(m_table).name.size() + 1, info.name.size()));
  }
  bool addLeavesAsStored(std::uint32_t number, std::span<const Leaf> leaves,
                         const std::byte* defaults) {
    const Members members = table(number).members;
    if (members.size() != leaves.size())
      return false;
    for (MemberNumber i = 0; i < members.size(); ++i) {
      const Member member = members[i];
      const Leaf& leaf = leaves[i];
      if (member.name != leaf.name || member.type != leaf.type || member.extent != leaf.extent ||
          member.structure != leaf.structure)
        return false;
      m_origins.push_back({number, i, defaults + leaf.offset});
    }
    return true;
  }

  /// Adds the columns of a file of another version.
  void addMatched() {
    const TypeContents before = contentsOf(schema(), m_table);
    const TypeContents now = contentsOf(m_type);
    m_match = match(before, now, m_type, [this](std::string_view relation) {
      return targetsOf(m_file, table(m_table).type, relation);
    });
    addLeaves(m_match.leaves, before.members.places, m_type.leaves, m_type.defaults.data());
    for (std::size_t i = 0; i < m_type.vectors.size(); ++i)
      addVector(m_type.vectors[i], m_match.lists[i], before);
    for (std::size_t i = 0; i < m_type.relations.size(); ++i) {
      const ListMatch& list = m_match.lists[m_type.vectors.size() + i];
      const std::size_t first = m_origins.size();
      addRelation(m_type.relations[i],
                  list.verdict == Verdict::read ? before.lists[list.list].table : Table::none);
      failFrom(first, list);
    }
    forgetComputed();
    warnOfUnread(m_file, m_source, m_type, m_match.changes);
  }

  /// Does not report members that the datatype lacks if other members are computed from them.
  void forgetComputed() {
    std::vector<std::string_view> read;
    for (const BindingOrigin& origin : m_origins)
      if (origin.computation)
        read.insert(read.end(), origin.computation->from.begin(), origin.computation->from.end());
    const auto isRead = [&](const MemberChange& change) {
      return change.kind == MemberChange::Kind::dropped &&
             std::ranges::any_of(read, [&](std::string_view name) {
               return name == change.path || name.starts_with(change.path + ".");
             });
    };
    std::erase_if(m_match.changes, isRead);
  }

  void addLeaves(std::span<const LeafMatch> matches, std::span<const TableMember> places,
                 std::span<const Leaf> leaves, const std::byte* defaults) {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const Leaf& leaf = leaves[i];
      const std::byte* const missing = defaults + leaf.offset;
      const LeafMatch from = i < matches.size() ? matches[i] : LeafMatch{};
      BindingOrigin& origin = m_origins.emplace_back(BindingOrigin{.missing = missing});
      if (from.verdict == Verdict::failed) {
        origin.mistake = mistakeOf(from.mistake);
      } else if (from.isAlwaysThere) {
        origin.missing = bytesOf(trueByte);
      } else if (from.leaf != LeafMatch::none) {
        const TableMember place = places[from.leaf];
        origin.table = place.table;
        origin.member = place.member;
        for (const std::uint32_t presence : from.presences)
          origin.presences.push_back(places[presence]);
        if (from.verdict == Verdict::converted)
          origin.converted = leaf.type;
      } else if (defaults == m_type.defaults.data()) {
        origin = findComputed(leaf, missing).value_or(origin);
      }
    }
  }

  /// Adds the columns of a vector member, its elements, and the lists and texts in it.
  void addVector(const VectorMember& vector, const ListMatch& list, const TypeContents& before) {
    const std::size_t first = m_origins.size();
    const bool isThere = list.verdict == Verdict::read;
    const auto* const stored = isThere ? &before.lists[list.list] : nullptr;
    TableNumber inner = stored ? stored->table : Table::none;
    for (std::uint32_t level = 0; level <= vector.depth; ++level) {
      m_origins.push_back({inner, BindingOrigin::slices, bytesOf(emptySlice)});
      if (level < vector.depth && inner != Table::none)
        inner = schema().find(joined(table(inner).name, "."));
    }
    if (vector.holdsStrings())
      addCharacters(inner);
    if (vector.isString() && stored)
      checkCharacters(table(inner));
    std::vector<TableMember> places;
    if (stored)
      for (MemberNumber member = 0; member < table(inner).members.size(); ++member)
        places.push_back({inner, member});
    const std::vector<LeafMatch> characters{{.verdict = Verdict::read, .leaf = 0}};
    addLeaves(vector.isString() && stored ? characters : list.leaves, places, vector.leaves,
              vector.element ? static_cast<const std::byte*>(vector.element) : m_zeros.data());
    failFrom(first, list);
  }

  /// Gives all columns from `first` on the mistake of their list.
  void failFrom(std::size_t first, const ListMatch& list) {
    if (list.verdict == Verdict::failed)
      for (std::size_t i = first; i < m_origins.size(); ++i)
        m_origins[i].mistake = mistakeOf(list.mistake);
  }

  [[nodiscard]] std::exception_ptr mistakeOf(std::uint32_t number) const {
    const MemberChange& change = m_match.changes[number];
    const std::string was =
        change.before == change.path ? "" : joined(" (then '", change.before, "')");
    return std::make_exception_ptr(
        Error(ErrorKind::type,
              joined(m_source.name(), ": '", dotted(table(m_table).name, change.path), "'", was,
                     " cannot be read: it ", change.text, versionText(m_file, m_type))));
  }

  /// Returns the origin of a leaf that a function of onRead() computes, if the file has its
  /// arguments.
  [[nodiscard]] std::optional<BindingOrigin> findComputed(const Leaf& leaf,
                                                          const std::byte* missing) const {
    const Members members = table(m_table).members;
    for (const detail::Computation* const computation : detail::computationsOf(leaf)) {
      const auto isThere = [&](const std::string& name) {
        const std::uint32_t number = members.find(name);
        return number < members.size() && members[number].extent == 1;
      };
      if (std::ranges::all_of(computation->from, isThere))
        return BindingOrigin{.table = m_table,
                             .missing = missing,
                             .converted = leaf.type,
                             .computation = computation};
    }
    return std::nullopt;
  }

  void checkCharacters(const Table& info) const {
    if (info.rowSize != 1 || info.members.size() != 1 || info.members[0].type != Scalar::UInt8)
      fail(ErrorKind::corrupt, m_source.name(), ": '", info.name,
           "' does not have the characters of strings; the file is damaged");
  }

  /// Adds the columns of a list of strings, after the column of its slices. `strings` is its table.
  void addCharacters(std::uint32_t strings) {
    TableNumber text = Table::none;
    if (strings != Table::none) {
      const auto isText = [&](std::uint32_t number) {
        return table(number).kind == TableKind::text && table(number).parent == strings;
      };
      const auto below = schema().tablesUnder(m_table);
      const auto texts = std::ranges::find_if(below, isText);
      if (texts == below.end())
        fail(ErrorKind::corrupt, m_source.name(), ": the strings of '", table(strings).name,
             "' are missing; the file is damaged");
      text = *texts;
      checkCharacters(table(text));
    }
    m_origins.push_back({text, BindingOrigin::slices, bytesOf(emptySlice)});
    m_origins.push_back({text, 0, bytesOf(emptySlice)});
  }

  void addRelation(const Relation& relation, std::uint32_t number) {
    if (relation.many)
      m_origins.push_back({number, BindingOrigin::slices, bytesOf(emptySlice)});
    m_origins.push_back({number, detail::relationIndex, bytesOf(noReference.index)});
    m_origins.push_back({number, detail::relationCollection, bytesOf(noReference.neighbour)});
  }

  const File& m_file;
  const Source& m_source;
  TableNumber m_table;
  const Datatype& m_type;
  std::vector<std::byte>& m_zeros;
  std::vector<BindingOrigin> m_origins;
  TypeMatch m_match;
};

/// Returns a member's rows in the page that contains the entry.
NumberRows numbersOf(detail::Window& window, TableNumber table, MemberNumber member,
                     std::uint64_t entry) {
  const Member info = window.source().schema().table(table).members[member];
  return {window.member(table, member, entry), info.type, info.extent};
}

/// Returns the entry of a row in the page that contains `entry`.
std::uint64_t entryOfRow(detail::Window& window, TableNumber table, std::uint64_t entry,
                         std::size_t row) {
  const Table info = window.source().schema().table(table);
  if (info.isCounted()) {
    const auto offsets = window.offsets(table, entry);
    row = static_cast<std::size_t>(std::ranges::upper_bound(offsets, row) - offsets.begin()) - 1;
  }
  return info.isRoot() ? window.pages(table, entry).firstEntry + row
                       : entryOfRow(window, info.parent, entry, row);
}

/// Converts values of the page that contains the entry. Throws Error(type) if a value does not fit.
void convertChecked(detail::Window& window, TableMember place, std::uint64_t entry,
                    const NumberRows& from, std::size_t rows, Scalar type, std::byte* to) {
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
       ", which does not fit into ", nameOf(type), ", the type in the model");
}

/// Returns whether a column follows another one at this distance in the same rows.
bool liesAfter(const Schema& schema, const BindingOrigin& first, const BindingOrigin& next,
               std::uint32_t distance) {
  const auto isMember = [](const BindingOrigin& origin) {
    return origin.table != Table::none && origin.member != BindingOrigin::slices &&
           !origin.converted && !origin.mistake;
  };
  if (!isMember(first) || !isMember(next) || first.table != next.table)
    return false;
  const detail::MemberPosition a = schema.place(first.table, first.member);
  const detail::MemberPosition b = schema.place(next.table, next.member);
  return a.column == b.column && b.offset == a.offset + distance;
}

ColumnView computePage(detail::Window& window, const BindingOrigin& origin, std::uint64_t entry,
                       Buffer& values) {
  const Schema& schema = window.source().schema();
  const Members members = schema.table(origin.table).members;
  const detail::Computation& computation = *origin.computation;
  std::vector<Buffer> arguments(computation.from.size());
  std::vector<const std::byte*> begins;
  const auto pageOf = [&](const std::string& member) -> const detail::Page& {
    return window.page(schema.place(origin.table, members.find(member)).column, entry);
  };
  const bool isOne = std::ranges::all_of(
      computation.from, [&](const std::string& member) { return pageOf(member).isRepeated; });
  std::size_t rows = pageOf(computation.from.front()).values;
  if (isOne)
    rows = std::min<std::size_t>(rows, 1);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const MemberNumber member = members.find(computation.from[i]);
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

std::vector<BindingOrigin> bindColumns(const File& file, const Source& source, TableNumber table,
                                       const Datatype& type, std::vector<std::byte>& zeros) {
  std::vector<BindingOrigin> origins = DatatypeBinder(file, source, table, type, zeros).origins();
  const auto& columns = detail::layoutOf(type).columns;
  for (std::size_t i = origins.size(); i-- > 1;)
    if (columns[i].pool == columns[i - 1].pool &&
        liesAfter(source.schema(), origins[i - 1], origins[i],
                  columns[i].offset - columns[i - 1].offset))
      origins[i - 1].together = origins[i].together + 1;
  return origins;
}

void checkDatatype(const File& file, const Source& source, TableNumber table,
                   const Datatype& type) {
  const Table info = source.schema().table(table);
  if (!type.isCalled(info.type))
    fail(ErrorKind::type, source.name(), ": '", info.name, "' is a collection of ", info.type,
         ", not of ", type.name, versionText(file, type));
}

ColumnView convertPage(detail::Window& window, const BindingOrigin& origin, std::uint64_t entry,
                       Buffer& values) {
  if (origin.computation)
    return computePage(window, origin, entry, values);
  const Schema& schema = window.source().schema();
  const detail::Page& page = window.page(schema.place(origin.table, origin.member).column, entry);
  const NumberRows from = numbersOf(window, origin.table, origin.member, entry);
  const std::size_t rowSize = std::size_t{sizeOf(*origin.converted)} * from.extent;
  // If all rows are the same, the value is converted once, however many rows a file states.
  const auto isRepeated = [&](TableMember place) {
    return window.page(schema.place(place.table, place.member).column, entry).isRepeated;
  };
  const bool isOne = page.isRepeated && std::ranges::all_of(origin.presences, isRepeated);
  const std::size_t rows = isOne ? std::min<std::size_t>(page.values, 1) : page.values;
  std::byte* const to = values.assign(std::max<std::size_t>(rows, 1) * rowSize).data();
  convertChecked(window, {origin.table, origin.member}, entry, from, rows, *origin.converted, to);
  for (const TableMember presence : origin.presences) {
    const ColumnView isThere = window.member(presence.table, presence.member, entry);
    for (std::size_t row = 0; row < rows; ++row)
      if (*isThere.at(row) == std::byte{0})
        std::memcpy(to + row * rowSize, origin.missing, rowSize);
  }
  return {to, isOne ? 0 : rowSize};
}

} // namespace kaon
