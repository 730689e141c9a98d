#include <kaon/io/Sync.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

Sync syncNamed(std::string_view name) {
  constexpr std::array names{std::pair{"never", Sync::never}, std::pair{"finish", Sync::finish},
                             std::pair{"cluster", Sync::cluster}, std::pair{"flush", Sync::flush}};
  std::vector<std::string> known;
  for (const auto& [text, sync] : names) {
    if (name == text)
      return sync;
    known.emplace_back(text);
  }
  fail(ErrorKind::name, "'", name, "' is not a value of 'sync'", suggestion(name, known));
}

} // namespace kaon
