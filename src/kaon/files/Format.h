#pragma once

#include <kaon/base/Tasks.h>
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

/// The functions for files of one format. Functions that a format lacks are null. ROOT files are
/// read as one format and written as three.
struct Format {
  std::string_view name;             ///< "kaon"
  std::string_view suffix = "";      ///< of paths: ".kaon"; empty: chosen by name only
  std::string_view otherSuffix = ""; ///< an equivalent suffix: ".hdf5"
  /// Whether a file that begins with these bytes has this format.
  bool (*isBeginning)(std::span<const std::byte> firstBytes) = nullptr;
  std::unique_ptr<File> (*open)(std::unique_ptr<io::ByteSource> bytes,
                                const OpenOptions& options) = nullptr;
  std::unique_ptr<Sink> (*create)(std::unique_ptr<io::ByteSink> bytes,
                                  const SinkOptions& options) = nullptr;
  /// Returns the parts of a category's tables that files cannot hold; the tables have these models.
  /// Null: they hold all.
  std::vector<detail::Loss> (*losses)(std::string_view category, const Schema& schema,
                                      std::span<const ModelDatatypes::Document> models) = nullptr;
  /// The most bytes that an entry can have of one collection or parameter.
  std::uint64_t mostBytesOfEntry = std::numeric_limits<std::uint64_t>::max();
  /// Whether files store that an entry lacks a collection; otherwise it gets an empty one.
  bool keepsAbsence = true;
  /// Whether files store a category without entries.
  bool keepsEmptyCategories = true;
  /// Returns why files cannot have a category of this name, "" if they can. Null: any name is
  /// possible.
  std::string (*obstacleTo)(std::string_view category) = nullptr;
  /// The most categories that files can have.
  std::size_t mostCategories = std::numeric_limits<std::size_t>::max();
  /// Appends to a file, whose contents stay unchanged.
  std::unique_ptr<Sink> (*append)(const std::string& path, const SinkOptions& options) = nullptr;
  bool hasTags = false; ///< records have tags, which OpenOptions::tags selects
  /// Checks a file as far as possible.
  Verification (*verify)(const io::ByteSource& bytes, const Progress& progress) = nullptr;
  bool holdsObjects = false; ///< objects beside categories, such as histograms
};

/// Returns the formats that kaon knows. Only its source names all of them.
[[nodiscard]] std::span<const Format> formats() noexcept;

/// Returns the format that the beginning of some bytes shows. Throws Error(version) for an unknown
/// format.
[[nodiscard]] const Format& formatOf(const io::ByteSource& bytes);

/// Opens a file of any format. Throws the errors of formatOf() and Format::open(), and Error(usage)
/// for tags if the format has none.
[[nodiscard]] std::unique_ptr<File> openBytes(std::unique_ptr<io::ByteSource> bytes,
                                              const OpenOptions& options);

/// Returns the format for writing a file, by its name or else the suffix of the path; kaon's if
/// neither determines it. Throws Error(name) if kaon cannot write the format. Throws Error(usage)
/// if the suffix is one of tables, Parquet and Feather, or looks like a misspelt one.
[[nodiscard]] const Format& formatToWrite(std::string_view path, std::string_view name);

} // namespace kaon
