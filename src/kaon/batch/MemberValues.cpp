#include <kaon/batch/MemberValues.h>

#include <kaon/codec/RoundTo.h>
#include <kaon/detail/batch/StridedCopy.h>

namespace kaon {

const std::byte* valuesInOrder(const Member& member, const ColumnView& values, std::size_t first,
                               std::size_t count, Buffer& storage) {
  const std::size_t size = member.size();
  const bool isExact = member.precision.kind == Precision::Kind::exact;
  if (values.stride == size && isExact)
    return values.at(first);
  const auto out = storage.assign(count * size);
  detail::copyStrided(out.data(), size, values.at(first), values.stride, count, size);
  if (!isExact)
    codec::roundTo(member.precision, detail::elementOf(member), out, out);
  return out.data();
}

} // namespace kaon
