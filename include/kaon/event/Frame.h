#pragma once

#include <kaon/detail/event/CollectionViews.h>
#include <kaon/detail/event/Parameters.h>
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

namespace detail {

class EntryReader;
class FrameContents;

} // namespace detail

template <class T>
concept IsCollection = std::derived_from<T, CollectionBase> && !std::same_as<T, CollectionBase>;

/// One event, or run: named collections and parameters. Collections cannot change once they are put
/// into the frame. Collections of a file are decoded at the first access. Any number of threads may
/// read a frame and put data into it at the same time.
class Frame {
public:
  Frame();
  // For the library: the current entry of a reader, or its contents.
  explicit Frame(std::unique_ptr<detail::EntryReader> reader);
  explicit Frame(std::unique_ptr<detail::FrameContents> contents);
  Frame(Frame&& other) noexcept;
  Frame& operator=(Frame&& other) noexcept;
  ~Frame();
  /// Returns false after the frame was moved from: then all functions but clear() throw
  /// Error(usage).
  [[nodiscard]] bool isValid() const noexcept { return m_contents != nullptr; }

  /// Empties the frame but keeps its memory, for programs that write one event after another.
  /// Invalidates everything that the frame returned. Not while others use the frame.
  void clear();

  /// Takes ownership of a collection. Throws Error(usage) if the frame has one of that name.
  template <IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& put(T&& collection, std::string_view name) {
    return put(std::make_unique<T>(std::move(collection)), name);
  }
  template <IsCollection T>
  const T& put(std::unique_ptr<T> collection, std::string_view name) {
    return static_cast<const T&>(put(std::unique_ptr<CollectionBase>(std::move(collection)), name));
  }
  /// Takes ownership of a collection of any class.
  const CollectionBase& put(std::unique_ptr<CollectionBase> collection, std::string_view name);
  /// Takes a collection out of the frame, to change it and perhaps put it in again. Relations to
  /// its objects follow them. A collection that was read is copied; the collection that get()
  /// returned is empty from then on. Throws the errors of get(). Not while others use the frame.
  template <IsCollection T>
  [[nodiscard]] T take(std::string_view name) {
    (void)get<T>(name);
    return std::move(static_cast<T&>(*takeCollection(name, detail::collectionType<T>())));
  }
  /// Removes a collection for good: relations to a collection that was put in become unset. Throws
  /// Error(name), with a suggestion, if the frame has no collection of this name. Not while others
  /// use the frame.
  void remove(std::string_view name);
  /// Replaces a collection by another one of any type, with remove() and put().
  template <IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& replace(T&& collection, std::string_view name) {
    remove(name);
    return put(std::forward<T>(collection), name);
  }
  /// Returns a copy of the frame. Collections that were put in are copied, with relations among the
  /// copies. Collections of a file are not copied; the new frame reads them from the file, too.
  [[nodiscard]] Frame clone() const;

  /// Convert the frame to a .kaon file in memory and back, for example to send it elsewhere. Both
  /// copy everything. They throw the errors of Writer::write() and open().
  [[nodiscard]] Buffer toBytes() const;
  [[nodiscard]] static Frame fromBytes(std::span<const std::byte> bytes);

  /// Returns the collection of this name; the reference is valid while the frame lives and stays at
  /// its entry. Throws Error(name), with a suggestion, if this frame lacks the collection, and
  /// Error(type) if it is of another type.
  template <IsCollection T>
  [[nodiscard]] const T& get(std::string_view name) const {
    const CollectionBase* const collection = find<T>(name);
    if (!collection)
      failMissing(name);
    return static_cast<const T&>(*collection);
  }
  /// As get(), but returns null if this frame lacks the collection.
  template <IsCollection T>
  [[nodiscard]] const T* getIfPresent(std::string_view name) const {
    return static_cast<const T*>(find<T>(name));
  }
  /// Returns the collection of this name, whatever its class; see CollectionBase, or use
  /// dynamic_cast. Returns null if this frame lacks the collection. If the program has no class for
  /// it (see registerCollections()), the result is a GenericCollection, made from the file's model.
  /// Throws Error(type) if the file has no model of it either.
  [[nodiscard]] const CollectionBase* get(std::string_view name) const;
  /// Returns the object with this id; see Handle::id(). Throws Error(name) if the frame lacks the
  /// collection, Error(type) if it is of another type, and std::out_of_range if it lacks the
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
  /// Returns the names of the collections of this type.
  template <IsCollection T>
  [[nodiscard]] std::vector<std::string> getCollectionsOfType() const {
    return collectionNames(detail::collectionType<T>());
  }
  /// Returns the names of the collections in this frame.
  [[nodiscard]] std::vector<std::string> getAvailableCollections() const;
  /// Returns the name of the collection with this number, see CollectionBase::getID(), or "".
  [[nodiscard]] std::string getName(std::uint32_t id) const;
  [[nodiscard]] std::string getName(const CollectionBase& collection) const {
    return getName(collection.getID());
  }

  /// Sets a parameter; replaces a parameter of the same name and type.
  template <detail::IsParameter T>
  void putParameter(std::string_view name, T value) {
    if constexpr (detail::isVector<T>)
      putValues(name, std::move(value));
    else
      putValue(name, std::move(value));
  }
  void putParameter(std::string_view name, const char* value) {
    putParameter(name, std::string(value));
  }
  /// Sets a parameter to several values: `frame.putParameter("weights", {0.5, 1.5})`.
  template <detail::IsParameter T>
    requires detail::IsParameter<std::vector<T>>
  void putParameter(std::string_view name, std::initializer_list<T> values) {
    putParameter(name, std::vector<T>(values));
  }
  void putParameter(std::string_view name, std::initializer_list<const char*> values) {
    putParameter(name, std::vector<std::string>(values.begin(), values.end()));
  }
  /// Returns the parameter of this name and type, or nothing if the frame lacks it. If it has
  /// several values, returns the first; `getParameter<std::vector<float>>("x")` returns all. Nested
  /// lists, which Python writes too, are `std::vector<std::vector<float>>`. Throws Error(type) if a
  /// file has records or deeper lists under this name, which no parameter of a frame can hold.
  template <detail::IsParameter T>
  [[nodiscard]] std::optional<T> getParameter(std::string_view name) const {
    if constexpr (detail::isVector<T>)
      return getValues<typename T::value_type>(name);
    else
      return getValue<T>(name);
  }
  /// Returns the names of the parameters of type T.
  template <detail::IsParameter T>
  [[nodiscard]] std::vector<std::string> getParameterKeys() const {
    return parameterKeys(detail::parameterType<typename detail::ParameterElement<T>::type>());
  }

  /// For the library. Throws Error(usage) after the frame was moved from.
  [[nodiscard]] detail::FrameContents& contents() const {
    if (!m_contents) [[unlikely]]
      failMoved();
    return *m_contents;
  }

private:
  template <class T>
  [[nodiscard]] const CollectionBase* find(std::string_view name) const {
    const detail::CollectionType& type = detail::collectionType<T>();
    const CollectionBase* const known = m_views ? m_views->recall(name, *type.objects) : nullptr;
    return known ? known : findCollection(name, type);
  }
  [[nodiscard]] std::unique_ptr<CollectionBase> takeCollection(std::string_view name,
                                                               const detail::CollectionType& type);
  [[nodiscard]] std::vector<std::string> collectionNames(const detail::CollectionType& type) const;
  [[nodiscard]] const CollectionBase* findCollection(std::string_view name,
                                                     const detail::CollectionType& type) const;
  [[noreturn]] void failMissing(std::string_view name) const;
  [[noreturn]] static void failMoved();
  void putValues(std::string_view name, detail::ParameterValues values);
  template <class T>
  void putValue(std::string_view name, T value); // T: an element type of ParameterValues
  template <class T>
  [[nodiscard]] std::optional<T> getValue(std::string_view name) const; // T as above
  template <class Element>
  [[nodiscard]] std::optional<std::vector<Element>> getValues(std::string_view name) const {
    std::optional<detail::ParameterValues> values =
        findValues(name, detail::parameterType<Element>());
    return values ? std::optional(std::get<std::vector<Element>>(std::move(*values)))
                  : std::nullopt;
  }
  [[nodiscard]] std::optional<detail::ParameterValues> findValues(std::string_view name,
                                                                  std::string_view type) const;
  [[nodiscard]] std::vector<std::string> parameterKeys(std::string_view type) const;

  /// Keeps the contents for a later frame.
  struct Release {
    void operator()(detail::FrameContents* contents) const noexcept;
  };

  std::unique_ptr<detail::FrameContents, Release> m_contents;
  const detail::CollectionViews* m_views = nullptr; // of the contents, if they have a reader
};

} // namespace kaon
