#pragma once

#include <kaon/base/Progress.h>
#include <kaon/batch/Sink.h>
#include <kaon/batch/Source.h>
#include <kaon/batch/Verification.h>
#include <kaon/io/ByteSink.h>
#include <kaon/io/ByteSource.h>
#include <kaon/model/ModelDatatypes.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// What can be done with files of one format. Functions that a format does not have are null:
/// ROOT's files are read as one, and written as three.
struct Format {
  std::string_view name; ///< "kaon"
  std::string_view suffix =
      ""; ///< of paths: ".kaon"; empty for one that is written by its name only
  std::string_view otherSuffix = ""; ///< ".hdf5", which is as good
  /// Whether a file that begins so is of this format.
  bool (*isBeginning)(std::span<const std::byte> firstBytes) = nullptr;
  std::unique_ptr<File> (*open)(std::unique_ptr<io::ByteSource> bytes,
                                const OpenOptions& options) = nullptr;
  std::unique_ptr<Sink> (*create)(std::unique_ptr<io::ByteSink> bytes,
                                  const SinkOptions& options) = nullptr;
  /// What of a category's tables, which are of these models, its files cannot hold; null: they hold
  /// all.
  std::vector<Loss> (*losses)(std::string_view category, const Schema& schema,
                              std::span<const ModelDatatypes::Document> models) = nullptr;
  /// Of what one entry has of a collection or parameter.
  std::uint64_t mostBytesOfEntry = std::numeric_limits<std::uint64_t>::max();
  /// Whether an entry that is without a collection is one in its files, too, and has no empty one.
  bool keepsAbsence = true;
  /// Whether there is a category in its files that has no entries.
  bool keepsEmptyCategories = true;
  /// Why its files cannot have a category of this name, "" if they can; null: they have any.
  std::string (*obstacleTo)(std::string_view category) = nullptr;
  /// How many categories its files can have.
  std::size_t mostCategories = std::numeric_limits<std::size_t>::max();
  /// Goes on behind what a file contains, which stays as it is.
  std::unique_ptr<Sink> (*append)(const std::string& path, const SinkOptions& options) = nullptr;
  bool hasTags = false; ///< of records, by which OpenOptions::tags chooses
  /// Checks all that can be checked of a file.
  Verification (*verify)(const io::ByteSource& bytes, const Progress& progress) = nullptr;
};

/// The formats of files that kaon knows. The one place that names them all.
[[nodiscard]] std::span<const Format> formats() noexcept;

/// The format of some bytes, by their beginning. Throws Error(version) if it is none of them.
[[nodiscard]] const Format& formatOf(const io::ByteSource& bytes);

/// Opens a file of any format. Throws as formatOf() and Format::open(), and Error(usage) for tags
/// that files of the format do not have.
[[nodiscard]] std::unique_ptr<File> openBytes(std::unique_ptr<io::ByteSource> bytes,
                                              const OpenOptions& options);

/// The format of a file that is written, by its name or else the suffix of the path; kaon's where
/// both say nothing. Throws Error(name) for one that kaon does not write, Error(usage) where the
/// suffix is one of tables, Parquet and Feather, or is next to a known one, as a misspelt one is.
[[nodiscard]] const Format& formatToWrite(std::string_view path, std::string_view name);

} // namespace kaon
