#include <kaon/detail/loop/Algorithm.h>

namespace kaon::loop {

std::string typeOf(const InputInfo& input) {
  switch (input.kind) {
  case InputKind::collection:
    return std::string(input.collection->name());
  case InputKind::number:
  case InputKind::list:
    return nameOf(input.column);
  case InputKind::parameter:
    break;
  }
  return "parameter of " + std::string(input.parameter);
}

std::string typeOf(const OutputInfo& output) {
  return std::string(output.collection ? output.collection->name() : output.parameter);
}

} // namespace kaon::loop
