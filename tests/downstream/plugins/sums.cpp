// A plugin that sums the signals of an event.
#include <kaon/event/Frame.h>

#include "signals/SignalCollection.h"

#include <utility>

extern "C" [[gnu::visibility("default")]] void run(kaon::Frame& event) {
  signals::SignalCollection sums;
  auto sum = sums.create();
  for (const auto& signal : event.get<signals::SignalCollection>("Signals"))
    sum.setCharge(sum.getCharge() + signal.getCharge());
  event.put(std::move(sums), "Sums");
}
