#include <kaon/model/KnownTables.h>

#include <kaon/base/Error.h>

#include <algorithm>
#include <cstdint>

namespace kaon {

void checkKnownTables(const Schema& batch, const Schema& known, std::string_view file,
                      std::string_view category) {
  for (TableNumber table = 0; table < std::min(batch.size(), known.size()); ++table)
    if (batch.table(table) != known.table(table))
      fail(ErrorKind::usage, file, ": the batch does not have the tables that '", category,
           "' has had so far: '", batch.table(table).name, "' differs");
}

} // namespace kaon
