#pragma once

#include <kaon/binding/EntryReader.h>
#include <kaon/detail/event/CollectionViews.h>
#include <kaon/event/PutParameters.h>
#include <kaon/event/StoredParameters.h>
#include <kaon/object/Collection.h>

#include <oneapi/tbb/spin_mutex.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::detail {

class RecentFrames;

/// The contents of a frame. Their address does not change, so views may point into them.
class FrameContents {
public:
  FrameContents() = default;
  /// `home` keeps the contents when their frame is dropped.
  explicit FrameContents(std::unique_ptr<EntryReader> reader,
                         std::shared_ptr<RecentFrames> home = {});

  const CollectionBase& put(std::unique_ptr<CollectionBase> collection, std::string_view name);
  /// Takes a collection out: the collection itself if it was put in, a copy if it was read. Returns
  /// null if no collection has this name and class.
  [[nodiscard]] std::unique_ptr<CollectionBase> take(std::string_view name,
                                                     const CollectionType& type);
  /// Returns false if no collection has this name.
  bool remove(std::string_view name);
  /// Returns a copy, with relations among the collections of the copy.
  [[nodiscard]] std::unique_ptr<FrameContents> clone();
  /// Returns a collection of any class, or of this class; null if no collection has this name.
  [[nodiscard]] const CollectionBase* find(std::string_view name);
  [[nodiscard]] const CollectionBase* find(std::string_view name, const CollectionType& type) {
    const CollectionBase* const known = m_views ? m_views->recall(name, *type.objects) : nullptr;
    return known ? known : lookUp(name, type);
  }
  /// Returns the index that finds collections faster from the second request on; null without a
  /// reader.
  [[nodiscard]] const CollectionViews* views() const noexcept { return m_views.get(); }
  /// Returns the names of all collections, or of those of a class.
  [[nodiscard]] std::vector<std::string> collectionNames();
  [[nodiscard]] std::vector<std::string> collectionNames(const CollectionType& type);
  [[nodiscard]] std::string nameOf(std::uint32_t id);

  void putValues(std::string_view name, ParameterValues values) {
    const std::lock_guard lock(m_parametersMutex);
    m_parameters.set(name, std::move(values));
  }
  template <class T>
  void putValue(std::string_view name, T value) {
    const std::lock_guard lock(m_parametersMutex);
    m_parameters.setOne(name, std::move(value));
  }
  [[nodiscard]] std::optional<ParameterValues> values(std::string_view name, std::string_view type);
  /// Returns the first of these values, or nothing. T is an element type of ParameterValues.
  template <class T>
  [[nodiscard]] std::optional<T> value(std::string_view name) {
    {
      const std::lock_guard lock(m_parametersMutex);
      if (const ParameterValues* const put = m_parameters.find(name, parameterType<T>())) {
        const auto& values = std::get<std::vector<T>>(*put);
        return values.empty() ? std::nullopt : std::optional<T>(values.front());
      }
    }
    if (!m_reader)
      return std::nullopt;
    return m_reader->withWindow([&](Window& window) {
      return m_storedParameters.first<T>(window, m_reader->entry(), name);
    });
  }
  [[nodiscard]] std::vector<std::string> parameterNames(std::string_view type);

  /// Removes all contents and the reader. Not while others use the frame.
  void clear() noexcept;
  /// Moves to another entry of the reader and drops the contents that were put in. Not while others
  /// use the frame.
  void moveTo(std::uint64_t entry) {
    forgetAdditions();
    m_reader->moveTo(entry);
  }
  /// Drops the contents that were put in, and returns those that were taken out.
  void forgetAdditions() noexcept {
    // Most frames that are read have only the contents of their file.
    if (!m_put.empty() || !m_parameters.empty())
      forgetPut();
    if (!m_taken.empty())
      forgetTaken();
  }
  /// Returns the frames that keep the contents when their frame is dropped, if any.
  [[nodiscard]] RecentFrames* home() const noexcept { return m_home.get(); }

  /// Returns the reader of the contents that were not put in; null for a new frame.
  [[nodiscard]] EntryReader* reader() noexcept { return m_reader.get(); }
  /// A collection that was put in. They are numbered from the end of the reader's tables on. Not
  /// while others put.
  struct Put {
    std::string name;
    std::unique_ptr<CollectionBase> collection; ///< null after it was taken out
  };
  /// Returns the reader's tables whose collections were taken out, each with its taken collection;
  /// null if it was removed.
  [[nodiscard]] const std::map<std::uint32_t, CollectionData*>& taken() const noexcept {
    return m_taken;
  }
  [[nodiscard]] const std::vector<Put>& putCollections() const noexcept { return m_put; }
  /// Returns the parameters that were put in. Not while others put.
  [[nodiscard]] const PutParameters& putParameters() const noexcept { return m_parameters; }

private:
  template <class Contents>
  [[nodiscard]] static auto* findPut(Contents& contents, std::string_view name);
  [[nodiscard]] TableNumber findTable(std::string_view name);
  [[nodiscard]] const CollectionBase* lookUp(std::string_view name, const CollectionType& type);
  [[nodiscard]] const CollectionBase* view(TableNumber table, std::string_view name,
                                           const CollectionType& type);
  void setTaken(TableNumber table, CollectionData* data);
  void cloneTaken(FrameContents& copy);
  void forgetPut() noexcept;
  void forgetTaken() noexcept;
  [[nodiscard]] bool isInFile(TableNumber table);
  [[nodiscard]] std::uint32_t firstPutNumber() const;

  std::mutex m_mutex;
  std::unique_ptr<EntryReader> m_reader;
  std::shared_ptr<RecentFrames> m_home; // destroyed before the reader, which has the file
  std::vector<Put> m_put;
  std::map<std::uint32_t, CollectionData*> m_taken;
  std::unique_ptr<CollectionViews> m_views; // of the reader; null without one
  StoredParameters m_storedParameters;      // used with the reader's window
  // Guards only the parameters: putting one takes less time than locking a std::mutex. If both
  // locks are needed, lock this one last.
  oneapi::tbb::spin_mutex m_parametersMutex;
  PutParameters m_parameters;
};

} // namespace kaon::detail
