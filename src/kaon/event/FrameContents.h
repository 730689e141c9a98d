#pragma once

#include <kaon/binding/EntryReader.h>
#include <kaon/event/CollectionViews.h>
#include <kaon/event/Parameters.h>
#include <kaon/object/Collection.h>

#include <atomic>
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

  void putValues(std::string_view name, ParameterValues values);
  template <class T>
  void putValue(std::string_view name, T value) {
    constexpr std::size_t index = ParameterValues(std::vector<T>()).index();
    const std::lock_guard lock(m_mutex);
    ParameterValues& values = parameter(name, parameterType<T>(), index);
    if (values.index() != index)
      values.emplace<index>();
    std::get<index>(values).assign(1, std::move(value)); // it keeps its memory
  }
  [[nodiscard]] std::optional<ParameterValues> values(std::string_view name, std::string_view type);
  [[nodiscard]] std::vector<std::string> parameterNames(std::string_view type);

  /// Makes it empty, without a reader. Not while others use the frame.
  void clear();
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
  using ParameterKey = std::pair<std::string, std::string>; ///< name and type
  /// The order of keys, of texts or of views of them.
  struct ParameterOrder {
    using is_transparent = void;
    using Views = std::pair<std::string_view, std::string_view>;
    bool operator()(const auto& a, const auto& b) const {
      const int names = std::string_view(a.first).compare(b.first);
      return names != 0 ? names < 0 : std::string_view(a.second) < b.second;
    }
  };
  /// What the writer that had a parameter last noted about it, for frames that are used again.
  /// Several writers may do so at a time; copies begin without.
  class WriterNote {
  public:
    WriterNote() = default;
    WriterNote(const WriterNote& /*other*/) noexcept {}
    WriterNote& operator=(const WriterNote& /*other*/) noexcept { return *this; }
    [[nodiscard]] std::uint64_t get() const noexcept {
      return m_number.load(std::memory_order_relaxed);
    }
    void set(std::uint64_t number) noexcept { m_number.store(number, std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> m_number = 0;
  };
  struct Parameter {
    ParameterValues values;
    bool isThere = true; ///< if not, it was once, and its memory is kept
    mutable WriterNote note = {};
    std::pair<const ParameterKey, Parameter>* next = nullptr; ///< that was put in after it
  };
  [[nodiscard]] const std::map<ParameterKey, Parameter, ParameterOrder>&
  putParameters() const noexcept {
    return m_parameters;
  }
  /// Whether one was put in.
  [[nodiscard]] bool hasPut(std::string_view name, std::string_view type) const {
    const auto place = m_parameters.find(ParameterOrder::Views(name, type));
    return place != m_parameters.end() && place->second.isThere;
  }
  /// What parameterType() says of these values.
  [[nodiscard]] static std::string_view typeOf(const ParameterValues& values);
  /// The same of a table of a file: of a parameter, or of a value, which is a parameter that every
  /// frame has one of. "" if it holds what no parameter of a frame can.
  [[nodiscard]] static std::string typeOf(const Schema& schema, std::uint32_t table);

private:
  template <class Contents>
  [[nodiscard]] static auto* findPut(Contents& contents, std::string_view name);
  [[nodiscard]] std::uint32_t findTable(std::string_view name);
  [[nodiscard]] const CollectionBase* lookUp(std::string_view name, const CollectionType& type);
  [[nodiscard]] const CollectionBase* view(std::uint32_t table, std::string_view name,
                                           const CollectionType& type);
  void setTaken(std::uint32_t table, CollectionData* data);
  void cloneTaken(FrameContents& copy);
  [[nodiscard]] ParameterValues& parameter(std::string_view name, std::string_view type,
                                           std::size_t index);
  void forgetPut();
  void forgetTaken();
  void forgetOrder();
  [[nodiscard]] std::uint32_t findInFile(std::string_view name, std::string_view type) const;
  [[nodiscard]] bool isInFile(std::uint32_t table);
  [[nodiscard]] std::uint32_t firstPutNumber() const;

  std::mutex m_mutex;
  std::unique_ptr<EntryReader> m_reader;
  std::vector<Put> m_put;
  std::map<std::uint32_t, CollectionData*> m_taken;
  std::unique_ptr<CollectionViews> m_views; // of the reader's; null if there is none
  std::map<ParameterKey, Parameter, ParameterOrder> m_parameters;
  // Most frames get the same parameters in the same order: then none is looked for.
  std::pair<const ParameterKey, Parameter>* m_firstParameter = nullptr;
  std::pair<const ParameterKey, Parameter>* m_lastParameter = nullptr; // since it was empty
};

} // namespace kaon
