#pragma once

#include <kaon/detail/formats/arrow/CInterface.h>
#include <kaon/model/Scalar.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The contents of Arrow streams as texts. Reading follows Arrow's rules only.

namespace kaon::test {

/// Releases a struct of Arrow's interface, as its receiver must.
template <class Struct>
class Released {
public:
  Released() = default;
  explicit Released(const Struct& given) : m_given(given) {}
  Released(Released&& other) noexcept : m_given(std::exchange(other.m_given, {})) {}
  ~Released() {
    if (m_given.release)
      m_given.release(&m_given);
  }
  Struct* operator->() { return &m_given; }
  Struct* get() { return &m_given; }

private:
  Struct m_given{};
};
using Stream = Released<ArrowArrayStream>;

inline Released<ArrowSchema> schemaOf(Stream& stream) {
  Released<ArrowSchema> schema;
  EXPECT_EQ(stream->get_schema(stream.get(), schema.get()), 0);
  return schema;
}

inline std::vector<Released<ArrowArray>> arraysOf(Stream& stream) {
  std::vector<Released<ArrowArray>> arrays;
  while (true) {
    Released<ArrowArray> array;
    EXPECT_EQ(stream->get_next(stream.get(), array.get()), 0)
        << stream->get_last_error(stream.get());
    if (!array->release)
      return arrays;
    arrays.push_back(std::move(array));
  }
}

template <class T>
T valueAt(const ArrowArray& array, int buffer, std::int64_t row) {
  return static_cast<const T*>(array.buffers[buffer])[row];
}

inline bool bitAt(const ArrowArray& array, int buffer, std::int64_t row) {
  return (valueAt<std::uint8_t>(array, buffer, row / 8) >> (row % 8) & 1) != 0;
}

inline void number(std::ostream& out, const ArrowSchema& schema, const ArrowArray& array,
                   std::int64_t row) {
  constexpr std::string_view formats = "cCsSiIlLfg";
  constexpr Scalar types[] = {Scalar::Int8,    Scalar::UInt8,  Scalar::Int16, Scalar::UInt16,
                              Scalar::Int32,   Scalar::UInt32, Scalar::Int64, Scalar::UInt64,
                              Scalar::Float32, Scalar::Float64};
  const std::size_t place = formats.find(schema.format);
  ASSERT_LT(place, formats.size()) << schema.format;
  withScalar(types[place], [&](auto zero) { out << +valueAt<decltype(zero)>(array, 1, row); });
}

/// Returns a value as text, such as "{pt: 1, hits: [2, null]}".
inline std::string text(const ArrowSchema& schema, const ArrowArray& array, std::int64_t row) {
  if (array.null_count > 0 && !bitAt(array, 0, row))
    return "null";
  if (schema.dictionary)
    return text(*schema.dictionary, *array.dictionary, valueAt<std::int32_t>(array, 1, row));
  const std::string_view format = schema.format;
  std::ostringstream out;
  const auto list = [&](std::int64_t first, std::int64_t last) {
    out << '[';
    for (std::int64_t i = first; i < last; ++i)
      out << (i > first ? ", " : "") << text(*schema.children[0], *array.children[0], i);
    out << ']';
  };
  if (format == "+s") {
    out << '{';
    for (int child = 0; child < schema.n_children; ++child)
      out << (child > 0 ? ", " : "") << schema.children[child]->name << ": "
          << text(*schema.children[child], *array.children[child], row);
    out << '}';
  } else if (format == "+L") {
    list(valueAt<std::int64_t>(array, 1, row), valueAt<std::int64_t>(array, 1, row + 1));
  } else if (format.starts_with("+w:")) {
    const std::int64_t size = std::stoi(std::string(format.substr(3)));
    list(row * size, (row + 1) * size);
  } else if (format == "U") {
    const auto first = valueAt<std::int64_t>(array, 1, row);
    const auto last = valueAt<std::int64_t>(array, 1, row + 1);
    out << '"'
        << std::string_view(static_cast<const char*>(array.buffers[2]) + first,
                            static_cast<std::size_t>(last - first))
        << '"';
  } else if (format == "b") {
    out << (bitAt(array, 1, row) ? "true" : "false");
  } else {
    number(out, schema, array, row);
  }
  return out.str();
}

/// Returns each entry of a stream as text.
inline std::vector<std::string> textsOf(Stream stream) {
  Released<ArrowSchema> schema = schemaOf(stream);
  std::vector<std::string> texts;
  for (Released<ArrowArray>& array : arraysOf(stream))
    for (std::int64_t row = 0; row < array->length; ++row)
      texts.push_back(text(*schema.get(), *array.get(), row));
  return texts;
}

} // namespace kaon::test
