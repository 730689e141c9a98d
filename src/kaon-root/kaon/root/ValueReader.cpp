#include <kaon/root/ValueReader.h>

#include <kaon/detail/base/Memory.h>

#include <ROOT/RVec.hxx>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace kaon::root {
namespace {

using RootColumnReader = ROOT::Detail::RDF::RColumnReaderBase;

template <class T>
inline constexpr bool isNumber = std::is_arithmetic_v<T>;

/// Returns the value in a row of a level, in the page's memory.
template <class T>
T* rowAt(const std::byte* values, std::size_t row) {
  // RDataFrame passes it on as const.
  return const_cast<T*>(detail::valuesAt<T>(values)) + row;
}

// Reads the value in a row of a level, or its list of rows of the level below.

template <class T>
  requires isNumber<T>
void read(T& out, const PagedColumn& column, std::size_t row, const PageLevel*) {
  out = *rowAt<T>(column.values(), row);
}

inline void read(std::string& out, const PagedColumn& column, std::size_t row,
                 const PageLevel* level) {
  const auto [first, last] = level->below(row);
  out.assign(detail::valuesAt<char>(column.values()) + first, last - first);
}

template <class T>
void read(ROOT::RVec<T>& out, const PagedColumn& column, std::size_t row, const PageLevel* level);

template <class T>
void read(std::optional<T>& out, const PagedColumn& column, std::size_t row,
          const PageLevel* level) {
  if (column.isPresent(row))
    read(out ? *out : out.emplace(), column, row, level);
  else
    out.reset();
}

template <class T>
void read(ROOT::RVec<T>& out, const PagedColumn& column, std::size_t row, const PageLevel* level) {
  const auto [first, last] = level->below(row);
  if constexpr (isNumber<T>) { // a view
    std::destroy_at(&out);
    std::construct_at(&out, rowAt<T>(column.values(), first), last - first);
  } else {
    out.resize(last - first);
    for (std::size_t i = first; i < last; ++i)
      read(out[i - first], column, i, level + 1);
  }
}

template <class Value>
class ValueReader final : public RootColumnReader {
public:
  ValueReader(std::shared_ptr<Slot> slot, const FrameColumn& column)
      : m_slot(slot.get()), m_column(std::move(slot), column) {}

private:
  void* GetImpl(Long64_t entry) override {
    const std::uint64_t inFile = m_slot->inFile(static_cast<std::uint64_t>(entry));
    if (!m_column.moveTo(inFile)) [[unlikely]]
      return nullptr;
    const std::size_t row = m_column.row(inFile);
    read(m_value, m_column, row, m_column.levels());
    // The address never changes, because Snapshot uses it for all entries of a tree.
    return &m_value;
  }

  Slot* m_slot; // owned by the column
  PagedColumn m_column;
  Value m_value{};
};

/// Returns a reader of `Value` in `lists` levels of RVec, or null. The recursion ends at
/// `mostLists`.
template <class Value, std::size_t depth = 0>
std::unique_ptr<RootColumnReader> readerOf(std::size_t lists, std::shared_ptr<Slot> slot,
                                           const FrameColumn& column, const std::type_info& type) {
  if (lists == 0) {
    if (type != typeid(Value) && type != typeid(void))
      return nullptr;
    return std::make_unique<ValueReader<Value>>(std::move(slot), column);
  }
  if constexpr (depth < mostLists)
    return readerOf<ROOT::RVec<Value>, depth + 1>(lists - 1, std::move(slot), column, type);
  else
    return nullptr;
}

/// Returns a reader of numbers, or of optional numbers or arrays, or null.
template <class Number>
std::unique_ptr<RootColumnReader> readerOfNumbers(const std::shared_ptr<Slot>& slot,
                                                  const FrameColumn& column,
                                                  const std::type_info& type) {
  if (!column.isOptional())
    return readerOf<Number>(column.lists(), slot, column, type);
  if (column.isArray())
    return readerOf<std::optional<ROOT::RVec<Number>>>(column.lists(), slot, column, type);
  return readerOf<std::optional<Number>>(column.lists(), slot, column, type);
}

/// Returns a reader of the first of these types that fits.
template <class... Numbers>
std::unique_ptr<RootColumnReader> firstOf(const std::shared_ptr<Slot>& slot,
                                          const FrameColumn& column, const std::type_info& type) {
  std::unique_ptr<RootColumnReader> reader;
  ((reader = readerOfNumbers<Numbers>(slot, column, type)) || ...);
  return reader;
}

std::unique_ptr<RootColumnReader> numberReader(const std::shared_ptr<Slot>& slot,
                                               const FrameColumn& column,
                                               const std::type_info& type) {
  switch (column.type) {
  case Scalar::Bool:
    return firstOf<bool>(slot, column, type);
  case Scalar::Int8:
    return firstOf<std::int8_t, char>(slot, column, type);
  case Scalar::UInt8:
    return firstOf<std::uint8_t>(slot, column, type);
  case Scalar::Int16:
    return firstOf<std::int16_t>(slot, column, type);
  case Scalar::UInt16:
    return firstOf<std::uint16_t>(slot, column, type);
  case Scalar::Int32:
    return firstOf<std::int32_t>(slot, column, type);
  case Scalar::UInt32:
    return firstOf<std::uint32_t>(slot, column, type);
  case Scalar::Int64:
    return firstOf<long, long long>(slot, column, type);
  case Scalar::UInt64:
    return firstOf<unsigned long, unsigned long long>(slot, column, type);
  case Scalar::Float32:
    return firstOf<float>(slot, column, type);
  case Scalar::Float64:
    break;
  }
  return firstOf<double>(slot, column, type);
}

} // namespace

std::unique_ptr<RootColumnReader> valueReader(std::shared_ptr<Slot> slot, const FrameColumn& column,
                                              const std::type_info& type) {
  if (column.element == ElementKind::text && column.isOptional())
    return readerOf<std::optional<std::string>>(column.lists(), std::move(slot), column, type);
  if (column.element == ElementKind::text)
    return readerOf<std::string>(column.lists(), std::move(slot), column, type);
  return numberReader(slot, column, type); // sizes are 64-bit numbers
}

} // namespace kaon::root
