// A framework that loads a plugin. Both use the same kaon and the same classes.
#include <kaon/base/Error.h>
#include <kaon/event/Frame.h>

#include "signals/SignalCollection.h"

#include <dlfcn.h>

#include <bit>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace {

int fail(const char* text) {
  std::cerr << text << '\n';
  return EXIT_FAILURE;
}

} // namespace

int main(int count, char** arguments) {
  if (count < 2)
    return fail("usage: host PLUGIN [--keep]");
  const bool keepsPlugin = count > 2; // the plugin has the classes of its collections
  void* const plugin = ::dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin)
    return fail(::dlerror());
  const auto run = std::bit_cast<void (*)(kaon::Frame&)>(::dlsym(plugin, "run"));
  if (!run)
    return fail(::dlerror());
  {
    kaon::Frame empty;
    try {
      run(empty);
      return fail("the plugin found signals in an empty event");
    } catch (const kaon::Error& error) {
      if (error.kind() != kaon::ErrorKind::name)
        return fail(error.what());
    }
  }
  kaon::Frame event;
  signals::SignalCollection signals;
  signals.create().setCharge(1.5F);
  signals.create().setCharge(2);
  event.put(std::move(signals), "Signals");
  run(event);
  if (event.get<signals::SignalCollection>("Sums")[0].getCharge() != 3.5F)
    return fail("the plugin did not sum the signals");
  if (!keepsPlugin && ::dlclose(plugin) != 0)
    return fail(::dlerror());
  return event.get("Sums")->size() == 1 ? EXIT_SUCCESS : fail("the sums are gone");
}
