#pragma once

#include <kaon/batch/Source.h>

namespace kaon {

/// Entries of a category as the bytes that are stored, for who writes them to another file of the
/// same format without decoding them. Sources of formats that can do this are also this. Any
/// thread.
class StoredEntries {
public:
  virtual ~StoredEntries() = default;
  StoredEntries() = default;
  StoredEntries(const StoredEntries&) = delete;
  StoredEntries& operator=(const StoredEntries&) = delete;

  /// The entries with one collection, of bytes. Null where some cannot be had so. It lives as long
  /// as this one.
  [[nodiscard]] virtual const Source* storedEntries() const noexcept = 0;
};

/// Sinks that take batches of such entries, of a category that has had its tables before, are also
/// this. Any thread.
class StoredEntriesSink {
public:
  virtual ~StoredEntriesSink() = default;
  StoredEntriesSink() = default;
  StoredEntriesSink(const StoredEntriesSink&) = delete;
  StoredEntriesSink& operator=(const StoredEntriesSink&) = delete;

  /// Whether the stored entries of a source mean in this file what they mean in the source's: it
  /// has all of its tables, and describes them alike.
  [[nodiscard]] virtual bool takesStoredEntries(const Source& source) const = 0;
};

} // namespace kaon
