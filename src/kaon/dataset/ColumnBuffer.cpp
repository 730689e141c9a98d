#include <kaon/dataset/ColumnBuffer.h>

#include <kaon/base/ShortRuns.h>

#include <limits>

namespace kaon {
namespace {

/// Pieces of some size-`width` elements, [begin, end) each, one behind the other: so many elements.
void copyPieces(std::span<const std::byte> from, std::span<const std::uint32_t> pieces,
                std::size_t width, std::size_t size, Buffer& to) {
  std::byte* out = to.assign(size * width + shortRunRoom).data();
  for (std::size_t i = 0; i < pieces.size(); i += 2)
    out = appendRun(from, pieces[i] * width, pieces[i + 1] * width, out);
}

template <class Value>
void takeValues(const std::byte* from, std::span<const std::uint32_t> entries, Buffer& to) {
  const auto* const in = reinterpret_cast<const Value*>(from);
  auto* const out = reinterpret_cast<Value*>(to.assign(entries.size() * sizeof(Value)).data());
  for (std::size_t i = 0; i < entries.size(); ++i)
    out[i] = in[entries[i]];
}

} // namespace

const ColumnValues& ColumnBuffer::take(const ColumnValues& column, ColumnType type,
                                       std::span<const std::uint32_t> entries, Scalar as) {
  const std::uint32_t width = sizeOf(type.scalar);
  m_column = {};
  if (type.depth == 0) {
    withScalar(type.scalar,
               [&](auto value) { takeValues<decltype(value)>(column.values, entries, m_taken); });
    m_column.size = entries.size();
  } else {
    m_pieces.clear();
    for (const std::uint32_t entry : entries) {
      if (!m_pieces.empty() && m_pieces.back() == entry) { // follows the last one
        ++m_pieces.back();
        continue;
      }
      m_pieces.push_back(entry);
      m_pieces.push_back(entry + 1);
    }
    for (unsigned level = 0; level < type.depth; ++level) {
      const std::span<const std::uint32_t> offsets = column.offsets[level];
      std::vector<std::uint32_t>& taken = m_offsets[level];
      std::size_t lists = 0;
      for (std::size_t i = 0; i < m_pieces.size(); i += 2)
        lists += m_pieces[i + 1] - m_pieces[i];
      taken.resize(lists + 1);
      std::uint32_t* last = taken.data();
      *last = 0;
      for (std::size_t i = 0; i < m_pieces.size(); i += 2) {
        const std::uint32_t shift = *last - offsets[m_pieces[i]];
        for (std::size_t list = m_pieces[i]; list < m_pieces[i + 1]; ++list)
          *++last = offsets[list + 1] + shift;
        m_pieces[i] = offsets[m_pieces[i]];
        m_pieces[i + 1] = offsets[m_pieces[i + 1]];
      }
      m_column.offsets[level] = taken;
    }
    m_column.size = m_offsets[type.depth - 1].back();
    if (!column.values) { // nothing but where the lists are is asked for
      m_column.values = nullptr;
      return m_column;
    }
    copyPieces({column.values, column.size * width}, m_pieces, width, m_column.size, m_taken);
  }
  m_column.values = m_taken.data();
  if (as != type.scalar)
    convertValues(m_taken.data(), m_column.size, type.scalar, as);
  return m_column;
}

const ColumnValues& ColumnBuffer::convert(const ColumnValues& column, ColumnType type, Scalar as) {
  m_column = column;
  convertValues(column.values, column.size, type.scalar, as);
  return m_column;
}

void ColumnBuffer::convertValues(const std::byte* values, std::size_t size, Scalar from,
                                 Scalar as) {
  withScalar(from, [&](auto in) {
    withScalar(as, [&](auto out) {
      using In = decltype(in);
      using Out = decltype(out);
      const auto* const read = reinterpret_cast<const In*>(values);
      auto* const written = reinterpret_cast<Out*>(m_values.assign(size * sizeof(Out)).data());
      for (std::size_t i = 0; i < size; ++i)
        written[i] = static_cast<Out>(read[i]);
    });
  });
  m_column.values = m_values.data();
}

bool isLossless(Scalar from, Scalar as) noexcept {
  if (from == as)
    return true;
  if (from == Scalar::Bool || as == Scalar::Bool)
    return false; // a flag is no number
  return withScalar(from, [&](auto in) {
    return withScalar(as, [&](auto out) {
      using In = std::numeric_limits<decltype(in)>;
      using Out = std::numeric_limits<decltype(out)>;
      return (In::is_integer || !Out::is_integer) && (!In::is_signed || Out::is_signed) &&
             In::digits <= Out::digits;
    });
  });
}

} // namespace kaon
