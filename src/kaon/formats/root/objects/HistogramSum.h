#pragma once

#include <kaon/base/Buffer.h>
#include <kaon/batch/ObjectStore.h>
#include <kaon/formats/root/container/Key.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::root {

/// A stored object and its members.
struct ReadObject {
  const Key* key = nullptr; ///< of its record; references in the payload depend on its size
  Buffer payload;
  ObjectTree tree;
  std::vector<std::vector<std::size_t>> positions; ///< see MemberReader::positions()
};

/// Whether HistogramSum adds objects of a class: TH1, TH2, TH3, profiles and TEfficiency.
[[nodiscard]] bool isAddable(std::string_view className) noexcept;

/// Adds histograms bin by bin, as hadd does for equal axes. The sum is made in the bytes of one of
/// them: everything that is not a sum stays as it is there. For one thread.
class HistogramSum {
public:
  explicit HistogramSum(ReadObject first) : m_sum(std::move(first)) {}

  /// Adds a histogram of the same class. Returns why it cannot be added, or "" if it was added.
  /// After a failure, the sum is not valid.
  [[nodiscard]] std::string add(ReadObject other);
  /// The object in stored form.
  [[nodiscard]] const ReadObject& sum() const noexcept { return m_sum; }

private:
  ReadObject m_sum;
};

} // namespace kaon::root
