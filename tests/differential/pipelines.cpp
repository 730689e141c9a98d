// Runs dataframes with compiled functions. Each line of input is a plan in JSON, and each line of
// output has its results. tests/differential/compiled.py makes the plans and checks the results.

#include <kaon/dataset/Dataframe.h>

#include <nlohmann/json.hpp>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using kaon::Array;
using kaon::Dataframe;
using kaon::Result;
using Json = nlohmann::json;
using Names = std::vector<std::string>;

// ---- The functions, of each kind that dataframes call ----

/// A step's use of a function.
struct Use {
  std::string verb, name, variation;
  Names columns;
};

using Step = std::function<Dataframe(const Dataframe&, const Use&)>;

template <class F>
Step stepOf(F function) {
  return [function](const Dataframe& frame, const Use& use) {
    kaon::detail::Formula formula = kaon::detail::formulaOf(function, frame.node(), use.columns);
    if (use.verb == "filter")
      return frame.filter(std::move(formula), use.name);
    if (use.verb == "define")
      return frame.define(use.name, std::move(formula));
    if (use.verb == "redefine")
      return frame.redefine(use.name, std::move(formula));
    return frame.vary(use.name, use.variation, std::move(formula));
  };
}

double totalOf(const Array<double>& values) {
  double total = 0;
  for (const double value : values)
    total += value;
  return total;
}

const std::map<std::string, Step>& functions() {
  static const std::map<std::string, Step> all = {
      // of numbers, or of each object
      {"weighted", stepOf([](double a, double b) { return a * 2 + b; })},
      {"difference",
       stepOf([](std::int32_t a, std::int32_t b) { return std::int64_t{a} - std::int64_t{b}; })},
      {"above", stepOf([](double a, double b) { return a > b; })},
      {"refuse", stepOf([](double a, double b) {
         if (a == b)
           throw std::runtime_error("refused");
         return a < b;
       })},
      // of lists
      {"total", stepOf(totalOf)},
      {"deep", stepOf([](const Array<Array<double>>& lists) {
         double total = 0;
         for (const Array<double> values : lists)
           total += totalOf(values);
         return total;
       })},
      {"high", stepOf([](const Array<double>& values, double least) {
         return static_cast<std::int64_t>(sum(values > least));
       })},
      {"scaled", stepOf([](const Array<double>& values, double factor) {
         std::vector<double> scaled;
         for (const double value : values)
           scaled.push_back(value * factor);
         return scaled;
       })},
      {"selected", stepOf([](const Array<float>& values, const Array<bool>& mask) {
         std::vector<float> selected;
         for (const float value : values[mask])
           selected.push_back(value);
         return selected;
       })},
      // of batches
      {"shifted", stepOf([](std::span<const double> values) {
         std::vector<double> shifted(values.begin(), values.end());
         for (double& value : shifted)
           value += 1;
         return shifted;
       })},
      {"product", stepOf([](std::span<const double> a, std::span<const double> b) {
         std::vector<double> products;
         for (std::size_t i = 0; i < a.size(); ++i)
           products.push_back(a[i] * b[i]);
         return products;
       })},
      // of texts
      {"bytes",
       stepOf([](std::string_view text) { return static_cast<std::int64_t>(text.size()); })},
      {"named", stepOf([](std::string_view text, std::int32_t number) {
         return std::string(text) + ":" + std::to_string(number);
       })},
  };
  return all;
}

// ---- Results ----

Json jsonOf(double value) {
  if (std::isnan(value))
    return "nan";
  return std::isinf(value) ? Json(value > 0 ? "inf" : "-inf") : Json(value);
}
template <class T>
Json jsonOf(const T& value) {
  if constexpr (std::is_same_v<T, kaon::Number>) {
    return std::visit([](auto number) { return jsonOf(number); }, value.value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return jsonOf(static_cast<double>(value));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? jsonOf(*value) : Json();
  } else {
    Json all = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i)
      all.push_back(jsonOf(static_cast<typename T::value_type>(value[i])));
    return all;
  }
}
Json jsonOf(const kaon::Statistics& statistics) {
  return {jsonOf(statistics.count), jsonOf(statistics.mean)};
}
Json jsonOf(const kaon::Histogram& histogram) {
  Json bins = Json::array();
  for (int bin = -1; bin <= histogram.axis(0).size(); ++bin)
    bins.push_back(jsonOf(histogram.at(bin).value()));
  return bins;
}

/// Returns a result once all results are computed.
using Pending = std::function<Json()>;

template <class R>
Pending pending(R result) {
  return [result] { return jsonOf(*result); };
}

template <class T>
Pending taken(const Dataframe& frame, const std::string& column, bool areLists) {
  return areLists ? pending(frame.take<Array<T>>(column)) : pending(frame.take<T>(column));
}

Pending takenAs(const Dataframe& frame, const std::string& type, const std::string& column,
                bool areLists) {
  if (type == "float64")
    return taken<double>(frame, column, areLists);
  if (type == "float32")
    return taken<float>(frame, column, areLists);
  if (type == "int64")
    return taken<std::int64_t>(frame, column, areLists);
  if (type == "int32")
    return taken<std::int32_t>(frame, column, areLists);
  if (type == "bool")
    return taken<bool>(frame, column, areLists);
  if (type == "text")
    return pending(frame.take<std::string>(column));
  throw std::runtime_error("nothing takes values as " + type);
}

/// Collects values in the order of entries, with any number of threads.
Pending collected(const Dataframe& frame, const std::string& column) {
  return pending(frame.aggregate(
      std::vector<double>(), [](std::vector<double>& all, double value) { all.push_back(value); },
      [](std::vector<double>& all, const std::vector<double>& next) {
        all.insert(all.end(), next.begin(), next.end());
      },
      {column}));
}

/// Collects values batch by batch, with functions that return the state.
Pending collectedInBatches(const Dataframe& frame, const std::string& column) {
  return pending(frame.aggregate(
      std::vector<double>(),
      [](std::vector<double> all, std::span<const double> values) {
        all.insert(all.end(), values.begin(), values.end());
        return all;
      },
      [](std::vector<double> all, const std::vector<double>& next) {
        all.insert(all.end(), next.begin(), next.end());
        return all;
      },
      {column}));
}

Pending resultOf(const Dataframe& frame, const Json& wanted) {
  const std::string kind = wanted.at("kind");
  const std::string column = wanted.value("column", "");
  if (kind == "take")
    return takenAs(frame, wanted.at("type"), column, wanted.at("depth") == 1);
  if (kind == "count")
    return pending(frame.count());
  if (kind == "sum")
    return pending(frame.sum(column));
  if (kind == "min")
    return pending(frame.min(column));
  if (kind == "max")
    return pending(frame.max(column));
  if (kind == "stats")
    return pending(frame.stats(column));
  if (kind == "histogram")
    return pending(frame.histogram({10, -20, 60}, column, wanted.value("weight", "")));
  if (kind == "collect")
    return collected(frame, column);
  if (kind == "collect batches")
    return collectedInBatches(frame, column);
  if (kind == "reduce")
    return pending(frame.reduce([](std::int64_t a, std::int64_t b) { return a ^ b; }, column));
  throw std::runtime_error("no result is called " + kind);
}

/// Returns the result in the variation "up", or the nominal result if it has no variations.
template <class R>
Pending variedOr(const R& result) {
  const auto all = kaon::variations(result);
  const auto up = all.find("up");
  return pending(up == all.end() ? result : up->second);
}

// ---- Plans ----

Dataframe stepped(const Dataframe& frame, const Json& step) {
  const std::string verb = step.at("verb");
  const std::string name = step.value("name", "");
  if (verb == "explode")
    return frame.explode(name);
  if (verb == "implode")
    return frame.implode();
  if (verb == "alias")
    return frame.alias(name, step.at("of").get<std::string>());
  const Use use = {verb, name, step.value("variation", ""), step.value("columns", Names())};
  if (step.contains("function"))
    return functions().at(step.at("function"))(frame, use);
  const std::string expression = step.at("expression");
  if (verb == "filter")
    return frame.filter(expression);
  if (verb == "define")
    return frame.define(name, expression);
  if (verb == "redefine")
    return frame.redefine(name, expression);
  return frame.vary(name, use.variation, expression);
}

Json cutsOf(const kaon::CutFlow& report) try {
  Json cuts = Json::array();
  for (const auto& cut : report.cuts())
    cuts.push_back({cut.entries, cut.passed});
  return cuts;
} catch (const kaon::Error&) { // of the pass: each result has it
  return {};
}

Json resultsOf(const Json& plan) {
  Dataframe frame = kaon::dataset(plan.at("paths").get<Names>(), "events");
  for (const Json& step : plan.at("steps"))
    frame = stepped(frame, step);
  std::vector<Pending> pendings;
  for (const Json& wanted : plan.at("results"))
    if (wanted.at("kind") == "varied")
      pendings.push_back(variedOr(frame.take<double>(wanted.at("column").get<std::string>())));
    else
      pendings.push_back(resultOf(frame, wanted));
  const auto report = frame.report();
  oneapi::tbb::task_arena arena(plan.at("threads").get<int>());
  return arena.execute([&] {
    Json all = Json::array();
    for (const Pending& each : pendings)
      try {
        all.push_back({{"value", each()}});
      } catch (const kaon::Error& error) { // of one result, for example a sum beyond 64 bits
        all.push_back({{"error", error.what()}});
      }
    return Json{{"results", all}, {"cuts", cutsOf(report)}};
  });
}

} // namespace

int main() {
  // Four threads, even with fewer processors.
  const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism,
                                            4);
  for (std::string line; std::getline(std::cin, line);) {
    Json answer;
    try {
      answer = resultsOf(Json::parse(line));
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump() << std::endl;
  }
}
