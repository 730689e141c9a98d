#include <kaon/event/Frame.h>

#include <kaon/base/Suggestion.h>
#include <kaon/event/FrameContents.h>

namespace kaon {

Frame::Frame() : m_contents(std::make_unique<FrameContents>()) {}
Frame::Frame(std::unique_ptr<EntryReader> reader)
    : m_contents(std::make_unique<FrameContents>(std::move(reader))) {}
Frame::Frame(Frame&&) noexcept = default;
Frame& Frame::operator=(Frame&&) noexcept = default;
Frame::~Frame() = default;

std::vector<std::string> Frame::getAvailableCollections() const {
  return m_contents->collectionNames();
}

std::string Frame::getName(std::uint32_t id) const { return m_contents->nameOf(id); }

const CollectionBase& Frame::putCollection(std::unique_ptr<CollectionBase> collection,
                                           std::string_view name) {
  return m_contents->put(std::move(collection), name);
}

const CollectionBase* Frame::findCollection(std::string_view name, const Datatype& type,
                                            MakeView makeView) const {
  return m_contents->find(name, type, makeView);
}

void Frame::failMissing(std::string_view name) const {
  fail(ErrorKind::name, "there is no collection '", name, "' in this frame",
       suggestion(name, getAvailableCollections()));
}

void Frame::putValues(std::string_view name, ParameterValues values) {
  m_contents->putValues(name, std::move(values));
}

std::optional<ParameterValues> Frame::findValues(std::string_view name,
                                                 std::string_view type) const {
  return m_contents->values(name, type);
}

std::vector<std::string> Frame::parameterKeys(std::string_view type) const {
  return m_contents->parameterNames(type);
}

} // namespace kaon
