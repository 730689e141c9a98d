#include <kaon/binding/ModelVersions.h>

#include <kaon/base/Warning.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <set>
#include <tuple>

namespace kaon {
namespace {

std::optional<std::uint32_t> versionIn(const File& file, const Datatype& type) {
  if (!type.model)
    return std::nullopt;
  const std::string name = "model:" + std::string(type.model->name);
  const std::vector<std::string> names = file.documents();
  if (std::ranges::find(names, name) == names.end())
    return std::nullopt;
  return schemaVersion(file.document(name));
}

} // namespace

std::optional<std::uint32_t> schemaVersion(std::string_view json) noexcept {
  // In a text of the JSON the quotes would have backslashes. A model's own comes before those of
  // the models that it builds on.
  constexpr std::string_view key = "\"schema_version\":";
  const std::size_t position = json.find(key);
  if (position == std::string_view::npos)
    return std::nullopt;
  std::string_view rest = json.substr(position + key.size());
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::uint32_t version = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), version);
  return error == std::errc() ? std::optional(version) : std::nullopt;
}

std::string versionText(const File& file, const Datatype& type) {
  const auto version = versionIn(file, type);
  if (!version)
    return "";
  return "; the file is of version " + std::to_string(*version) + " of the model '" +
         std::string(type.model->name) + "', this program of " +
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
  warn(WarningKind::unreadMember, source.name() + ": of " + std::string(type.name) + ", " + names +
                                      " is not read: this program does not know it" +
                                      versionText(file, type));
}

} // namespace kaon
