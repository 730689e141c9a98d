#pragma once

#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

// Files of tables, which other libraries read: Parquet and Feather.

namespace kaon {

/// Whether a file begins as those of tables do.
[[nodiscard]] bool isTable(const io::ByteSource& bytes);

/// Gives the bytes of a kaon file that has what a file of tables has. Called by any thread, by
/// several at the same time. What it throws comes out of open().
using TableOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& path)>;

/// From now on files of tables are opened so. Any thread.
void openTablesBy(TableOpener opener);

/// The bytes of a kaon file for one of tables; null if there is no opener. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesOfTable(const std::string& path);

} // namespace kaon
