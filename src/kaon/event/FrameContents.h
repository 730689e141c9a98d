#pragma once

#include <kaon/binding/EntryReader.h>
#include <kaon/event/Parameters.h>
#include <kaon/object/Collection.h>

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
  [[nodiscard]] const CollectionBase* find(std::string_view name, const CollectionType& type);
  /// All, or those of a class.
  [[nodiscard]] std::vector<std::string> collectionNames();
  [[nodiscard]] std::vector<std::string> collectionNames(const CollectionType& type);
  [[nodiscard]] std::string nameOf(std::uint32_t id);

  void putValues(std::string_view name, ParameterValues values);
  [[nodiscard]] std::optional<ParameterValues> values(std::string_view name, std::string_view type);
  [[nodiscard]] std::vector<std::string> parameterNames(std::string_view type);

  /// Makes it another entry of its reader; what was put in goes. Not while others use the frame.
  void moveTo(std::uint64_t entry);

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
  [[nodiscard]] const auto& putParameters() const noexcept { return m_parameters; }
  /// What files call the type of the values.
  [[nodiscard]] static std::string_view typeOf(const ParameterValues& values);

private:
  template <class Contents>
  [[nodiscard]] static auto* findPut(Contents& contents, std::string_view name);
  [[nodiscard]] std::uint32_t findTable(std::string_view name);
  [[nodiscard]] const CollectionBase* view(std::uint32_t table, const CollectionType& type);
  void cloneTaken(FrameContents& copy);
  [[nodiscard]] std::uint32_t findInFile(std::string_view name, std::string_view type) const;
  [[nodiscard]] bool isInFile(std::uint32_t table);
  [[nodiscard]] std::uint32_t firstPutNumber() const;

  std::mutex m_mutex;
  std::unique_ptr<EntryReader> m_reader;
  std::vector<Put> m_put;
  std::map<std::uint32_t, CollectionData*> m_taken;
  // Of the reader's, by table. More than one where classes are for the same datatype: of values, or
  // of a model that two libraries have.
  struct View {
    const Datatype* objects; // of the class
    std::unique_ptr<CollectionBase> collection;
  };
  std::map<std::uint32_t, std::vector<View>> m_views;
  std::map<std::pair<std::string, std::string>, ParameterValues> m_parameters; // by name and type
};

} // namespace kaon
