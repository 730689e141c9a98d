#pragma once

#include <kaon/batch/Batch.h>

#include <string_view>

namespace kaon {

/// What takes batches: a file of any format that is being written. For one thread at a time.
class Sink {
public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Appends the batch's entries to a category. The batch's schema is the category's, with tables
  /// added at its end if need be. All members are there. Throws Error(usage) after finish().
  virtual void write(std::string_view category, const Batch& batch) = 0;
  /// Adds a text to the file; one of the same name is replaced.
  virtual void addDocument(std::string_view name, std::string_view text) = 0;
  /// Completes the file. Throws Error(io); the file then does not take its place.
  virtual void finish() = 0;
};

} // namespace kaon
