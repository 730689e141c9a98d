#pragma once

#include "common/Bank.h"
#include "common/BankSums.h"

#include <bank/bank.h>
#include <kaon/kaon.h>

#include <cstddef>
#include <cstdint>
#include <utility>

// The bank in kaon's batches and objects.

namespace bench {

/// Returns the columns of a batch that was read with `bank`.
[[nodiscard]] inline BankView columnsOf(const kaon::Batch& batch) {
  return {.pid = batch.values<std::int32_t>("bank.pid"),
          .px = batch.values<float>("bank.px"),
          .py = batch.values<float>("bank.py"),
          .pz = batch.values<float>("bank.pz"),
          .vx = batch.values<float>("bank.vx"),
          .vy = batch.values<float>("bank.vy"),
          .vz = batch.values<float>("bank.vz"),
          .vt = batch.values<float>("bank.vt"),
          .charge = batch.values<std::int8_t>("bank.charge"),
          .beta = batch.values<float>("bank.beta"),
          .chi2pid = batch.values<float>("bank.chi2pid"),
          .status = batch.values<std::int16_t>("bank.status")};
}

/// Adds the rows of an event object by object.
inline void addRows(BankSums& sums, const BankRowCollection& rows) {
  for (const BankRow row : rows)
    sums.add(row.pid(), row.px(), row.py(), row.pz(), row.vx(), row.vy(), row.vz(), row.vt(),
             row.charge(), row.beta(), row.chi2pid(), row.status());
}

/// Returns an event's rows as a collection, created object by object.
[[nodiscard]] inline kaon::Frame makeFrame(const Bank& bank, std::size_t event) {
  BankRowCollection rows;
  for (std::size_t i = bank.offsets[event]; i < bank.offsets[event + 1]; ++i)
    rows.create(bank.pid[i], bank.px[i], bank.py[i], bank.pz[i], bank.vx[i], bank.vy[i], bank.vz[i],
                bank.vt[i], bank.charge[i], bank.beta[i], bank.chi2pid[i], bank.status[i]);
  kaon::Frame frame;
  frame.put(std::move(rows), "bank");
  return frame;
}

} // namespace bench
