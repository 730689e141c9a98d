#pragma once

#include "Bank.h"

#include <kaon/batch/Columns.h>

#include <vector>

namespace bench {

/// Returns the columns of the bank for kaon. The bank must outlive them.
[[nodiscard]] inline std::vector<kaon::MemberValues> membersOf(const Bank& bank) {
  return {{"pid", bank.pid},   {"px", bank.px},           {"py", bank.py},
          {"pz", bank.pz},     {"vx", bank.vx},           {"vy", bank.vy},
          {"vz", bank.vz},     {"vt", bank.vt},           {"charge", bank.charge},
          {"beta", bank.beta}, {"chi2pid", bank.chi2pid}, {"status", bank.status}};
}

} // namespace bench
