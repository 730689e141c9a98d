#pragma once

#include <kaon/event/CollectionViews.h>
#include <kaon/event/Parameters.h>
#include <kaon/object/Collection.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon {

class EntryReader;
class FrameContents;

template <class T>
concept IsCollection = std::derived_from<T, CollectionBase> && !std::same_as<T, CollectionBase>;

/// One event, or run: named collections and parameters. What is put in does not change any more;
/// what was read is decoded when it is first touched. Any number of threads may read a frame at the
/// same time, and put into it while others do.
class Frame {
public:
  Frame();
  /// The entry that a reader is at; for the library.
  explicit Frame(std::unique_ptr<EntryReader> reader);
  Frame(Frame&& other) noexcept;
  Frame& operator=(Frame&& other) noexcept;
  ~Frame();
  /// False after it was moved away: then all but clear() throws Error(usage).
  [[nodiscard]] bool isValid() const noexcept { return m_contents != nullptr; }

  /// Makes it an empty frame, as a new one is, but keeps memory for what comes next: for those who
  /// write one event after another. What was got from it is gone. Not while others use the frame.
  void clear();

  /// Takes over a collection. Throws Error(usage) if the frame has one of that name.
  template <IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& put(T&& collection, std::string_view name) {
    return put(std::make_unique<T>(std::move(collection)), name);
  }
  template <IsCollection T>
  const T& put(std::unique_ptr<T> collection, std::string_view name) {
    return static_cast<const T&>(put(std::unique_ptr<CollectionBase>(std::move(collection)), name));
  }
  /// Takes over a collection of any class.
  const CollectionBase& put(std::unique_ptr<CollectionBase> collection, std::string_view name);
  /// Takes a collection out, to change it and perhaps put it in again; relations to its objects
  /// follow them. Of one that was read it is a copy, and what get() gave of it is empty from now
  /// on. Throws as get(). Not while others use the frame.
  template <IsCollection T>
  [[nodiscard]] T take(std::string_view name) {
    (void)get<T>(name);
    return std::move(static_cast<T&>(*takeCollection(name, collectionType<T>())));
  }
  /// Takes a collection out of the frame for good: relations to what was put in lead to nothing.
  /// Throws Error(name), with a suggestion, if there is none. Not while others use the frame.
  void remove(std::string_view name);
  /// Puts a collection in place of another one, of whatever type. As remove() and put().
  template <IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& replace(T&& collection, std::string_view name) {
    remove(name);
    return put(std::forward<T>(collection), name);
  }
  /// The same frame again: what was put in is copied, and the relations lead to the copies. What
  /// was read stays in its file.
  [[nodiscard]] Frame clone() const;

  /// The frame as a .kaon file in memory, and back, with everything copied: to be sent elsewhere.
  /// Throw as Writer::write() and open().
  [[nodiscard]] Buffer toBytes() const;
  [[nodiscard]] static Frame fromBytes(std::span<const std::byte> bytes);

  /// The collection of this name, for as long as the frame lives and stays at its entry. Throws
  /// Error(name), with a suggestion, where there is none in this frame, and Error(type) if it is of
  /// another type.
  template <IsCollection T>
  [[nodiscard]] const T& get(std::string_view name) const {
    const CollectionBase* const collection = find<T>(name);
    if (!collection)
      failMissing(name);
    return static_cast<const T&>(*collection);
  }
  /// As get(), but null where there is none in this frame.
  template <IsCollection T>
  [[nodiscard]] const T* getIfPresent(std::string_view name) const {
    return static_cast<const T*>(find<T>(name));
  }
  /// The collection of this name, whatever its class: see CollectionBase, or use dynamic_cast. Null
  /// where there is none in this frame. Where the program has no class for it (see
  /// registerCollections()) it is a GenericCollection, made from the file's model. Throws
  /// Error(type) where the file has no model of it either.
  [[nodiscard]] const CollectionBase* get(std::string_view name) const;
  /// The object with this id, see Handle::id(). Throws Error(name) if there is no such collection
  /// in the frame, Error(type) if it is of another type, std::out_of_range if it has no such
  /// object.
  template <class T>
    requires std::same_as<T, typename T::CollectionType::value_type>
  [[nodiscard]] T get(ObjectID id) const {
    const std::string name = getName(id.collectionID);
    if (name.empty())
      fail(ErrorKind::name, "there is no collection with the number ", id.collectionID,
           " in this frame");
    return get<typename T::CollectionType>(name).at(static_cast<std::size_t>(id.index));
  }
  /// The names of the collections of this type.
  template <IsCollection T>
  [[nodiscard]] std::vector<std::string> getCollectionsOfType() const {
    return collectionNames(collectionType<T>());
  }
  /// The collections that are in this frame.
  [[nodiscard]] std::vector<std::string> getAvailableCollections() const;
  /// The collection with this number, see CollectionBase::getID(); "" if there is none.
  [[nodiscard]] std::string getName(std::uint32_t id) const;
  [[nodiscard]] std::string getName(const CollectionBase& collection) const {
    return getName(collection.getID());
  }

  /// Sets a parameter; one of the same name and type is replaced.
  template <IsParameter T>
  void putParameter(std::string_view name, T value) {
    if constexpr (detail::isVector<T>)
      putValues(name, std::move(value));
    else
      putValue(name, std::move(value));
  }
  void putParameter(std::string_view name, const char* value) {
    putParameter(name, std::string(value));
  }
  /// Several values: `frame.putParameter("weights", {0.5, 1.5})`.
  template <IsParameter T>
    requires IsParameter<std::vector<T>>
  void putParameter(std::string_view name, std::initializer_list<T> values) {
    putParameter(name, std::vector<T>(values));
  }
  void putParameter(std::string_view name, std::initializer_list<const char*> values) {
    putParameter(name, std::vector<std::string>(values.begin(), values.end()));
  }
  /// The parameter of this name and type, nothing if there is none. Of several values, the first:
  /// `getParameter<std::vector<float>>("x")` gives all. Lists in lists, which Python writes too,
  /// are `std::vector<std::vector<float>>`. Throws Error(type) if a file has records, or lists in
  /// lists in lists, under this name, which no parameter of a frame holds.
  template <IsParameter T>
  [[nodiscard]] std::optional<T> getParameter(std::string_view name) const {
    if constexpr (detail::isVector<T>)
      return getValues<typename T::value_type>(name);
    else
      return getValue<T>(name);
  }
  /// The names of the parameters of type T.
  template <IsParameter T>
  [[nodiscard]] std::vector<std::string> getParameterKeys() const {
    return parameterKeys(parameterType<typename detail::ParameterElement<T>::type>());
  }

  /// For the library. Throws Error(usage) after the frame was moved away.
  [[nodiscard]] FrameContents& contents() const {
    if (!m_contents) [[unlikely]]
      failMoved();
    return *m_contents;
  }

private:
  template <class T>
  [[nodiscard]] const CollectionBase* find(std::string_view name) const {
    const CollectionType& type = collectionType<T>();
    const CollectionBase* const known = m_views ? m_views->recall(name, *type.objects) : nullptr;
    return known ? known : findCollection(name, type);
  }
  explicit Frame(std::unique_ptr<FrameContents> contents);
  [[nodiscard]] std::unique_ptr<CollectionBase> takeCollection(std::string_view name,
                                                               const CollectionType& type);
  [[nodiscard]] std::vector<std::string> collectionNames(const CollectionType& type) const;
  [[nodiscard]] const CollectionBase* findCollection(std::string_view name,
                                                     const CollectionType& type) const;
  [[noreturn]] void failMissing(std::string_view name) const;
  [[noreturn]] static void failMoved();
  void putValues(std::string_view name, ParameterValues values);
  template <class T>
  void putValue(std::string_view name, T value); // of the types of values
  template <class T>
  [[nodiscard]] std::optional<T> getValue(std::string_view name) const; // likewise
  template <class Element>
  [[nodiscard]] std::optional<std::vector<Element>> getValues(std::string_view name) const {
    std::optional<ParameterValues> values = findValues(name, parameterType<Element>());
    return values ? std::optional(std::get<std::vector<Element>>(std::move(*values)))
                  : std::nullopt;
  }
  [[nodiscard]] std::optional<ParameterValues> findValues(std::string_view name,
                                                          std::string_view type) const;
  [[nodiscard]] std::vector<std::string> parameterKeys(std::string_view type) const;

  /// Keeps the memory of contents for the next frame of the thread.
  struct Release {
    void operator()(FrameContents* contents) const noexcept;
  };

  std::unique_ptr<FrameContents, Release> m_contents;
  const CollectionViews* m_views = nullptr; // of the contents, if they have a reader
};

} // namespace kaon
