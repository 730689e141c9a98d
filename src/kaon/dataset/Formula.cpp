#include <kaon/detail/dataset/Formula.h>

#include <kaon/base/Wording.h>
#include <kaon/dataset/KnownBounds.h>

namespace kaon::detail {

std::string notBools(ColumnType type, unsigned depth) {
  const bool isInMore = type.scalar == Scalar::Bool && type.depth > depth;
  return ", not " + withArticle(nameOf(type)) + (isInMore ? "; use any() or all()" : "");
}

std::optional<expression::ValueBounds> Evaluator::extremes(const KnownBounds& /*known*/) const {
  return std::nullopt;
}

} // namespace kaon::detail
