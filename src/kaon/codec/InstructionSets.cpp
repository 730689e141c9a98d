#include <kaon/codec/InstructionSets.h>

#include <kaon/base/Error.h>

#include <cstdint>
#include <hwy/highway.h>

namespace kaon::codec {
namespace {

std::int64_t usable() { return hwy::SupportedTargets() & HWY_TARGETS; }

/// Better sets are lower bits.
template <class Use>
void forEachBit(std::int64_t set, Use use) {
  for (; set != 0; set &= set - 1)
    use(set & -set);
}

} // namespace

std::vector<std::string> instructionSets() {
  std::vector<std::string> names;
  forEachBit(usable(), [&](std::int64_t target) { names.emplace_back(hwy::TargetName(target)); });
  return names;
}

void useInstructionSet(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  std::int64_t chosen = 0;
  forEachBit(usable(), [&](std::int64_t target) {
    if (hwy::TargetName(target) == name)
      chosen = target;
  });
  if (chosen == 0 && !name.empty())
    fail(ErrorKind::name, "this processor has no instruction set called '", name, "'");
  hwy::SetSupportedTargetsForTest(chosen);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

} // namespace kaon::codec
