#include <kaon/dataset/TagFilter.h>

#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/Origin.h>
#include <kaon/detail/reading/ColumnLocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace kaon {
namespace {

/// Gathers, for each cluster, the first and last entry that pass.
class HullsAccumulator final : public detail::Accumulator {
public:
  void begin(const detail::DatasetPart& part) override {
    for (const EntryRange cluster : part.clusters) {
      m_ends.push_back(cluster.last);
      hulls.push_back({cluster.last, cluster.first});
    }
  }
  void add(std::size_t, std::span<const detail::ArgumentValues> arguments) override {
    const auto numbers = arguments[0].column.as<std::uint64_t>(); // numbers in the file, ascending
    for (auto first = numbers.begin(); first != numbers.end();) {
      while (*first >= m_ends[m_cluster])
        ++m_cluster;
      const auto behind = std::lower_bound(first, numbers.end(), m_ends[m_cluster]);
      EntryRange& hull = hulls[m_cluster];
      hull = {std::min(hull.first, *first), *std::prev(behind) + 1};
      first = behind;
    }
  }
  void merge(detail::Accumulator& /*next*/) override {} // Each part is complete by itself.

  std::vector<EntryRange> hulls;

private:
  std::vector<std::uint64_t> m_ends; // of the clusters
  std::size_t m_cluster = 0;
};

class HullsAction final : public detail::Action {
public:
  explicit HullsAction(std::shared_ptr<const detail::DataframeNode> of) {
    const detail::NamedColumn number = detail::columnNamed(*of, fileEntryColumn);
    arguments = {{number.id, number.type, number.type.scalar, true}};
    node = std::move(of);
  }
  [[nodiscard]] std::unique_ptr<detail::Accumulator> accumulator() const override {
    return std::make_unique<HullsAccumulator>();
  }
  void finish(std::unique_ptr<detail::Accumulator> /*all*/) override {}
};

bool isTag(const Schema& schema, const detail::ColumnId& column) {
  return !column.isListsOnly &&
         has(schema.table(detail::columnPlace(schema, column.name).table).use, TableUse::tag);
}

/// Returns the last filter that reads only tags, before any other filter. Null: no filter does.
std::shared_ptr<const detail::DataframeNode>
lastTagFilter(const std::shared_ptr<const detail::DataframeNode>& node, const Schema& schema) {
  if (!node->above)
    return nullptr;
  std::shared_ptr<const detail::DataframeNode> before = lastTagFilter(node->above, schema);
  if (node->kind != detail::NodeKind::filter || detail::frameOf(node.get()) ||
      !isOfTags(node->formula, schema))
    return before;
  // No other filter may come before: its functions may not expect all entries.
  for (const detail::DataframeNode* step = node->above.get(); step && step != before.get();
       step = step->above.get())
    if (step->kind == detail::NodeKind::filter || step->kind == detail::NodeKind::implode)
      return before;
  return node;
}

} // namespace

bool isOfTags(const detail::Formula& formula, const Schema& schema) {
  return formula.function->isRepeatable() &&
         std::ranges::all_of(formula.arguments, [&](const detail::ColumnArgument& argument) {
           const detail::DataframeNode* const node = argument.column.node;
           if (!node)
             return isTag(schema, argument.column);
           return (node->kind == detail::NodeKind::define ||
                   node->kind == detail::NodeKind::origin) &&
                  isOfTags(node->formula, schema);
         });
}

TagFilter::TagFilter(std::span<const std::shared_ptr<detail::Action>> actions) {
  for (const std::shared_ptr<detail::Action>& action : actions) {
    const std::shared_ptr<const detail::DataframeNode> filter =
        lastTagFilter(action->node, detail::beginningOf(*action->node).dataset->schema());
    if (!filter) {
      m_passed.clear();
      return;
    }
    if (std::ranges::find(m_passed, filter, &detail::Action::node) == m_passed.end())
      m_passed.push_back(std::make_shared<HullsAction>(filter));
  }
  m_pipeline.emplace(m_passed);
}

detail::DatasetPart TagFilter::narrow(detail::DatasetPart part) {
  if (!m_pipeline)
    return part;
  m_pipeline->run(part);
  std::vector<EntryRange> narrowed;
  for (const EntryRange cluster : part.clusters)
    narrowed.push_back({cluster.last, cluster.first});
  for (const auto& result : m_pipeline->takeResults())
    for (std::size_t i = 0; i < narrowed.size(); ++i) {
      const EntryRange hull = static_cast<const HullsAccumulator&>(*result).hulls[i];
      narrowed[i] = {std::min(narrowed[i].first, hull.first),
                     std::max(narrowed[i].last, hull.last)};
    }
  for (std::size_t i = 0; i < narrowed.size(); ++i)
    part.clusters[i] = narrowed[i].first < narrowed[i].last
                           ? narrowed[i]
                           : EntryRange{part.clusters[i].first, part.clusters[i].first};
  return part;
}

} // namespace kaon
