#include <kaon/writing/WriterOptions.h>

#include <kaon/model/StorageRules.h>

namespace kaon {

detail::StorageRules WriterOptions::rules() const {
  detail::StorageRules rules{.all = {.layout = layout}, .storage = storage};
  for (const std::string& tag : tags)
    rules.uses[tag] = rules.uses[tag] | TableUse::tag;
  for (const std::string& key : keys)
    rules.uses[key] = rules.uses[key] | TableUse::key;
  return rules;
}

} // namespace kaon
