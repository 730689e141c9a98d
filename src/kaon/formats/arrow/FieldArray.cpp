#include <kaon/formats/arrow/FieldArray.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/detail/batch/StridedCopy.h>
#include <kaon/formats/arrow/OwnedArrow.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace kaon::arrow {
namespace {

/// The memory that an array refers to.
struct ArrayMemory {
  std::vector<std::shared_ptr<Buffer>> buffers = {};
  std::vector<const void*> places = {};
  OwnedChildren<ArrowArray> parts = {};
};

/// The bits that tell which values are not null; no bits without nulls.
struct Validity {
  std::shared_ptr<Buffer> bits = {};
  std::int64_t nulls = 0;
};

/// Makes an array that owns its memory. The first buffer has the validity.
ArrowArray toArray(std::unique_ptr<ArrayMemory> memory, std::size_t length, std::int64_t nulls) {
  static constexpr std::int64_t nothing = 0; // some libraries reject null for empty buffers
  for (const auto& buffer : memory->buffers)
    memory->places.push_back(!buffer          ? nullptr
                             : buffer->data() ? static_cast<const void*>(buffer->data())
                                              : &nothing);
  ArrowArray array{};
  array.length = static_cast<std::int64_t>(length);
  array.null_count = nulls;
  array.n_buffers = std::ssize(memory->places);
  array.buffers = memory->places.data();
  keep(std::move(memory), array);
  return array;
}

/// Packs one bit for each value, from the lowest bit of each byte.
template <class IsSet>
std::shared_ptr<Buffer> packBits(std::size_t count, IsSet isSet) {
  auto bits = std::make_shared<Buffer>();
  const std::span<std::byte> bytes = bits->assign((count + 7) / 8);
  std::ranges::fill(bytes, std::byte{0});
  for (std::size_t i = 0; i < count; ++i)
    bytes[i / 8] |= static_cast<std::byte>(unsigned{isSet(i)} << (i % 8));
  return bits;
}

template <class IsThere>
Validity validityOf(std::size_t count, IsThere isThere) {
  std::size_t nulls = 0;
  for (std::size_t i = 0; i < count; ++i)
    nulls += isThere(i) ? 0 : 1;
  if (nulls == 0)
    return {};
  return {packBits(count, isThere), static_cast<std::int64_t>(nulls)};
}

const TableMemory& tableOf(const ArrowField& field, const ColumnMemory& columns) {
  return columns.tables.at(field.table);
}

/// Returns the values of members. One member's values are shared; those of several are interleaved
/// row by row.
std::shared_ptr<Buffer> together(const std::vector<std::uint32_t>& members,
                                 const TableMemory& table) {
  if (members.size() == 1 || table.rows == 0)
    return table.members.at(members.front());
  auto values = std::make_shared<Buffer>();
  const std::size_t size = table.members.at(members.front())->size() / table.rows;
  const std::size_t stride = size * members.size();
  std::byte* out = values->assign(table.rows * stride).data();
  for (const MemberNumber member : members) {
    detail::copyStrided(out, stride, table.members.at(member)->data(), size, table.rows, size);
    out += size;
  }
  return values;
}

Validity validityOf(const ArrowField& field, const ColumnMemory& columns, std::size_t length) {
  switch (field.absence) {
  case Absence::never:
    break;
  case Absence::ofTable: {
    const std::byte* const present = tableOf(field, columns).present->data();
    return validityOf(length, [present](std::size_t i) { return present[i] != std::byte{0}; });
  }
  case Absence::ofMember: {
    const bool isOwn = field.presenceTable == Table::none;
    const auto hasValue = together(field.hasValue, isOwn ? tableOf(field, columns)
                                                         : columns.tables.at(field.presenceTable));
    return validityOf(length,
                      [has = hasValue->data()](std::size_t i) { return has[i] != std::byte{0}; });
  }
  case Absence::ofReference: {
    const auto* const index = detail::valuesAt<std::int32_t>(
        tableOf(field, columns).members.at(detail::relationIndex)->data());
    return validityOf(length, [index](std::size_t i) { return index[i] >= 0; });
  }
  }
  return {};
}

std::shared_ptr<Buffer> numbersOf(const ArrowField& field, const ColumnMemory& columns,
                                  std::size_t length) {
  auto values = together(field.members, tableOf(field, columns));
  if (field.type != Scalar::Bool)
    return values;
  return packBits(length, [&](std::size_t i) { return values->data()[i] != std::byte{0}; });
}

/// Returns the characters of strings as UTF-8. In other strings, bytes that are not ASCII become
/// "?".
std::shared_ptr<Buffer> charactersOf(const TableMemory& table,
                                     const std::shared_ptr<Buffer>& characters) {
  constexpr std::byte notAscii{0x80};
  const auto isOther = [](std::byte byte) { return (byte & notAscii) != std::byte{0}; };
  if (std::ranges::none_of(characters->bytes(), isOther))
    return characters;
  std::shared_ptr<Buffer> mended;
  const auto begins = table.begins();
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const auto first = static_cast<std::size_t>(begins[i]);
    const auto size = static_cast<std::size_t>(begins[i + 1] - begins[i]);
    if (isUtf8({detail::valuesAt<char>(characters->data()) + first, size}))
      continue;
    if (!mended) {
      mended = std::make_shared<Buffer>();
      mended->append(characters->bytes());
    }
    std::ranges::replace_if(std::span(mended->data() + first, size), isOther, std::byte{'?'});
  }
  return mended ? mended : characters;
}

/// Returns the index of each reference's collection among the names; 0 for empty references.
std::shared_ptr<Buffer> placesOf(const ArrowField& field, const ColumnMemory& columns,
                                 const CollectionNames& names, std::string_view where) {
  const TableMemory& table = tableOf(field, columns);
  const auto* const index =
      detail::valuesAt<std::int32_t>(table.members.at(detail::relationIndex)->data());
  const auto* const collection =
      detail::valuesAt<std::uint32_t>(table.members.at(detail::relationCollection)->data());
  auto places = std::make_shared<Buffer>();
  auto* const out =
      detail::valuesAt<std::int32_t>(places->assign(table.rows * sizeof(std::int32_t)).data());
  auto known = names.places.end();
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (index[i] < 0) {
      out[i] = 0;
      continue;
    }
    if (known == names.places.end() || known->first != collection[i])
      known = names.places.find(collection[i]);
    if (known == names.places.end())
      fail(ErrorKind::corrupt, where,
           ": a relation refers to a collection that does not exist; the file is damaged");
    out[i] = known->second;
  }
  return places;
}

ArrowArray dictionaryOf(const CollectionNames& names) {
  auto memory = std::make_unique<ArrayMemory>();
  memory->buffers = {nullptr, names.offsets, names.characters};
  return toArray(std::move(memory), names.places.size(), 0);
}

/// Returns the array of a field with `length` values.
ArrowArray arrayOf(const ArrowField& field, std::size_t length, const ColumnMemory& columns,
                   const CollectionNames& names, std::string_view where) {
  auto memory = std::make_unique<ArrayMemory>();
  Validity validity = validityOf(field, columns, length);
  memory->buffers.push_back(std::move(validity.bits));
  std::size_t childLength = length;
  switch (field.kind) {
  case ArrowFieldKind::number:
    memory->buffers.push_back(numbersOf(field, columns, length));
    break;
  case ArrowFieldKind::list:
    memory->buffers.push_back(tableOf(field, columns).offsets);
    childLength = tableOf(field, columns).rows;
    break;
  case ArrowFieldKind::text: {
    const TableMemory& table = tableOf(field, columns);
    memory->buffers.push_back(table.offsets);
    memory->buffers.push_back(charactersOf(table, table.members.at(0)));
    break;
  }
  case ArrowFieldKind::collectionName:
    memory->buffers.push_back(placesOf(field, columns, names, where));
    memory->parts.dictionary = std::make_unique<OwnedArrow<ArrowArray>>(dictionaryOf(names));
    break;
  case ArrowFieldKind::fixedList:
    childLength = length * field.size;
    break;
  case ArrowFieldKind::record:
    break;
  }
  memory->parts.children.reserve(field.children.size());
  for (const ArrowField& child : field.children)
    memory->parts.children.emplace_back(arrayOf(child, childLength, columns, names, where));
  return toArray(std::move(memory), length, validity.nulls);
}

} // namespace

CollectionNames::CollectionNames(const Schema& schema)
    : offsets(std::make_shared<Buffer>()), characters(std::make_shared<Buffer>()) {
  const auto appendEnd = [this] {
    const auto end = static_cast<std::int64_t>(characters->size());
    offsets->append(std::as_bytes(std::span(&end, 1)));
  };
  appendEnd();
  for (TableNumber number = 0; number < schema.size(); ++number) {
    const Table table = schema.table(number);
    if (table.kind != TableKind::collection)
      continue;
    places.emplace(number, static_cast<std::int32_t>(places.size()));
    characters->append(std::as_bytes(std::span(table.name)));
    appendEnd();
  }
}

ArrowArray arrayOf(const ArrowField& field, const ColumnMemory& columns,
                   const CollectionNames& names, std::string_view where) {
  return arrayOf(field, columns.entries, columns, names, where);
}

} // namespace kaon::arrow
