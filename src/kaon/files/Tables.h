#pragma once

#include <kaon/files/RegisteredOpener.h>
#include <kaon/io/ByteSource.h>

#include <memory>
#include <string>

// Files of tables that other libraries read: Parquet and Feather.

namespace kaon {

/// The function that openTablesBy() sets.
[[nodiscard]] RegisteredOpener& tableOpener();

/// Whether a file begins like a file of tables.
[[nodiscard]] bool isTable(const io::ByteSource& bytes);

/// Returns the bytes of a kaon file for a file of tables; null if there is no opener. Any thread.
[[nodiscard]] std::unique_ptr<io::ByteSource> bytesOfTable(const std::string& path);

} // namespace kaon
