#pragma once

#include <kaon/event/Collection.h>
#include <kaon/event/Parameters.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
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
  Frame(Frame&&) noexcept;
  Frame& operator=(Frame&&) noexcept;
  ~Frame();

  /// Takes over a collection. Throws Error(usage) if the frame has one of that name.
  template <IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& put(T&& collection, std::string_view name) {
    return static_cast<const T&>(putCollection(std::make_unique<T>(std::move(collection)), name));
  }

  /// The collection of this name, for as long as the frame lives and stays at its entry. Throws
  /// Error(name), with a suggestion, where there is none in this frame, and Error(type) if it is of
  /// another type.
  template <IsCollection T>
  [[nodiscard]] const T& get(std::string_view name) const {
    const CollectionBase* const found = find<T>(name);
    if (!found)
      failMissing(name);
    return static_cast<const T&>(*found);
  }
  /// As get(), but null where there is none in this frame.
  template <IsCollection T>
  [[nodiscard]] const T* getIfPresent(std::string_view name) const {
    return static_cast<const T*>(find<T>(name));
  }
  /// The collections that are in this frame.
  [[nodiscard]] std::vector<std::string> getAvailableCollections() const;
  /// The collection with this number, see CollectionBase::getID(); "" if there is none.
  [[nodiscard]] std::string getName(std::uint32_t id) const;

  /// Sets a parameter; one of the same name and type is replaced.
  template <IsParameter T>
  void putParameter(std::string_view name, T value) {
    if constexpr (detail::isVector<T>)
      putValues(name, std::move(value));
    else
      putValues(name, std::vector<T>{std::move(value)});
  }
  void putParameter(std::string_view name, const char* value) {
    putParameter(name, std::string(value));
  }
  /// The parameter of this name and type, nothing if there is none. Of several values, the first.
  template <IsParameter T>
  [[nodiscard]] std::optional<T> getParameter(std::string_view name) const {
    using Element = typename detail::ParameterElement<T>::type;
    auto values = getValues<Element>(name);
    if constexpr (detail::isVector<T>)
      return values;
    else
      return values && !values->empty() ? std::optional<T>((*values)[0]) : std::nullopt;
  }
  /// The names of the parameters of type T.
  template <IsParameter T>
  [[nodiscard]] std::vector<std::string> getParameterKeys() const {
    return parameterKeys(parameterType<typename detail::ParameterElement<T>::type>());
  }

  /// For the library.
  [[nodiscard]] FrameContents& contents() const noexcept { return *m_contents; }

private:
  template <class T>
  [[nodiscard]] const CollectionBase* find(std::string_view name) const {
    return findCollection(name, T::datatype(), [](CollectionData& data) {
      return std::unique_ptr<CollectionBase>(std::make_unique<T>(data));
    });
  }
  using MakeView = std::unique_ptr<CollectionBase> (*)(CollectionData&);
  const CollectionBase& putCollection(std::unique_ptr<CollectionBase> collection,
                                      std::string_view name);
  [[nodiscard]] const CollectionBase* findCollection(std::string_view name, const Datatype& type,
                                                     MakeView makeView) const;
  [[noreturn]] void failMissing(std::string_view name) const;
  void putValues(std::string_view name, ParameterValues values);
  template <class Element>
  [[nodiscard]] std::optional<std::vector<Element>> getValues(std::string_view name) const {
    std::optional<ParameterValues> values = findValues(name, parameterType<Element>());
    return values ? std::optional(std::get<std::vector<Element>>(std::move(*values)))
                  : std::nullopt;
  }
  [[nodiscard]] std::optional<ParameterValues> findValues(std::string_view name,
                                                          std::string_view type) const;
  [[nodiscard]] std::vector<std::string> parameterKeys(std::string_view type) const;

  std::unique_ptr<FrameContents> m_contents;
};

} // namespace kaon
