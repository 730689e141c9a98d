#pragma once

#include <kaon/dataset/Dataset.h>
#include <kaon/dataset/DatasetParts.h>
#include <kaon/dataset/Pipeline.h>
#include <kaon/detail/dataset/Action.h>
#include <kaon/detail/dataset/Formula.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kaon {

/// Whether a formula asks for nothing but tags, be they computed with.
[[nodiscard]] bool isOfTags(const detail::Formula& formula, const Schema& schema);

/// The filters of some actions that ask for tags only, before any other: by them it is known which
/// entries can be left out before anything else of a file is read. For one thread.
class TagFilter {
public:
  /// The actions must live as long.
  explicit TagFilter(std::span<const std::shared_ptr<detail::Action>> actions);

  /// A part, of whose clusters only those entries are left between the first and the last that pass
  /// for any of the actions. Throws as Pipeline::process().
  [[nodiscard]] detail::DatasetPart narrow(detail::DatasetPart part);

private:
  std::vector<std::shared_ptr<detail::Action>> m_passed; // which entries pass; none: each may
  std::optional<Pipeline> m_pipeline;
};

} // namespace kaon
