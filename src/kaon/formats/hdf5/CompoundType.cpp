#include <kaon/formats/hdf5/CompoundType.h>

#include <kaon/base/Utf8.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kaon::hdf5 {
namespace {

constexpr int mostMembers = 4096;

std::string memberName(hid_t type, unsigned number) {
  char* const name = H5Tget_member_name(type, number);
  std::string text = name ? name : "";
  (void)H5free_memory(name);
  if (text.empty() || !isUtf8(text))
    refuse("has a member whose name is not UTF-8");
  return text;
}

unsigned membersOf(hid_t type) {
  const int count = H5Tget_nmembers(type);
  if (count < 1 || count > mostMembers)
    refuse("has a record with no or too many members");
  return static_cast<unsigned>(count);
}

bool isInHeap(hid_t type) { return H5Tget_class(type) == H5T_VLEN || H5Tis_variable_str(type) > 0; }

/// A member of a record.
struct CompoundMember {
  Hdf5Handle type;
  std::uint64_t offset; // in the file
};

/// Computes stored sizes. libhdf5 only tells the sizes of values in memory. Values in heaps have
/// another size in files. This changes the size of records with them, and the offsets of later
/// members.
class StoredSizes {
public:
  [[nodiscard]] std::uint64_t of(hid_t type, int level) {
    if (level > mostLevels)
      refuse("has types within types too deeply");
    switch (H5Tget_class(type)) {
    case H5T_VLEN:
    case H5T_STRING:
      hasPlaces |= isInHeap(type);
      return isInHeap(type) ? heapPlaceBytes : H5Tget_size(type);
    case H5T_ARRAY:
      return ofArray(type, level);
    case H5T_COMPOUND:
      return ofRecord(type, level, nullptr);
    case H5T_REFERENCE:
      if (H5Tequal(type, H5T_STD_REF_OBJ) <= 0 && H5Tequal(type, H5T_STD_REF_DSETREG) <= 0)
        refuse("has references of unknown size");
      return H5Tget_size(type);
    default:
      return H5Tget_size(type);
    }
  }

  /// Returns the size of a record. Sets `fields` to its members in order, unless it is null.
  [[nodiscard]] std::uint64_t ofRecord(hid_t record, int level,
                                       std::vector<CompoundMember>* fields) {
    std::vector<std::pair<std::size_t, unsigned>> places; // in memory, ascending
    for (unsigned i = 0; i < membersOf(record); ++i)
      places.emplace_back(H5Tget_member_offset(record, i), i);
    std::ranges::sort(places);
    if (fields)
      fields->resize(places.size());
    std::uint64_t growth = 0;
    for (const auto& [offset, number] : places) {
      Hdf5Handle type(H5Tget_member_type(record, number));
      const std::uint64_t before = growth;
      growth += of(type.get(), level + 1) - H5Tget_size(type.get());
      if (fields)
        (*fields)[number] = {std::move(type), offset + before};
    }
    return H5Tget_size(record) + growth;
  }

  bool hasPlaces = false;

private:
  [[nodiscard]] std::uint64_t ofArray(hid_t type, int level) {
    const Hdf5Handle element(H5Tget_super(type));
    const std::size_t size = H5Tget_size(element.get());
    if (size == 0 || H5Tget_size(type) > mostValueBytes)
      refuse("has arrays that are too large");
    return H5Tget_size(type) / size * of(element.get(), level + 1);
  }
};

/// Creates a record that has one member at an offset and is otherwise empty.
Hdf5Handle recordWith(const std::string& name, std::uint64_t offset, const Hdf5Handle& type,
                      std::uint64_t size) {
  Hdf5Handle record(H5Tcreate(H5T_COMPOUND, static_cast<std::size_t>(size)));
  if (H5Tinsert(record.get(), name.c_str(), static_cast<std::size_t>(offset), type.get()) < 0)
    refuse("has a record that libhdf5 cannot convert");
  return record;
}

/// Collects the readable parts of a record's members.
class RecordReading {
public:
  RecordReading(hid_t record, int level, StoredSizes& sizes)
      : m_record(record), m_level(level), m_sizes(sizes) {}

  CompoundType read() {
    std::vector<CompoundMember> fields;
    m_storedSize = m_sizes.ofRecord(m_record, m_level, &fields);
    if (m_storedSize == 0 || m_storedSize > mostValueBytes)
      refuse("has records that are too large");
    m_result.numbers.isPlain = true;
    for (unsigned i = 0; i < fields.size(); ++i) {
      const std::string name = memberName(m_record, i);
      const hid_t type = fields[i].type.get();
      try {
        addMember(name, fields[i].offset, type);
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::type)
          throw;
        m_result.unreadable.push_back({name, std::string(className(type)), error.what()});
      }
    }
    finishNumbers();
    return std::move(m_result);
  }

private:
  /// The numbers of a member of this record.
  struct Part {
    std::string name;
    std::uint64_t offset; // in the file
    ValueType type;
  };

  void addMember(const std::string& name, std::uint64_t offset, hid_t type) {
    if (H5Tget_class(type) == H5T_COMPOUND)
      return addRecord(name, offset, type);
    if (auto rows = variableRowsOf(type)) {
      rows->offset = static_cast<std::uint32_t>(offset);
      return addVariable({name, *rows, storedBytesOf(*rows, Hdf5Handle(H5Tcopy(type)))}, name,
                         offset);
    }
    addNumbers(name, offset, valueTypeOf(Hdf5Handle(H5Tcopy(type))));
  }

  void addRecord(const std::string& name, std::uint64_t offset, hid_t type) {
    CompoundType inner = RecordReading(type, m_level + 1, m_sizes).read();
    for (ValueMember& member : inner.numbers.members)
      member.name = name + '.' + member.name;
    if (!inner.numbers.members.empty())
      addNumbers(name, offset, std::move(inner.numbers));
    for (VariableMember& member : inner.variable) {
      member.name = name + '.' + member.name;
      member.rows.offset += static_cast<std::uint32_t>(offset);
      addVariable(std::move(member), name, offset);
    }
    for (Unreadable& member : inner.unreadable)
      m_result.unreadable.push_back({name + '.' + member.name, member.type, member.reason});
  }

  /// Adds a string or list, which is the member `name` or a part of it.
  void addVariable(VariableMember member, const std::string& name, std::uint64_t offset) {
    ValueType& bytes = member.type;
    bytes.stored = recordWith(name, offset, bytes.stored, m_storedSize);
    bytes.memory = Hdf5Handle(H5Tcopy(bytes.stored.get()));
    bytes.storedSize = bytes.size = static_cast<std::uint32_t>(m_storedSize);
    bytes.members.front().extent = bytes.size;
    m_result.variable.push_back(std::move(member));
  }

  void addNumbers(const std::string& name, std::uint64_t offset, ValueType type) {
    ValueType& numbers = m_result.numbers;
    if (numbers.members.size() + type.members.size() > mostMembers ||
        type.size > mostValueBytes - numbers.size)
      refuse("has records that are too large");
    numbers.isPlain &= type.isPlain && offset == numbers.size;
    for (const ValueMember& member : type.members)
      numbers.members.push_back({member.name.empty() ? name : member.name, member.type,
                                 member.extent, numbers.size + member.offset});
    numbers.size += type.size;
    m_parts.push_back({name, offset, std::move(type)});
  }

  /// libhdf5 matches the members of both records by their names.
  void finishNumbers() {
    ValueType& numbers = m_result.numbers;
    numbers.storedSize = static_cast<std::uint32_t>(m_storedSize);
    numbers.isPlain &= numbers.size == m_storedSize;
    if (m_parts.empty())
      return;
    numbers.stored = Hdf5Handle(H5Tcreate(H5T_COMPOUND, static_cast<std::size_t>(m_storedSize)));
    numbers.memory = Hdf5Handle(H5Tcreate(H5T_COMPOUND, numbers.size));
    std::size_t inMemory = 0;
    for (const Part& part : m_parts) {
      if (H5Tinsert(numbers.stored.get(), part.name.c_str(), static_cast<std::size_t>(part.offset),
                    part.type.stored.get()) < 0 ||
          H5Tinsert(numbers.memory.get(), part.name.c_str(), inMemory, part.type.memory.get()) < 0)
        refuse("has a record that libhdf5 cannot convert");
      inMemory += part.type.size;
    }
  }

  hid_t m_record;
  int m_level;
  StoredSizes& m_sizes;
  std::uint64_t m_storedSize = 0;
  std::vector<Part> m_parts;
  CompoundType m_result;
};

} // namespace

CompoundType recordTypeOf(hid_t stored) {
  StoredSizes sizes;
  CompoundType type = RecordReading(stored, 0, sizes).read();
  type.hasPlaces = sizes.hasPlaces;
  return type;
}

} // namespace kaon::hdf5
