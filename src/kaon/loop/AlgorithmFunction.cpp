#include <kaon/detail/loop/AlgorithmFunction.h>

#include <kaon/base/Wording.h>

namespace kaon::loop {

void failNames(std::string_view algorithm, std::size_t size, std::string_view noun,
               std::size_t named) {
  fail(ErrorKind::usage, "algorithm '", algorithm, "' has ", counted(size, noun), ", but ", named,
       named == 1 ? " is" : " are", " named");
}

} // namespace kaon::loop
