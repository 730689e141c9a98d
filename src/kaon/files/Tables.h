#pragma once

#include <kaon/io/ByteSource.h>

#include <functional>
#include <memory>
#include <string>

// Files of tables that other libraries read: Parquet and Feather.

namespace kaon {

/// Whether a file begins like a file of tables.
[[nodiscard]] bool isTable(const io::ByteSource& bytes);

/// Returns the bytes of a kaon file with the contents of a file of tables. Several threads may call
/// it at the same time. open() passes its exceptions on.
using TableOpener = std::function<std::unique_ptr<io::ByteSource>(const std::string& path)>;

/// Sets the opener for files of tables. Any thread.
void openTablesBy(TableOpener opener);

/// Returns the bytes of a kaon file for a file of tables; null if there is no opener. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesOfTable(const std::string& path);

} // namespace kaon
