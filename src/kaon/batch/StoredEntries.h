#pragma once

#include <kaon/batch/Source.h>

namespace kaon {

/// Entries of a category as stored bytes, to write them to another file of the same format without
/// decoding. Sources of formats that support this derive from this class, too. Thread-safe.
class StoredEntries {
public:
  virtual ~StoredEntries() = default;
  StoredEntries() = default;
  StoredEntries(const StoredEntries&) = delete;
  StoredEntries& operator=(const StoredEntries&) = delete;

  /// Returns the entries as a source with one collection of bytes. Returns null if some entries are
  /// not available in this form. The result lives as long as this object.
  [[nodiscard]] virtual const Source* storedEntries() const noexcept = 0;
};

/// Sinks of formats that support stored entries derive from this class, too. They take batches of
/// stored entries for a category that already has their tables. Thread-safe.
class StoredEntriesSink {
public:
  virtual ~StoredEntriesSink() = default;
  StoredEntriesSink() = default;
  StoredEntriesSink(const StoredEntriesSink&) = delete;
  StoredEntriesSink& operator=(const StoredEntriesSink&) = delete;

  /// Returns whether a source's stored entries have the same meaning in this file: it has all
  /// tables of the source, with the same descriptions.
  [[nodiscard]] virtual bool takesStoredEntries(const Source& source) const = 0;
};

} // namespace kaon
