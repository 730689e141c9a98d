#pragma once

#include <podio/CollectionBase.h>
#include <podio/FrameCategories.h>
#include <podio/GenericParameters.h>
#include <podio/LinkCollection.h>
#include <podio/ObjectID.h>
#include <podio/RelationRange.h>

#include <kaon/base/Error.h>
#include <kaon/event/Frame.h>

// podio's header has these, too, and code relies on that.
#include <map>
#include <set>
#include <unordered_map>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace podio {

/// A frame with podio's types of results and errors. Functions that take a kaon::Frame accept it,
/// and it is made of a kaon::Frame by moving.
class Frame : public kaon::Frame {
public:
  Frame() = default;
  Frame(kaon::Frame&& frame) noexcept : kaon::Frame(std::move(frame)) {}
  /// Takes the entry of a reader. Throws std::invalid_argument if it is missing.
  template <class Data>
    requires requires(Data data) { kaon::Frame(std::move(data.frame)); }
  Frame(std::unique_ptr<Data> data) : kaon::Frame(std::move(checked(data).frame)) {}

  using kaon::Frame::get;
  /// Returns a collection of any class, or null.
  [[nodiscard]] const CollectionBase* get(std::string_view name) const {
    return kaon::Frame::get(name);
  }
  /// Throw std::invalid_argument if the frame has a collection of this name.
  template <kaon::IsCollection T>
    requires(!std::is_lvalue_reference_v<T>)
  const T& put(T&& collection, const std::string& name) {
    return static_cast<const T&>(take(std::make_unique<T>(std::move(collection)), name));
  }
  void put(std::unique_ptr<CollectionBase> collection, const std::string& name) {
    take(std::unique_ptr<kaon::CollectionBase>(
             static_cast<kaon::CollectionBase*>(collection.release())),
         name);
  }
  /// Returns the name of a collection in this frame.
  [[nodiscard]] std::optional<std::string> getName(std::uint32_t id) const {
    std::string name = kaon::Frame::getName(id);
    return name.empty() ? std::nullopt : std::optional(std::move(name));
  }
  [[nodiscard]] std::optional<std::string> getName(const CollectionBase& collection) const {
    return getName(collection.getID());
  }
  /// Returns a copy of the parameters of podio's types.
  [[nodiscard]] GenericParameters getParameters() const {
    GenericParameters parameters;
    copyTo<int>(parameters);
    copyTo<float>(parameters);
    copyTo<std::string>(parameters);
    copyTo<double>(parameters);
    return parameters;
  }
  [[nodiscard]] const CollectionBase* getCollectionForWrite(const std::string& name) const {
    return get(name);
  }

private:
  template <class Data>
  [[nodiscard]] static Data& checked(const std::unique_ptr<Data>& data) {
    if (!data)
      throw std::invalid_argument("cannot make a frame: the entry does not exist");
    return *data;
  }
  const kaon::CollectionBase& take(std::unique_ptr<kaon::CollectionBase> collection,
                                   const std::string& name) try {
    return kaon::Frame::put(std::move(collection), name);
  } catch (const kaon::Error& error) {
    if (error.kind() == kaon::ErrorKind::usage)
      throw std::invalid_argument(error.what());
    throw;
  }
  template <class T>
  void copyTo(GenericParameters& parameters) const {
    for (const std::string& key : getParameterKeys<T>())
      parameters.set(key, getParameter<std::vector<T>>(key).value_or(std::vector<T>()));
  }
};

} // namespace podio
