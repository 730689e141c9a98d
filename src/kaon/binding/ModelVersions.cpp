#include <kaon/binding/ModelVersions.h>

#include <kaon/base/Error.h>
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
  try {
    return Model::fromJson(file.document(name), file.name()).schemaVersion;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt)
      throw;
    return std::nullopt; // what it is asked for is worth saying without it
  }
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

void warnOfNewer(const File& file, const Source& source, const Datatype& type,
                 const std::vector<std::string>& members) {
  static std::mutex mutex;
  static std::set<std::tuple<std::uint64_t, std::string, std::string>> warned;
  {
    const std::lock_guard lock(mutex);
    if (!warned.emplace(file.id(), source.name(), type.name).second)
      return;
  }
  const auto version = versionIn(file, type);
  if (!version || *version < type.model->schemaVersion)
    return;
  std::string names;
  for (const std::string& member : members)
    names += (names.empty() ? "'" : ", '") + member + "'";
  warn(WarningKind::unreadMember,
       source.name() + ": of " + std::string(type.name) + ", " + names +
           " is not read: the model that it is read with does not know it" +
           versionText(file, type));
}

} // namespace kaon
