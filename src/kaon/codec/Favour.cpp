#include <kaon/codec/Favour.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

Favour favourNamed(std::string_view name) {
  constexpr std::array names{std::pair{"balance", Favour::balance}, std::pair{"size", Favour::size},
                             std::pair{"speed", Favour::speed}};
  std::vector<std::string> known;
  for (const auto& [text, favour] : names) {
    if (name == text)
      return favour;
    known.emplace_back(text);
  }
  fail(ErrorKind::name, "'", name, "' is not a value of 'favour'", suggestion(name, known));
}

} // namespace kaon
