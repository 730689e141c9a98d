#include "Arrays.h"
#include "BadFilePolicy.h"
#include "Module.h"
#include "Names.h"
#include "PythonProgress.h"
#include "Warnings.h"

#include <kaon/base/Error.h>
#include <kaon/dataset/Dataframe.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/detail/reading/ColumnLocator.h>
#include <kaon/event/Reader.h>
#include <kaon/expression/ObjectMembers.h>
#include <kaon/expression/RecordMembers.h>

#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <boost/histogram/indexed.hpp>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

namespace kaon::python {
namespace {

/// Returns a read-only array over memory of C++, which `owner` keeps alive.
nb::object arrayOver(const void* values, std::size_t size, Scalar type, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, nb::ro>(values, {size}, owner, {}, dtypeOf(type)));
}

// ---- Results ----

/// A result of any type that was booked on a dataframe.
struct AnyResult {
  std::shared_ptr<detail::Action> action;
  std::function<nb::object(nb::handle self)> value; ///< `self` is the Python object of the result
  std::function<std::map<std::string, AnyResult>()> variations;
};

template <class T, class ToPython>
AnyResult anyResult(Result<T> result, ToPython toPython) {
  return {result.action(), [result, toPython](nb::handle self) { return toPython(*result, self); },
          [result, toPython] {
            std::map<std::string, AnyResult> all;
            for (auto& [name, varied] : kaon::variations(result))
              all.emplace(name, anyResult(std::move(varied), toPython));
            return all;
          }};
}
nb::object toPython(const Number& number, nb::handle = {}) {
  return std::visit([](auto value) { return nb::cast(value); }, number.value);
}
nb::object toPython(const std::optional<Number>& number, nb::handle) {
  return number ? toPython(*number) : nb::none();
}
nb::object toPython(const std::optional<double>& number, nb::handle) { return nb::cast(number); }

template <class T>
AnyResult anyResult(Result<T> result) {
  return anyResult(std::move(result), [](const T& value, nb::handle) { return nb::cast(value); });
}

/// Returns the values as an array of characters if the column has texts.
nb::object valuesOf(detail::ColumnType type, nb::object values) {
  return type.isText ? values.attr("view")("S1") : std::move(values);
}

/// Returns the values, then the offsets of each level of lists, the outermost first. Missing values
/// are masked; so are the offsets of missing lists.
nb::object toPython(const detail::ColumnArray& array, nb::handle owner) {
  nb::list parts;
  const std::size_t size = array.values.size() / sizeOf(array.type.scalar);
  parts.append(
      valuesOf(array.type, arrayOver(array.values.data(), size, array.type.scalar, owner)));
  for (const detail::LargeArray<std::int64_t>& offsets : array.offsets)
    parts.append(arrayOver(offsets.data(), offsets.size(), Scalar::Int64, owner));
  const auto boolsOf = [&](const detail::LargeArray<std::byte>& present) {
    return arrayOver(present.data(), present.size(), Scalar::Bool, owner);
  };
  const nb::object masked = nb::module_::import_("numpy").attr("ma").attr("array");
  if (array.present) // NumPy's masks are true for missing values
    parts[0] = masked(parts[0], "mask"_a = ~boolsOf(*array.present));
  if (const auto& lists = array.presentLists) { // the last offset has no list
    const nb::object mask = ~boolsOf(lists->present);
    parts[lists->level + 1] =
        masked(parts[lists->level + 1],
               "mask"_a = nb::module_::import_("numpy").attr("append")(mask, nb::bool_(false)));
  }
  return parts;
}

/// Returns one array for each number of a bin. Dimension i has the bins of axis i, including
/// underflow and overflow if the axis has them.
template <class Bins, class... Get>
nb::object binsToPython(const Bins& bins, Get... get) {
  std::vector<std::size_t> shape;
  for (unsigned axis = 0; axis < bins.rank(); ++axis)
    shape.push_back(
        static_cast<std::size_t>(boost::histogram::axis::traits::extent(bins.axis(axis))));
  nb::list all;
  const auto add = [&](const auto& number) {
    nb::object array = emptyArray(Scalar::Float64, bins.size());
    auto* out = dataOf<double>(array);
    // Boost's first axis varies fastest, but NumPy's last: reverse the shape, then transpose.
    for (const auto& bin : bins)
      *out++ = number(bin);
    nb::list turned;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent)
      turned.append(*extent);
    all.append(array.attr("reshape")(turned).attr("T"));
  };
  (add(get), ...);
  return all;
}

nb::object toPython(const Histogram& histogram, nb::handle) {
  return binsToPython(
      histogram, [](const auto& bin) { return bin.value(); },
      [](const auto& bin) { return bin.variance(); });
}

nb::object toPython(const Profile& profile, nb::handle) {
  return binsToPython(
      profile, [](const auto& bin) { return bin.sum_of_weights(); },
      [](const auto& bin) { return bin.sum_of_weights_squared(); },
      [](const auto& bin) { return bin.value(); }, [](const auto& bin) { return bin.variance(); });
}

nb::object toPython(const Statistics& statistics, nb::handle) {
  return nb::make_tuple(statistics.count, statistics.mean, statistics.deviation(),
                        toPython(statistics.min), toPython(statistics.max));
}

nb::object toPython(const Display& display, nb::handle) {
  return nb::make_tuple(nb::cast(display.columns), nb::cast(display.rows));
}

template <class T>
AnyResult converted(Result<T> result) {
  return anyResult(std::move(result),
                   [](const T& value, nb::handle self) { return toPython(value, self); });
}

/// Objects of the warning classes in kaon.errors.
using Warnings = nb::typed<nb::list, nb::object>;

Warnings warningsOf(WarningCollector& collector) {
  Warnings warnings;
  for (const Warning& warning : collector.take())
    warnings.append(toPython(warning));
  return warnings;
}

/// Computes results and returns the warnings.
Warnings runAll(const std::vector<AnyResult>& results, const nb::object& progress) {
  std::vector<std::shared_ptr<detail::Action>> actions;
  for (const AnyResult& result : results)
    actions.push_back(result.action);
  WarningCollector collector;
  {
    const nb::gil_scoped_release release;
    detail::runBooked(actions, progressOf(progress));
  }
  return warningsOf(collector);
}

/// Returns the value of a result, computing it if needed.
nb::object valueOf(nb::handle self) { return nb::cast<const AnyResult&>(self).value(self); }

// ---- Functions of Python ----

/// Returns a copy of the values, which a function may keep.
nb::object copyOf(const void* values, std::size_t size, Scalar type) {
  nb::object array = emptyArray(type, size);
  if (size > 0)
    std::memcpy(dataOf(array), values, size * sizeOf(type));
  return array;
}

/// Returns a column of some entries as a list of arrays, like toPython().
nb::object argumentToPython(const detail::ColumnValues& column, detail::ColumnType type) {
  nb::list parts;
  parts.append(valuesOf(type, copyOf(column.values, column.size, type.scalar)));
  for (unsigned level = 0; level < type.depth; ++level)
    parts.append(
        copyOf(column.offsets[level].data(), column.offsets[level].size(), Scalar::UInt32));
  return parts;
}

/// Calls a Python function with the columns of a batch. The function returns an array of values,
/// then arrays of offsets if the values are lists.
class PythonEvaluator final : public detail::Evaluator {
public:
  PythonEvaluator(const nb::object& function, const std::vector<detail::ColumnType>& types)
      : m_function(&function), m_types(&types) {}

  void begin(const detail::DatasetPart& part) override { m_source = part.source; }
  detail::ColumnValues evaluate(const expression::Entries& entries,
                                std::span<const detail::ArgumentValues> arguments) override {
    const nb::gil_scoped_acquire acquire;
    nb::list columns;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      columns.append(argumentToPython(arguments[i].column, (*m_types)[i]));
    const nb::object result =
        (*m_function)(columns, entries.count, m_source->name(), entries.first);
    detail::ColumnValues column;
    std::size_t part = 0;
    for (const nb::handle item : result) {
      const auto array = nb::cast<AnyArray>(item);
      if (part == 0) {
        const std::span<std::byte> values = m_values.assign(array.nbytes());
        std::memcpy(values.data(), array.data(), array.nbytes());
        if (array.dtype() == dtypeOf(Scalar::Bool))
          normaliseBools(values);
        column.values = m_values.data();
        column.size = array.size();
      } else {
        const auto* const first = static_cast<const std::uint32_t*>(array.data());
        m_offsets[part - 1].assign(first, first + array.size());
        column.offsets[part - 1] = m_offsets[part - 1];
      }
      ++part;
    }
    return column;
  }

private:
  const nb::object* m_function;
  const std::vector<detail::ColumnType>* m_types;
  const Source* m_source = nullptr; // the file of the current entries
  Buffer m_values;
  std::array<std::vector<std::uint32_t>, detail::mostListLevels> m_offsets;
};

/// A Python function. kaon/dataframe/functions.py checks the types of its results.
class PythonFunction final : public detail::Function {
public:
  PythonFunction(nb::object function, std::vector<detail::ColumnType> types)
      : m_function(std::move(function)), m_types(std::move(types)) {}
  ~PythonFunction() override {
    const nb::gil_scoped_acquire acquire; // any thread may destroy a dataframe
    m_function.reset();
  }
  PythonFunction(const PythonFunction&) = delete;
  PythonFunction& operator=(const PythonFunction&) = delete;
  [[nodiscard]] std::unique_ptr<detail::Evaluator> evaluator() const override {
    return std::make_unique<PythonEvaluator>(m_function, m_types);
  }

private:
  nb::object m_function;
  std::vector<detail::ColumnType> m_types;
};

constexpr std::string_view text = "string"; // the name in Python for the type of texts

detail::Formula formulaOf(const Dataframe& dataframe, nb::object function,
                          const std::vector<std::string>& columns, std::string_view scalar,
                          unsigned depth) {
  detail::Formula formula;
  formula.arguments = dataframe.arguments(columns);
  formula.type = scalar == text ? detail::ColumnType{Scalar::UInt8, depth + 1, true}
                                : detail::ColumnType{scalarNamed(scalar), depth};
  std::vector<detail::ColumnType> types;
  for (const detail::ColumnArgument& argument : formula.arguments)
    types.push_back(argument.type);
  formula.function = std::make_shared<PythonFunction>(std::move(function), std::move(types));
  return formula;
}

// ---- The dataframe ----

/// Returns the unit and the description of a column of the files; both are "" for other columns.
std::pair<std::string, std::string> documentationOf(const Dataframe& dataframe,
                                                    std::string_view column) {
  const detail::DataframeNode& node = *dataframe.node();
  const expression::NameMeaning meaning = NodeScope(node).find(column);
  const auto* name = std::get_if<expression::ColumnName>(&meaning);
  if (const auto* optional = std::get_if<expression::OptionalName>(&meaning))
    name = std::get_if<expression::ColumnName>(&optional->value);
  if (!name || detail::computationOf(node, name->name))
    return {};
  const Schema& schema = detail::beginningOf(node).dataset->schema();
  const detail::ColumnLocator place = detail::columnPlace(schema, name->name);
  if (place.member == detail::ColumnLocator::noMember)
    return {};
  const Member& member = schema.table(place.table).members[place.member];
  return {std::string(member.unit), std::string(member.description)};
}

/// The most texts that an axis can grow to.
constexpr std::size_t mostTexts = 100'000;

using DistinctTexts = std::set<std::string, std::less<>>;

void addText(DistinctTexts& texts, std::string_view text) {
  if (texts.contains(text))
    return;
  if (texts.size() == mostTexts)
    fail(ErrorKind::usage, "an axis can grow to ", mostTexts, " texts, and there are more");
  texts.emplace(text);
}

/// Returns the different texts of a column, also in lists.
AnyResult textsOf(const Dataframe& dataframe, const std::string& column) {
  const auto merge = [](DistinctTexts& texts, const DistinctTexts& others) {
    for (const std::string& text : others)
      addText(texts, text);
  };
  const auto toList = [](const DistinctTexts& texts, nb::handle) -> nb::object {
    return nb::cast(std::vector<std::string>(texts.begin(), texts.end()));
  };
  if (dataframe.typeOf(column).lists() == 0)
    return anyResult(
        dataframe.aggregate(DistinctTexts(),
                            [](DistinctTexts& all, std::string_view text) { addText(all, text); },
                            merge, {column}),
        toList);
  const auto addAll = [](DistinctTexts& texts, Array<std::string_view> more) {
    for (const std::string_view text : more)
      addText(texts, text);
  };
  return anyResult(dataframe.aggregate(DistinctTexts(), addAll, merge, {column}), toList);
}

/// The kind of a histogram's axis, its numbers, texts and title, and whether the last bin includes
/// its upper edge. The numbers are edges or values; or bins, low, high and the exponent of a power
/// axis.
using AxisArguments =
    std::tuple<std::string, std::vector<double>, std::vector<std::string>, std::string, bool>;

Axis axisOf(const AxisArguments& all) {
  const auto& [kind, numbers, texts, title, includesEnd] = all;
  if (kind == "edges")
    return Axis::ofEdges(numbers, title);
  if (kind == "values")
    return Axis::ofValues(numbers, title);
  if (kind == "texts")
    return Axis::ofTexts(texts, title);
  const auto bins = static_cast<unsigned>(numbers.at(0));
  const double low = numbers.at(1), high = numbers.at(2);
  if (kind == "regular")
    return Axis(bins, low, high, title);
  if (kind == "circular")
    return Axis::circular(bins, low, high, title);
  AxisTransform transform;
  if (kind == "sqrt")
    transform.kind = AxisTransform::Kind::squareRoot;
  else if (kind == "pow")
    transform = {AxisTransform::Kind::power, numbers.at(3)};
  return Axis::transformed(transform, bins, low, high, title);
}

std::vector<Axis> axesOf(const std::vector<AxisArguments>& all) {
  std::vector<Axis> axes;
  for (const AxisArguments& arguments : all) {
    axes.push_back(axisOf(arguments));
    const std::vector<double>& numbers = std::get<1>(arguments);
    if (std::get<bool>(arguments))
      axes.back().includedEnd = std::get<0>(arguments) == "edges" ? numbers.back() : numbers.at(2);
  }
  return axes;
}

using SampleArguments = std::tuple<std::string, std::vector<std::filesystem::path>, double>;

/// The prefix of the friend's columns, a category of its file, and the category's name.
using FriendArguments = std::tuple<std::string, const Category*, std::string>;

/// Creates a dataframe from files; the first good one is open already.
Dataframe dataframeOf(const std::vector<SampleArguments>& samples, const Category& first,
                      std::size_t firstNumber, std::string category,
                      const std::vector<FriendArguments>& friends,
                      const std::vector<std::string>& keys, bool isEmptyWithoutPartner,
                      const std::string& onBadFile, bool missingAreNone) {
  std::vector<Sample> all;
  for (const auto& [label, paths, weight] : samples)
    all.push_back({label, {paths.begin(), paths.end()}, weight});
  Dataset dataset(std::move(all), std::move(category), OpenOptions(), first.file(),
                  badFilePolicy(onBadFile), firstNumber,
                  missingAreNone ? MissingColumns::areNone : MissingColumns::areErrors);
  const auto without = isEmptyWithoutPartner ? WithoutPartner::isEmpty : WithoutPartner::isError;
  for (const auto& [name, partner, partnerCategory] : friends)
    dataset = dataset.with({name, partner->file(), partnerCategory, keys, without});
  return Dataframe(std::make_shared<const Dataset>(std::move(dataset)));
}

void bindResult(nb::module_& module) {
  nb::class_<AnyResult>(module, "Result")
      .def_prop_ro("is_done", [](const AnyResult& self) { return self.action->isDone.load(); })
      .def_prop_ro("value", [](nb::handle self) { return valueOf(self); })
      .def("variations", [](const AnyResult& self) { return self.variations(); });
  module.def("run", &runAll, "results"_a, "progress"_a.none());
}

void bindSteps(nb::class_<Dataframe>& type) {
  type.def(
          "filter",
          [](const Dataframe& self, std::string_view expression, std::string label) {
            return self.filter(expression, std::move(label));
          },
          "expression"_a, "label"_a)
      .def(
          "define",
          [](const Dataframe& self, std::string name, std::string_view expression) {
            return self.define(std::move(name), expression);
          },
          "name"_a, "expression"_a)
      .def(
          "redefine",
          [](const Dataframe& self, std::string name, std::string_view expression) {
            return self.redefine(std::move(name), expression);
          },
          "name"_a, "expression"_a)
      .def(
          "vary",
          [](const Dataframe& self, std::string column, std::string variation,
             std::string_view expression) {
            return self.vary(std::move(column), std::move(variation), expression);
          },
          "column"_a, "variation"_a, "expression"_a)
      .def(
          "fallback",
          [](const Dataframe& self, std::string column,
             std::variant<bool, std::int64_t, std::uint64_t, double> value) {
            return std::visit([&](auto number) { return self.fallback(std::move(column), number); },
                              value);
          },
          "column"_a, "value"_a)
      .def("alias", &Dataframe::alias, "name"_a, "column"_a)
      .def("range", &Dataframe::range, "first"_a, "last"_a)
      .def("sample", &Dataframe::sample, "label"_a)
      .def("explode", &Dataframe::explode, "collection"_a)
      .def("implode", &Dataframe::implode);
}

/// Binds the steps that are Python functions.
void bindFunctionSteps(nb::class_<Dataframe>& type) {
  type.def(
          "filter_by",
          [](const Dataframe& self, nb::object function, const std::vector<std::string>& columns,
             std::string label) {
            return self.filter(formulaOf(self, std::move(function), columns, "bool", 0),
                               std::move(label));
          },
          "function"_a, "columns"_a, "label"_a)
      .def(
          "define_by",
          [](const Dataframe& self, std::string name, nb::object function,
             const std::vector<std::string>& columns, std::string_view scalar, unsigned depth,
             bool isNew) {
            detail::Formula formula = formulaOf(self, std::move(function), columns, scalar, depth);
            return isNew ? self.define(std::move(name), std::move(formula))
                         : self.redefine(std::move(name), std::move(formula));
          },
          "name"_a, "function"_a, "columns"_a, "scalar"_a, "depth"_a, "is_new"_a)
      .def(
          "vary_by",
          [](const Dataframe& self, std::string column, std::string variation, nb::object function,
             const std::vector<std::string>& columns, std::string_view scalar, unsigned depth) {
            return self.vary(std::move(column), std::move(variation),
                             formulaOf(self, std::move(function), columns, scalar, depth));
          },
          "column"_a, "variation"_a, "function"_a, "columns"_a, "scalar"_a, "depth"_a);
}

/// Books a number that is computed from one column.
template <class T>
auto numberOf(Result<T> (Dataframe::*book)(std::string_view) const) {
  return [book](const Dataframe& self, std::string_view column) {
    return converted((self.*book)(column));
  };
}

void bindBookings(nb::class_<Dataframe>& type) {
  type.def("count", [](const Dataframe& self) { return anyResult(self.count()); })
      .def("sum", numberOf(&Dataframe::sum), "column"_a)
      .def("mean", numberOf(&Dataframe::mean), "column"_a)
      .def("min", numberOf(&Dataframe::min), "column"_a)
      .def("max", numberOf(&Dataframe::max), "column"_a)
      .def(
          "stats",
          [](const Dataframe& self, std::string_view column) {
            return converted(self.stats(column));
          },
          "column"_a)
      .def(
          "take",
          [](const Dataframe& self, std::string_view column) {
            return converted(self.take(column));
          },
          "column"_a)
      .def(
          "histogram",
          [](const Dataframe& self, const std::vector<AxisArguments>& axes,
             const std::vector<std::string>& columns, std::string_view weight) {
            return converted(self.histogram(axesOf(axes), columns, weight));
          },
          "axes"_a, "columns"_a, "weight"_a)
      .def(
          "profile",
          [](const Dataframe& self, const std::vector<AxisArguments>& axes,
             const std::vector<std::string>& columns, std::string_view averaged,
             std::string_view weight) {
            return converted(self.profile(axesOf(axes), columns, averaged, weight));
          },
          "axes"_a, "columns"_a, "averaged"_a, "weight"_a)
      .def(
          "display",
          [](const Dataframe& self, const std::vector<std::string>& columns, std::size_t rows) {
            return converted(self.display(columns, rows));
          },
          "columns"_a, "rows"_a)
      .def(
          "snapshot",
          [](const Dataframe& self, const std::filesystem::path& path,
             const std::vector<std::string>& names, const std::string& category,
             const WriterOptions& options) {
            return anyResult(self.snapshot(path.string(), names, {category, options}));
          },
          "path"_a, "names"_a, "category"_a, "options"_a);
}

} // namespace

void bindDataframe(nb::module_& module) {
  module.def(
      "kinematic_members",
      [] {
        const auto names = expression::kinematicMembers();
        return std::vector<std::string>(names.begin(), names.end());
      },
      "The members of objects that expressions compute of others.");
  bindResult(module);
  nb::class_<Dataframe> type(module, "Dataframe");
  bindSteps(type);
  bindFunctionSteps(type);
  bindBookings(type);
  type.def("columns", &Dataframe::columns)
      .def("contents", &Dataframe::contents)
      .def("describe", &Dataframe::describe)
      .def("filters", &Dataframe::filters)
      .def("defined", [](const Dataframe& self) { return detail::definedColumns(*self.node()); })
      .def("samples",
           [](const Dataframe& self) {
             std::vector<std::pair<std::string, double>> labels;
             for (const Sample& sample : self.samples())
               labels.emplace_back(sample.label, sample.weight);
             return labels;
           })
      .def("name", &Dataframe::name)
      .def("bad_files", &Dataframe::badFiles)
      .def(
          "members_of",
          [](const Dataframe& self, std::string_view text) {
            std::optional<std::pair<std::vector<std::string>, unsigned>> objects;
            if (auto members = expression::objectMembers(text, NodeScope(*self.node())))
              objects.emplace(std::move(members->names), members->depth);
            return objects;
          },
          "text"_a, "The members of objects and the number of lists around these; None for values.")
      .def("documentation_of", &documentationOf, "column"_a)
      .def(
          "texts",
          [](const Dataframe& self, const std::string& column) { return textsOf(self, column); },
          "column"_a, "The different texts of a column, sorted.")
      .def(
          "type_of",
          [](const Dataframe& self, std::string_view column) {
            const detail::ColumnType columnType = self.typeOf(column);
            return std::tuple(columnType.isText ? text : nameOf(columnType.scalar),
                              columnType.lists());
          },
          "column"_a);
  module.def("dataset", &dataframeOf, "samples"_a, "first"_a, "first_number"_a, "category"_a,
             "friends"_a, "keys"_a, "is_empty_without_partner"_a, "on_bad_file"_a,
             "missing_are_none"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "dataframe_of",
      [](const Category& category, const std::string& name) {
        return Dataframe(std::make_shared<const Dataset>(category.file(), name));
      },
      "category"_a, "name"_a);
}

} // namespace kaon::python
