#pragma once

#include <kaon/batch/Source.h>
#include <kaon/dataset/BadFiles.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kaon {

/// Opens the files that are to be joined. Adds files to `bad` that cannot be opened, or lack the
/// main category, or all columns of the first file whose main category has values. `change` may
/// wrap a file. If `skipDamaged`, damaged entries are left out, with a warning. Throws the first
/// file's error if all files are bad.
[[nodiscard]] std::vector<std::shared_ptr<const File>> openInputs(
    const std::vector<std::string>& paths, detail::BadFiles& bad,
    const std::function<std::shared_ptr<const File>(std::shared_ptr<const File>)>& change = {},
    bool skipDamaged = false);

} // namespace kaon
