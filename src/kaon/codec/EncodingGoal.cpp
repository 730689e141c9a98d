#include <kaon/codec/EncodingGoal.h>

#include <kaon/base/Error.h>
#include <kaon/base/Suggestion.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace kaon {

EncodingGoal goalNamed(std::string_view name) {
  constexpr std::array names{std::pair{"balance", EncodingGoal::balance},
                             std::pair{"size", EncodingGoal::size},
                             std::pair{"speed", EncodingGoal::speed}};
  std::vector<std::string> known;
  for (const auto& [text, goal] : names) {
    if (name == text)
      return goal;
    known.emplace_back(text);
  }
  fail(ErrorKind::name, "'", name, "' is not a value of 'goal'", suggestion(name, known));
}

} // namespace kaon
