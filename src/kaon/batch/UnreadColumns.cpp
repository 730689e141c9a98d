#include <kaon/batch/UnreadColumns.h>

#include <kaon/base/Joined.h>
#include <kaon/base/Warning.h>
#include <kaon/base/Wording.h>

#include <algorithm>
#include <string>

namespace kaon {
namespace {

/// Returns whether an unread part has this name, or one of the two contains the other. Names in
/// files may have dimensions, and dots in place of kaon's underscores, or underscores in place of
/// dots.
bool concerns(std::string_view unread, std::string_view name) {
  unread = unread.substr(0, unread.find('['));
  const auto isSame = [](char a, char b) {
    return a == b || ((a == '.' || a == '_') && (b == '.' || b == '_'));
  };
  const std::size_t common = std::min(unread.size(), name.size());
  const std::string_view rest =
      unread.size() > common ? unread.substr(common) : name.substr(common);
  return common > 0 && std::equal(name.begin(), name.begin() + common, unread.begin(), isSame) &&
         (rest.empty() || rest.front() == '.');
}

} // namespace

void warnOfUnreadable(const Source& source, std::string_view consequence) {
  constexpr std::size_t most = 3; // names in the message
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

std::string whyUnread(const Source& source, std::string_view name) {
  for (const Unreadable& each : source.unreadable())
    if (concerns(each.name, name))
      return joined("; the file has '", each.name, "', ", withArticle(each.type),
                    ", which is not read: ", each.reason);
  return "";
}

} // namespace kaon
