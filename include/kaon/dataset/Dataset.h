#pragma once

#include <kaon/batch/Source.h>
#include <kaon/dataset/FileWithFriends.h>
#include <kaon/dataset/MissingData.h>
#include <kaon/detail/batch/PassIterator.h>
#include <kaon/detail/reading/SourceEntries.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/Each.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Batches of several files, one file after another; see Batches. Each batch belongs to one file
/// and has the schema of that file. Compared with the first file, its tables may have other numbers
/// and further members. A single pass, for one thread.
class DatasetBatches {
public:
  /// Takes names as Schema::membersBelow() does. Throws Error(name) for names that the first source
  /// lacks.
  DatasetBatches(detail::NextSource next, const std::vector<std::string>& names);

  /// Moves to the next batch; returns false at the end. Throws the errors of open(). If a member of
  /// the first file is missing in another file, throws Error(name); if its type differs there,
  /// Error(type).
  bool next();
  /// Returns the batch. Its entry numbers are those of its file.
  [[nodiscard]] const Batch& batch() const noexcept { return m_batches->batch(); }
  /// Returns the number of the batch's first entry, counted over all files.
  [[nodiscard]] std::uint64_t firstEntry() const noexcept {
    return m_firstOfFile + batch().firstEntry();
  }

  using Iterator = detail::PassIterator<DatasetBatches, &DatasetBatches::batch>;
  [[nodiscard]] Iterator begin() { return Iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

private:
  struct MemberType { // a member in the first source
    std::string name;
    Scalar scalar;
    std::uint32_t extent;
    unsigned lists; // the number of lists around each value
  };
  void open(detail::SourceEntries entries);
  void check(const Source& source) const;
  [[nodiscard]] static MemberType typeOf(const Schema& schema, TableNumber table,
                                         MemberNumber member);

  detail::NextSource m_next;
  std::vector<std::string> m_names;
  std::string m_first; // the name of the first source
  std::vector<MemberType> m_members;
  std::optional<Batches> m_batches; // of the current source
  std::uint64_t m_firstOfFile = 0;
};

namespace detail {

class BadFiles;
class CommonTables;

} // namespace detail

/// Files of one kind, such as a simulated process.
struct Sample {
  std::string label;
  std::vector<std::string> paths; ///< may be patterns as in a shell: "run7/*.kaon"
  double weight = 1;              ///< of each of its entries
};

/// One category of several files, read one after another as if it were one file. Formats may be
/// mixed. The first file is opened at once, because it defines the schema; each other file is
/// opened when reading reaches it. Files with other versions of the models are converted to the
/// models of the first file.
///
/// A column that is optional in one file is optional in the whole dataset. In .kaon, HDF5 and
/// table files without models, columns are optional only if values are missing. All of these files
/// are opened at once to find optionals. Thread-safe.
class Dataset {
public:
  /// Opens the first file. If the caller passes an open file as `first`, uses it as the file with
  /// the number `firstNumber` instead; the files before it are bad. Throws the errors of open().
  /// Throws Error(missing) if no file matches a pattern, and Error(name) for an unknown category.
  /// Throws Error(usage) without files, or if two samples have the same label.
  ///
  /// If bad files are left out, all files are opened at once, and the dataset has the good ones.
  /// Named columns are checked when a file's turn comes. Throws the first file's error if all files
  /// are bad.
  Dataset(std::vector<Sample> samples, std::string category, OpenOptions options = {},
          std::shared_ptr<const File> first = nullptr, OnBadFile onBadFile = OnBadFile::raise,
          std::size_t firstNumber = 0, MissingColumns missing = MissingColumns::areErrors);
  /// Makes a dataset of one sample without a label.
  Dataset(const std::vector<std::string>& paths, std::string category, OpenOptions options = {},
          OnBadFile onBadFile = OnBadFile::raise,
          MissingColumns missing = MissingColumns::areErrors)
      : Dataset(std::vector{Sample{{}, paths}}, std::move(category), options, nullptr, onBadFile, 0,
                missing) {}
  /// Makes calls with {"a.kaon", "b.root"} unambiguous.
  Dataset(std::initializer_list<std::string> paths, std::string category, OpenOptions options = {},
          OnBadFile onBadFile = OnBadFile::raise,
          MissingColumns missing = MissingColumns::areErrors)
      : Dataset(std::vector<std::string>(paths), std::move(category), options, onBadFile, missing) {
  }
  /// Makes a dataset of one open file.
  Dataset(std::shared_ptr<const File> file, std::string category);

  /// Returns this dataset with the columns of a friend. Datasets of several files find the friend's
  /// entries by keys: throws Error(usage) without keys. Also throws the errors of FileWithFriends.
  [[nodiscard]] Dataset with(Friend partner) const;

  /// Returns "a.kaon:events", or "a.kaon:events and 2 more files".
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const Source& first() const noexcept { return *m_source; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  [[nodiscard]] std::size_t files() const noexcept { return m_paths.size(); }
  [[nodiscard]] const std::vector<Sample>& samples() const noexcept { return m_samples; }
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return m_paths; }
  /// Returns the number of the sample that a file belongs to.
  [[nodiscard]] std::size_t sampleOf(std::size_t file) const;
  /// Returns the datatypes of an interface by the models of the first file; empty if they do not
  /// define this interface. Throws Error(corrupt) for a damaged model.
  [[nodiscard]] std::vector<std::string> datatypesOf(std::string_view interface) const;
  /// Opens the file with this number.
  [[nodiscard]] std::shared_ptr<const File> open(std::size_t number) const;
  [[nodiscard]] const std::string& category() const noexcept { return m_category; }
  /// Counts the entries of all files. Opens every file.
  [[nodiscard]] std::uint64_t entries() const;
  /// The files that were left out so far.
  [[nodiscard]] std::vector<BadFile> badFiles() const;
  [[nodiscard]] OnBadFile onBadFile() const noexcept;
  /// Whether a file that open() returned passes a check, and shares columns with the first one if
  /// one of them has values; collections and parameters can be absent. The check throws Error(name)
  /// for columns that it lacks. If bad files are left out, returns false for this file from then
  /// on, also in other passes; its entries keep their numbers. Otherwise throws the error.
  [[nodiscard]] bool isGood(std::size_t number, const Source& source,
                            const std::function<void(const Source&)>& check = {}) const;
  /// Whether isGood() returned false for a file.
  [[nodiscard]] bool isLeftOut(std::size_t number) const;

  // These functions work like those of Category, and count entries over all files. Of a file
  // without selected entries, only the number of entries is read.

  [[nodiscard]] DatasetBatches batches(const std::vector<std::string>& names,
                                       const EntrySelection& entries = {}) const {
    return DatasetBatches(inTurn(entries, names), names);
  }
  template <class... T>
  [[nodiscard]] Each<T...> each(const typename detail::NameFor<T>::type&... names) const {
    return eachIn<T...>({}, names...);
  }
  template <class... T>
  [[nodiscard]] Each<T...> eachIn(const EntrySelection& entries,
                                  const typename detail::NameFor<T>::type&... names) const {
    return Each<T...>(inTurn(entries, {std::string(names)...}), {names...});
  }

private:
  [[nodiscard]] detail::NextSource inTurn(const EntrySelection& entries,
                                          const std::vector<std::string>& names) const;
  /// A file that is open already, and its number.
  struct Given {
    std::shared_ptr<const File> file;
    std::size_t number = 0;
  };
  void openGood(std::span<const std::string> paths, const Given& given,
                const std::function<void(std::size_t, const std::shared_ptr<const File>&)>& use);
  void leaveOutBadFiles(const Given& given);
  void findCommonTables(MissingColumns missing);
  [[nodiscard]] std::shared_ptr<const File> openStored(std::size_t number) const;
  [[nodiscard]] std::shared_ptr<const File> joined(std::shared_ptr<const File> file) const;

  std::vector<Sample> m_samples;
  std::vector<std::size_t> m_lastFiles; // for each sample, the number after its last file
  std::vector<std::string> m_paths;
  std::string m_category;
  OpenOptions m_options;
  std::vector<Friend> m_friends;
  std::shared_ptr<const detail::CommonTables> m_tables; // null if all files keep their tables
  std::shared_ptr<const File> m_stored;                 // the first file
  std::shared_ptr<const File> m_file;                   // the first file, with friends
  const Source* m_source = nullptr;
  std::shared_ptr<detail::BadFiles> m_bad; // shared with copies, which have the same files
};

} // namespace kaon
