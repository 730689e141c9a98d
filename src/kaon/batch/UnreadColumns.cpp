#include <kaon/batch/UnreadColumns.h>

#include <kaon/base/Warning.h>

#include <algorithm>
#include <string>

namespace kaon {

void warnOfUnreadable(const Source& source, std::string_view consequence) {
  constexpr std::size_t most = 3; // that are named
  const auto all = source.unreadable();
  if (all.empty())
    return;
  std::string names;
  for (const Unreadable& each : all.first(std::min(all.size(), most)))
    names += (names.empty() ? "'" : ", '") + each.name + "'";
  if (all.size() > most)
    names += " and " + std::to_string(all.size() - most) + " more";
  warn(WarningKind::unreadMember, source.name() + ": " + names + " are not read, and " +
                                      std::string(consequence) + "; `kaon show` says why");
}

} // namespace kaon
