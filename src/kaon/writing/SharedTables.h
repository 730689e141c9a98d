#pragma once

#include <kaon/model/Schema.h>

#include <mutex>

namespace kaon::detail {

/// The tables of a category that is being written. Each thread adds the tables that it meets.
struct SharedTables {
  std::mutex mutex;
  Schema schema;
};

} // namespace kaon::detail
