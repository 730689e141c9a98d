#include <kaon/formats/sio/lcio/ObjectReader.h>

#include <kaon/base/Error.h>
#include <kaon/formats/sio/ParameterTables.h>
#include <kaon/formats/sio/SioParameters.h>
#include <kaon/formats/sio/lcio/LcioVersion.h>

#include <array>
#include <cstring>

namespace kaon::sio::lcio {
namespace {

/// The size of a number in a block. A bool has one byte, and padding.
constexpr std::uint32_t bytesInBlock(Scalar type) noexcept {
  return type == Scalar::Bool ? 4 : sizeOf(type);
}

template <class Stored, class T>
void decodeAs(const std::byte* from, std::size_t values, std::byte* to) {
  for (std::size_t i = 0; i < values; ++i) {
    const auto value = static_cast<T>(loadBigEndian<Stored>(from + i * sizeof(Stored)));
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

/// Copies numbers with conversion. The combinations are those of LCIO's model.
void decodeNumbers(const std::byte* from, Scalar stored, std::size_t values, Scalar type,
                   std::byte* to) {
  switch (stored) {
  case Scalar::Bool:
    *to = loadBigEndian<std::uint32_t>(from) == 0 ? std::byte{0} : std::byte{1};
    break;
  case Scalar::Int16:
    return decodeAs<std::uint16_t, std::uint16_t>(from, values, to);
  case Scalar::Float64:
    return decodeAs<std::uint64_t, std::uint64_t>(from, values, to);
  case Scalar::Float32:
    if (type == Scalar::Float64)
      return decodeAs<float, double>(from, values, to);
    [[fallthrough]];
  default:
    return decodeAs<std::uint32_t, std::uint32_t>(from, values, to);
  }
}

/// Walks through the objects of a block. `isScan` means that only their numbers are read.
template <bool isScan>
class Walk {
public:
  Walk(BlockReader& in, const BlockHead& head, std::uint32_t version, const ObjectPlan& plan,
       UnitColumns* out, PointerTargets* numbers)
      : m_in(in), m_head(head), m_version(version), m_plan(plan), m_out(out), m_numbers(numbers) {}

  void run() {
    if (m_version <= m_plan.layout->since)
      fail(ErrorKind::version, m_in.place().text(), ": ", m_plan.layout->reasonForOld());
    const bool isFixed = m_plan.layout->isGeneric() && (m_head.flag & fixedSizeFlag) != 0;
    if (isFixed)
      readCounts();
    m_hasCounts = isFixed;
    const std::uint32_t objects = m_in.count(sizeof(std::uint32_t));
    if constexpr (!isScan)
      m_out->addRows(m_plan.table, objects);
    for (m_object = 0; m_object < objects; ++m_object)
      walk(m_plan.steps, m_plan.table, m_object);
    m_in.checkEnd();
  }

private:
  void walk(std::span<const Step> steps, TableNumber table, std::uint32_t object) {
    for (const Step& step : steps)
      if (isThere(*step.field))
        read(step, table, object);
      else
        leaveOut(step);
  }

  [[nodiscard]] bool isThere(const LcioField& field) const {
    return m_version > field.since && field.when.holds(m_head.flag, m_status);
  }

  void read(const Step& step, TableNumber table, std::uint32_t object) {
    switch (step.field->kind) {
    case LcioFieldKind::tag:
      return readTag(table, object);
    case LcioFieldKind::values:
      return readValues(step);
    case LcioFieldKind::list:
      return readList(step);
    case LcioFieldKind::texts:
      return readTexts(step);
    case LcioFieldKind::algorithm:
      return readAlgorithm(step);
    case LcioFieldKind::pointer:
      return readPointers(step, 1);
    case LcioFieldKind::pointers:
      readPointers(step, countOf(*step.field, sizeof(std::uint32_t)));
      return endLists(std::array<std::uint32_t, 1>{step.table});
    case LcioFieldKind::rows:
    case LcioFieldKind::objects:
      return readRows(step);
    case LcioFieldKind::counts:
      if (!m_hasCounts)
        readCounts();
      m_list = 0;
    }
  }

  /// Returns the number of the items of a field.
  [[nodiscard]] std::uint32_t countOf(const LcioField& field, std::size_t leastBytes) {
    return m_version > field.countedSince ? m_in.count(leastBytes) : field.count;
  }

  /// Adds values for fields that the flag or the version leaves out.
  void leaveOut(const Step& step) {
    if (m_version <= step.field->since)
      (void)m_in.take(std::size_t{step.field->wordsBefore} * sizeof(std::uint32_t));
    if constexpr (!isScan) {
      if (step.field->kind == LcioFieldKind::values)
        for (ColumnNumber column = 0; column < step.columns; ++column)
          putMissing(step, step.column + column);
      else if (step.field->kind == LcioFieldKind::rows)
        endLists(step.counted);
      else if (step.field->kind == LcioFieldKind::pointer)
        putNoPointer(step);
      else if (step.field->kind != LcioFieldKind::tag)
        endLists(std::array<std::uint32_t, 1>{step.table});
    }
  }

  void putMissing(const Step& step, ColumnNumber column) {
    const std::size_t bytes = std::size_t{step.extent} * sizeOf(step.type);
    std::byte* const to = m_out->room(column, bytes);
    std::memset(to, 0, bytes);
    if (step.type == Scalar::Float32 && step.field->missing != 0)
      std::memcpy(to, &step.field->missing, sizeof(float));
  }

  void putNoPointer(const Step& step) {
    m_out->put(step.column, std::uint32_t{0});
    m_out->addRows(step.table, 1);
  }

  void readTag(TableNumber table, std::uint32_t object) {
    const auto number = m_in.get<std::uint32_t>();
    if constexpr (isScan)
      if (number != 0 && number != noObject)
        m_numbers->add(number, {table, object});
  }

  void readValues(const Step& step) {
    const LcioField& field = *step.field;
    const std::byte* from = m_in.take(std::size_t{field.count} * bytesInBlock(field.type));
    if (step.isStatus)
      m_status = loadBigEndian<std::uint32_t>(from);
    if constexpr (!isScan)
      for (ColumnNumber column = 0; column < step.columns; ++column) {
        decodeNumbers(from, field.type, step.extent, step.type,
                      m_out->room(step.column + column, step.extent * sizeOf(step.type)));
        from += step.extent * bytesInBlock(field.type);
      }
  }

  void readList(const Step& step) {
    const std::uint32_t bytes = sizeOf(step.field->type);
    const std::uint32_t values =
        m_plan.layout->isGeneric() ? m_counts[m_list++] : countOf(*step.field, bytes);
    if (values > m_in.remaining() / bytes)
      m_in.failHere("has a list that is too long for it");
    const std::byte* const from = m_in.take(std::size_t{values} * bytes);
    if constexpr (!isScan) {
      if (values > 0)
        decodeNumbers(from, step.field->type, values, step.type,
                      m_out->room(step.column, std::size_t{values} * bytes));
      m_out->addRows(step.table, values);
      m_out->endList(step.table);
    }
  }

  void readTexts(const Step& step) {
    const std::uint32_t texts = m_in.count(sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < texts; ++i) {
      const std::string_view text = m_in.text();
      if constexpr (!isScan)
        putText(text, step.table, step.column, *m_out);
    }
    endLists(std::array<std::uint32_t, 1>{step.table});
  }

  void readAlgorithm(const Step& step) {
    const auto number = m_in.get<std::uint32_t>();
    if constexpr (!isScan) {
      const std::string_view text =
          number < m_head.algorithms.size() ? m_head.algorithms[number] : "";
      if (!text.empty())
        std::memcpy(m_out->room(step.column, text.size()), text.data(), text.size());
      m_out->addRows(step.table, static_cast<std::uint32_t>(text.size()));
      m_out->endList(step.table);
    }
  }

  /// The numbers stay in the column of indices until followPointers() replaces them.
  void readPointers(const Step& step, std::uint32_t pointers) {
    const std::size_t bytes = pointers * sizeof(std::uint32_t);
    const std::byte* const from = m_in.take(bytes);
    if constexpr (!isScan) {
      if (pointers > 0)
        decodeAs<std::uint32_t, std::uint32_t>(from, pointers, m_out->room(step.column, bytes));
      if (step.countsRows)
        m_out->addRows(step.table, pointers);
    }
  }

  void readRows(const Step& step) {
    const std::uint32_t rows = countOf(*step.field, sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < rows; ++i) {
      if constexpr (!isScan)
        if (step.objects != Table::none)
          putInner(step);
      walk(step.inner, step.objects, m_innerObjects);
      m_innerObjects += step.objects == Table::none ? 0 : 1;
    }
    if constexpr (!isScan)
      for (const TableNumber table : step.counted)
        m_out->addRows(table, rows);
    endLists(step.counted);
  }

  /// Adds an inner object, and the reference to it.
  void putInner(const Step& step) {
    m_out->addRows(step.objects, 1);
    m_out->put(step.column, m_innerObjects);
    m_out->put(step.column + 1, step.objects);
  }

  void endLists(std::span<const std::uint32_t> tables) {
    if constexpr (!isScan)
      for (const TableNumber table : tables)
        m_out->endList(table);
  }

  void readCounts() {
    for (std::uint32_t& count : m_counts)
      count = m_in.get<std::uint32_t>();
  }

  BlockReader& m_in;
  const BlockHead& m_head;
  std::uint32_t m_version;
  const ObjectPlan& m_plan;
  UnitColumns* m_out;
  PointerTargets* m_numbers;
  std::uint32_t m_object = 0;
  std::uint32_t m_innerObjects = 0;
  std::uint32_t m_status = 0;
  std::array<std::uint32_t, 3> m_counts{}; // of generic objects: ints, floats, doubles
  std::size_t m_list = 0;
  bool m_hasCounts = false;
};

} // namespace

BlockHead readHead(BlockReader& in, std::uint32_t version, const LcioLayout& layout) {
  BlockHead head;
  head.flag = layout.currentFlag(in.get<std::uint32_t>(), version);
  forParameters(in, parametersOf(version), [&](const StoredParameter& parameter) {
    if (parameter.type != ParameterType::string || parameter.key != algorithmsKey)
      return;
    BlockReader values = parameter.reader;
    for (std::uint32_t i = 0; i < parameter.values; ++i) {
      head.algorithms.push_back(values.text());
      if (head.algorithms.back().size() > mostAlgorithmBytes)
        values.failHere("has a name of " + std::to_string(head.algorithms.back().size()) +
                        " bytes for the algorithm that found vertices");
    }
  });
  return head;
}

void decodeObjects(BlockReader& in, const BlockHead& head, std::uint32_t version,
                   const ObjectPlan& plan, UnitColumns& out) {
  Walk<false>(in, head, version, plan, &out, nullptr).run();
}

void findNumbers(BlockReader& in, const BlockHead& head, std::uint32_t version,
                 const ObjectPlan& plan, PointerTargets& out) {
  Walk<true>(in, head, version, plan, nullptr, &out).run();
}

} // namespace kaon::sio::lcio
