#pragma once

#include <kaon/batch/Source.h>
#include <kaon/selecting/CommonTables.h>

#include <memory>
#include <string>

namespace kaon::detail {

/// Returns a file whose category has common tables; the file itself if it has them already.
[[nodiscard]] std::shared_ptr<const File> withCommonTables(std::shared_ptr<const File> file,
                                                           const std::string& category,
                                                           const CommonTables& tables);

} // namespace kaon::detail
