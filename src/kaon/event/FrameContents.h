#pragma once

#include <kaon/binding/EntryReader.h>
#include <kaon/event/CollectionViews.h>
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

namespace kaon {

/// What is in a frame. Its address does not change, so that views may point into it.
class FrameContents {
public:
  FrameContents() = default;
  explicit FrameContents(std::unique_ptr<EntryReader> reader);

  const CollectionBase& put(std::unique_ptr<CollectionBase> collection, std::string_view name);
  /// Takes a collection out: what was put in itself, of what was read a copy. Null if there is
  /// none, or none of this class.
  [[nodiscard]] std::unique_ptr<CollectionBase> take(std::string_view name,
                                                     const CollectionType& type);
  /// False if there is none.
  bool remove(std::string_view name);
  /// The same again, with relations among the collections of the copy.
  [[nodiscard]] std::unique_ptr<FrameContents> clone();
  /// A collection, of any class or of this one; null if there is none.
  [[nodiscard]] const CollectionBase* find(std::string_view name);
  [[nodiscard]] const CollectionBase* find(std::string_view name, const CollectionType& type) {
    const CollectionBase* const known = m_views ? m_views->recall(name, *type.objects) : nullptr;
    return known ? known : lookUp(name, type);
  }
  /// By which collections that were asked for before are found sooner; null without a reader.
  [[nodiscard]] const CollectionViews* views() const noexcept { return m_views.get(); }
  /// All, or those of a class.
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
  /// The first of these values, nothing if there is none. T is of the types of values.
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

  /// Makes it empty, without a reader. Not while others use the frame.
  void clear() noexcept;
  /// Makes it another entry of its reader; what was put in goes. Not while others use the frame.
  void moveTo(std::uint64_t entry) {
    // Mostly a frame that is read has nothing but what its file has.
    if (!m_put.empty() || !m_parameters.empty())
      forgetPut();
    if (!m_taken.empty())
      forgetTaken();
    m_reader->moveTo(entry);
  }

  /// The reader of what was not put in, null if there is nothing of that kind.
  [[nodiscard]] EntryReader* reader() noexcept { return m_reader.get(); }
  /// What was put in, by number from the end of the reader's tables on. Not while others put.
  struct Put {
    std::string name;
    std::unique_ptr<CollectionBase> collection; ///< null after it was taken out
  };
  /// The tables of the reader whose collections were taken out, with these; null: they were
  /// removed.
  [[nodiscard]] const std::map<std::uint32_t, CollectionData*>& taken() const noexcept {
    return m_taken;
  }
  [[nodiscard]] const std::vector<Put>& putCollections() const noexcept { return m_put; }
  /// The parameters that were put in. Not while others put.
  [[nodiscard]] const PutParameters& putParameters() const noexcept { return m_parameters; }

private:
  template <class Contents>
  [[nodiscard]] static auto* findPut(Contents& contents, std::string_view name);
  [[nodiscard]] std::uint32_t findTable(std::string_view name);
  [[nodiscard]] const CollectionBase* lookUp(std::string_view name, const CollectionType& type);
  [[nodiscard]] const CollectionBase* view(std::uint32_t table, std::string_view name,
                                           const CollectionType& type);
  void setTaken(std::uint32_t table, CollectionData* data);
  void cloneTaken(FrameContents& copy);
  void forgetPut() noexcept;
  void forgetTaken() noexcept;
  [[nodiscard]] bool isInFile(std::uint32_t table);
  [[nodiscard]] std::uint32_t firstPutNumber() const;

  std::mutex m_mutex;
  std::unique_ptr<EntryReader> m_reader;
  std::vector<Put> m_put;
  std::map<std::uint32_t, CollectionData*> m_taken;
  std::unique_ptr<CollectionViews> m_views; // of the reader's; null if there is none
  StoredParameters m_storedParameters;      // likewise; used with the reader's window
  // Of the parameters alone, which are put in within less time than a std::mutex takes. Where both
  // are needed it comes last.
  oneapi::tbb::spin_mutex m_parametersMutex;
  PutParameters m_parameters;
};

} // namespace kaon
