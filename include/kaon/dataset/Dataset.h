#pragma once

#include <kaon/batch/Each.h>
#include <kaon/batch/Source.h>
#include <kaon/dataset/DatasetBatches.h>
#include <kaon/dataset/FileWithFriends.h>
#include <kaon/detail/batch/SourceEntries.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

/// Files of one kind, such as a simulated process.
struct Sample {
  std::string label;
  std::vector<std::string> paths; ///< may be patterns, as a shell's: "run7/*.kaon"
  double weight = 1;              ///< of each of its entries
};

/// One category of several files, read one after another as if they were one. They are of any
/// format, and each may be of another one. The first is opened at once, as it says what there is;
/// the others when their turn comes. Those whose models are of another version are read as the
/// first one's models say. Safe for concurrent use.
class Dataset {
public:
  /// Throws as open() does for the first file, unless it is given, open already, as it is to be
  /// read; Error(missing) for a pattern that no file matches, Error(name) for an unknown category,
  /// Error(usage) for no files, and for samples of one label.
  Dataset(std::vector<Sample> samples, std::string category, OpenOptions options = {},
          std::shared_ptr<const File> first = nullptr);
  /// A dataset of one sample, without a label.
  Dataset(const std::vector<std::string>& paths, std::string category, OpenOptions options = {})
      : Dataset(std::vector{Sample{{}, paths}}, std::move(category), options) {}
  /// Makes calls with {"a.kaon", "b.root"} unambiguous.
  Dataset(std::initializer_list<std::string> paths, std::string category, OpenOptions options = {})
      : Dataset(std::vector<std::string>(paths), std::move(category), options) {}
  /// A dataset of one file that is open.
  Dataset(std::shared_ptr<const File> file, std::string category);

  /// Returns this dataset with the columns of a friend. A friend of several files is joined by
  /// keys. Throws as FileWithFriends; Error(usage) for several files and no keys.
  [[nodiscard]] Dataset with(Friend partner) const;

  /// "a.kaon:events", or "a.kaon:events and 2 more files"
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const Source& first() const noexcept { return *m_source; }
  [[nodiscard]] const Schema& schema() const noexcept { return m_source->schema(); }
  [[nodiscard]] std::size_t files() const noexcept { return m_paths.size(); }
  [[nodiscard]] const std::vector<Sample>& samples() const noexcept { return m_samples; }
  [[nodiscard]] const std::vector<std::string>& paths() const noexcept { return m_paths; }
  /// Which of the samples a file belongs to.
  [[nodiscard]] std::size_t sampleOf(std::size_t file) const;
  /// The datatypes that an interface stands for, by the models of the first file; none if these
  /// have no interface of this name. Throws Error(corrupt) for a model that is wrong.
  [[nodiscard]] std::vector<std::string> datatypesOf(std::string_view interface) const;
  /// Opens one.
  [[nodiscard]] std::shared_ptr<const File> open(std::size_t number) const;
  [[nodiscard]] const std::string& category() const noexcept { return m_category; }
  /// How many entries all files have together: opens them all.
  [[nodiscard]] std::uint64_t entries() const;

  // As those of a Category. Entries are counted through all files. Of a file that has none of those
  // that are wanted, nothing is read but how many it has.

  [[nodiscard]] DatasetBatches batches(const std::vector<std::string>& names,
                                       const EntrySelection& entries = {}) const {
    return DatasetBatches(inTurn(entries), names);
  }
  template <class... T>
  [[nodiscard]] Each<T...> each(const typename detail::NameFor<T>::type&... names) const {
    return eachIn<T...>({}, names...);
  }
  template <class... T>
  [[nodiscard]] Each<T...> eachIn(const EntrySelection& entries,
                                  const typename detail::NameFor<T>::type&... names) const {
    return Each<T...>(inTurn(entries), {names...});
  }

private:
  [[nodiscard]] detail::NextSource inTurn(const EntrySelection& entries) const;
  [[nodiscard]] std::shared_ptr<const File> openStored(std::size_t number) const;
  [[nodiscard]] std::shared_ptr<const File> joined(std::shared_ptr<const File> file) const;

  std::vector<Sample> m_samples;
  std::vector<std::size_t> m_lastFiles; // for each sample, the first one after its files
  std::vector<std::string> m_paths;
  std::string m_category;
  OpenOptions m_options;
  std::vector<Friend> m_friends;
  std::shared_ptr<const File> m_stored; // the first
  std::shared_ptr<const File> m_file;   // the same with friends
  const Source* m_source;
};

} // namespace kaon
