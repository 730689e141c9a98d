#include <kaon/binding/ModelVersions.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Warning.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/model/Model.h>
#include <kaon/object/GenericCollection.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace kaon {
namespace {

/// Returns the version of the datatype's model in a file; nothing if the file does not state it.
std::optional<std::uint32_t> versionIn(const File& file, const Datatype& type) {
  if (!type.model)
    return std::nullopt;
  const std::string name = std::string(modelDocument) + std::string(type.model->name);
  const std::vector<std::string> names = file.documents();
  if (std::ranges::find(names, name) == names.end())
    return std::nullopt;
  std::optional<std::uint32_t> version; // messages are useful without it
  unlessDamaged([&] { version = Model::fromJson(file.document(name), file.name()).schemaVersion; });
  return version;
}

/// Returns names as "'a'", or "'a' or 'b'".
std::string oneOf(const std::vector<std::string>& names) {
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
         std::string(type.model->name) + "', but is read with version " +
         std::to_string(type.model->schemaVersion);
}

std::vector<std::string> targetsOf(const File& file, std::string_view datatype,
                                   std::string_view relation) {
  std::vector<std::string> names;
  unlessDamaged([&] {
    const Datatype* const type =
        modelDatatypes(detail::modelsIn(file), ProgramClasses::ofTheModels).find(datatype);
    for (const Relation& known : type ? type->relations : std::span<const Relation>())
      if (known.name == relation)
        for (const detail::DatatypeFunction target : known.datatypes)
          names.emplace_back(target().name);
  });
  return names;
}

void warnOfUnread(const File& file, const Source& source, const Datatype& type,
                  std::span<const MemberChange> changes) {
  std::vector<std::string> unread;
  std::string hints;
  for (const MemberChange& change : changes) {
    if (change.kind != MemberChange::Kind::dropped)
      continue;
    unread.push_back(change.path);
    if (const auto names = newNamesOf(change, changes); !names.empty())
      hints += "; if '" + change.path + "' is " + oneOf(names) +
               " now, a migration 'rename_member' keeps it";
  }
  if (unread.empty())
    return;
  const std::string versions = versionText(file, type);
  static std::mutex mutex;
  static std::set<std::tuple<std::string, std::vector<std::string>, std::string>> warned;
  {
    const std::lock_guard lock(mutex);
    if (!warned.emplace(type.name, unread, versions).second)
      return;
  }
  const bool isOne = unread.size() == 1;
  std::string names;
  for (const std::string& name : unread)
    names += (names.empty() ? "'" : ", '") + name + "'";
  warn(WarningKind::unreadMember, source.name() + ": " + names + " of " + std::string(type.name) +
                                      (isOne ? " is not read: the model does not have it"
                                             : " are not read: the model does not have them") +
                                      hints + versions);
}

} // namespace kaon
