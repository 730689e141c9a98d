#pragma once

#include <kaon/batch/Source.h>
#include <kaon/detail/event/Find.h>
#include <kaon/event/Frame.h>
#include <kaon/files/Files.h>
#include <kaon/model/Metadata.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnFiller.h>
#include <kaon/reading/Each.h>
#include <kaon/reading/StoredPages.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace kaon {

namespace detail {

class RecentFrames;
class RecentFramesOfFile;

} // namespace detail

/// One category of an open file: a series of frames. Safe for concurrent use.
class Category {
public:
  Category(std::shared_ptr<const File> file, std::string_view name);
  // Moving copies, so a Category always has a file.
  Category(const Category&) = default;
  Category& operator=(const Category&) = default;

  [[nodiscard]] std::uint64_t size() const noexcept { return m_source->entries(); }
  [[nodiscard]] const Source& source() const noexcept { return *m_source; }
  [[nodiscard]] const std::shared_ptr<const File>& file() const noexcept { return m_file; }

  /// Returns the frame of an entry. Frames of neighbouring entries share decoded pages, also in
  /// several threads. Throws Error(usage) if the category has fewer entries.
  [[nodiscard]] Frame at(std::uint64_t entry) const;

  /// Returns the first entry with these values: `events.find({{"run", 7}, {"event", 123456}})`. The
  /// names are integers that each entry has once: values, or members of a collection with one
  /// object per entry. If they are the file's keys, see WriterOptions::keys, a search reads few
  /// pages. Throws Error(name), with a suggestion, for an unknown name. Throws Error(type) for a
  /// member that is no integer, and Error(usage) if some entry does not have it exactly once.
  [[nodiscard]] std::optional<std::uint64_t> find(std::initializer_list<detail::Key> keys) const {
    return kaon::detail::find(*m_source, keys);
  }
  /// Returns all entries with these values in ascending order: `events.findAll({{"run", 7}})`.
  [[nodiscard]] std::vector<std::uint64_t> findAll(std::initializer_list<detail::Key> keys) const {
    return kaon::detail::findAll(*m_source, keys);
  }
  /// Returns the first entry for each row of values: `events.findEach({{"run", runs}, {"event",
  /// numbers}})`.
  [[nodiscard]] std::vector<std::optional<std::uint64_t>>
  findEach(std::initializer_list<detail::KeyColumn> keys) const {
    return kaon::detail::findEach(*m_source, keys);
  }

  /// Returns ranges of entries that were written together. Each may be read by another thread, with
  /// batches or frames of its own: `kaon::forEach(clusters.size(), [&](std::size_t i) { ... })`.
  [[nodiscard]] std::vector<EntryRange> clusters() const { return m_source->clusters(); }

  /// Returns the members of these names as batches, for all entries or some. See Batches.
  [[nodiscard]] Batches batches(const std::vector<std::string>& names,
                                const EntrySelection& entries = {}) const {
    return Batches(*m_source, names, entries, m_file);
  }
  /// Returns all members as batches, which writers accept unchanged.
  [[nodiscard]] Batches allBatches(const EntrySelection& entries = {}) const {
    return Batches::ofAll(*m_source, entries, m_file);
  }

  /// Returns a few columns of all entries, each entry as a tuple. See Each.
  template <class... T>
  [[nodiscard]] Each<T...> each(const typename detail::NameFor<T>::type&... names) const {
    return eachIn<T...>({}, names...);
  }
  /// Returns a few columns of some entries: a range, a list, or a mask. The selection is cut to the
  /// existing entries.
  template <class... T>
  [[nodiscard]] Each<T...> eachIn(const EntrySelection& entries,
                                  const typename detail::NameFor<T>::type&... names) const {
    return Each<T...>(*m_source, {names...}, entries, m_file);
  }

  /// Returns the pages of these members as they are stored. See StoredPages.
  [[nodiscard]] StoredPages storedPages(const std::vector<std::string>& names,
                                        const EntrySelection& entries = {}) const {
    return StoredPages(*m_source, names, entries, m_file);
  }

  /// Fills the caller's memory with columns. See ColumnFiller.
  [[nodiscard]] ColumnFiller filler() const { return ColumnFiller(*m_source, m_file); }

  /// Iterates over the frames. One frame moves from entry to entry: its contents, and everything
  /// that it returned, are valid until the next entry. After you move it elsewhere, for example
  /// into a vector, or clear it, the next entry gets a new frame.
  class Iterator {
  public:
    using value_type = Frame;
    using difference_type = std::ptrdiff_t;
    Iterator(const Category& category, EntryRange range);
    Frame& operator*() const { return *m_frame; }
    Frame* operator->() const { return m_frame.get(); }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) {
      return i.m_entry >= i.m_entries;
    }

  private:
    [[nodiscard]] detail::EntryReader* reader() const;
    std::shared_ptr<const File> m_file;
    const Source* m_source;
    std::shared_ptr<detail::RecentFrames> m_frames;
    std::uint64_t m_entry;
    std::uint64_t m_entries;
    std::unique_ptr<Frame> m_frame = std::make_unique<Frame>();
  };
  [[nodiscard]] Iterator begin() const { return {*this, {}}; }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

  /// Iterates over the frames of some entries in the same way; the range is cut to the existing
  /// entries.
  [[nodiscard]] std::ranges::subrange<Iterator, std::default_sentinel_t>
  frames(EntryRange range) const {
    return {Iterator(*this, range), std::default_sentinel};
  }

private:
  friend class Iterator;
  friend class Reader;
  Category(std::shared_ptr<const File> file, const Source& source,
           std::shared_ptr<detail::RecentFrames> frames);

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  std::shared_ptr<detail::RecentFrames> m_frames; // destroyed before the file
};

/// A file to read events from.
class Reader {
public:
  /// As open().
  explicit Reader(const std::string& path, const OpenOptions& options = {})
      : Reader(open(path, options)) {}
  /// Reads a file that is already open, such as one in memory.
  explicit Reader(std::shared_ptr<const File> file);
  // Moving copies, so a Reader always has a file.
  Reader(const Reader&) = default;
  Reader& operator=(const Reader&) = default;

  /// Returns the file as if it had been written with these models, whatever version of them it has.
  /// Models are JSON as `kaon model --json` prints it. Frames and columns have the new names and
  /// types; missing members get defaults. Without models, uses those of the program's classes, else
  /// those in the file.
  [[nodiscard]] Reader evolved(std::vector<ModelDatatypes::Document> models = {}) const;

  [[nodiscard]] std::vector<std::string> categories() const { return m_file->categories(); }
  /// Throws Error(name), with a suggestion, for an unknown category.
  [[nodiscard]] Category operator[](std::string_view category) const;
  [[nodiscard]] const File& file() const noexcept { return *m_file; }
  /// Returns the metadata of the file; empty if it has none. Throws Error(corrupt).
  [[nodiscard]] Metadata metadata() const;
  /// Returns the datatypes of the models in the file, to make objects without their classes.
  [[nodiscard]] const ModelDatatypes& datatypes() const;

private:
  std::shared_ptr<const File> m_file;
  std::shared_ptr<detail::RecentFramesOfFile> m_frames; // destroyed before the file
};

} // namespace kaon
