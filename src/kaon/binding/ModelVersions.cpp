#include <kaon/binding/ModelVersions.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Warning.h>
#include <kaon/model/Model.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace kaon {
namespace {

/// The version of the datatype's model in a file, nothing if the file does not say.
std::optional<std::uint32_t> versionIn(const File& file, const Datatype& type) {
  if (!type.model)
    return std::nullopt;
  const std::string name = std::string(modelDocument) + std::string(type.model->name);
  const std::vector<std::string> names = file.documents();
  if (std::ranges::find(names, name) == names.end())
    return std::nullopt;
  std::optional<std::uint32_t> version; // what it is asked for is worth saying without it
  unlessDamaged([&] { version = Model::fromJson(file.document(name), file.name()).schemaVersion; });
  return version;
}

/// Names, of which one is meant.
std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "'" : " or '") + name + "'";
  return text;
}

} // namespace

std::string versionText(const File& file, const Datatype& type) {
  const auto version = versionIn(file, type);
  if (!version)
    return "";
  return "; the file is of version " + std::to_string(*version) + " of the model '" +
         std::string(type.model->name) + "', it is read with version " +
         std::to_string(type.model->schemaVersion);
}

void warnOfUnread(const File& file, const Source& source, const Datatype& type,
                  const std::vector<Unread>& members) {
  static std::mutex mutex;
  static std::set<std::tuple<std::uint64_t, std::string, std::string>> warned;
  {
    const std::lock_guard lock(mutex);
    if (!warned.emplace(file.id(), source.name(), type.name).second)
      return;
  }
  const auto version = versionIn(file, type);
  const bool isNewer = version && *version >= type.model->schemaVersion;
  std::string newer, renamed;
  for (const Unread& member : members) {
    if (isNewer)
      newer += (newer.empty() ? "'" : ", '") + member.name + "'";
    if (!member.lacking.empty())
      renamed += "; '" + member.name + "' is not read, and " + quoted(member.lacking) +
                 " is empty: if it got another name, a migration 'rename_member' keeps it";
  }
  if (isNewer)
    newer += " is not read: the model that it is read with does not know it";
  else if (renamed.empty())
    return;
  else
    renamed.erase(0, 2);
  warn(WarningKind::unreadMember, source.name() + ": of " + std::string(type.name) + ", " + newer +
                                      renamed + versionText(file, type));
}

} // namespace kaon
