#include "fuzz/Reading.h"

#include "expression/TestColumns.h"

#include <kaon/detail/expression/Evaluation.h>
#include <kaon/detail/expression/Expression.h>

// Checks and evaluates expressions of columns of all kinds.

using kaon::ErrorKind;
using kaon::expression::test::Lists;
using kaon::expression::test::TestColumns;

namespace {

TestColumns someColumns() {
  TestColumns columns;
  columns.add("run", std::vector<std::int32_t>{1, -2, 3});
  columns.add("id", std::vector<std::uint64_t>{0, ~std::uint64_t{0}, 7});
  columns.add("met", std::vector<float>{1.5F, -0.F, 1e30F});
  columns.add("Muon.pt", Lists<float>{{30, 20.5F}, {}, {7}});
  columns.add("Muon.eta", Lists<double>{{-1, 0.5}, {}, {2}});
  columns.add("Muon.phi", Lists<double>{{0.1, 3}, {}, {-2}});
  columns.add("Muon.mass", Lists<double>{{0.1, 0.1}, {}, {0.1}});
  columns.add("Muon.charge", Lists<std::int8_t>{{1, -1}, {}, {-128}});
  columns.add("Muon.good", Lists<std::uint8_t>{{1, 0}, {}, {1}});
  columns.add("Hit.time", Lists<std::int16_t>{{}, {5, 6, 7}, {-1}});
  columns.add("Jet.weights", std::vector<Lists<float>>{{{1, 2}, {}}, {{3}}, {}});
  columns.add("Jet.track.index", Lists<std::int32_t>{{0, -1}, {0}, {}});
  columns.add("Jet.track.collection", Lists<std::uint32_t>{{4, 0}, {4}, {}});
  columns.addRelation("Jet.track", {{"Muon", 4}});
  columns.addTexts("title", {"a", "", "xyz"});
  columns.addTexts("Muon.label", Lists<std::string>{{"good", ""}, {}, {"b"}});
  columns.add("x.value", std::vector<double>{1, 0, 3});
  columns.add("x.has_value", std::vector<std::uint8_t>{1, 0, 1});
  columns.addOptional("x");
  columns.addAlias("good_muons", "Muon[Muon.pt > 10]");
  return columns;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TestColumns columns = someColumns();
  const std::string text = kaon::fuzz::textOf(data, size);
  kaon::fuzz::expectErrors({ErrorKind::usage, ErrorKind::name, ErrorKind::type, ErrorKind::corrupt},
                           "", [&] {
                             const kaon::expression::Expression expression(text, columns);
                             (void)expression.isCostly();
                             if (!expression.isRecord())
                               (void)columns.valuesOf(text);
                           });
  return 0;
}
