#include <kaon/event/Frame.h>

#include <kaon/base/Spares.h>
#include <kaon/base/Suggestion.h>
#include <kaon/event/FrameBatchBuilder.h>
#include <kaon/event/FrameContents.h>
#include <kaon/event/FrameDocuments.h>
#include <kaon/files/Files.h>

namespace kaon {
namespace {

/// What the category of a frame in memory is called.
constexpr std::string_view frameCategory = "frame";

/// Contents without a reader: programs that write mostly make a new frame for each event.
using SpareContents = Spares<FrameContents, 4>;

std::unique_ptr<FrameContents> emptyContents() {
  SpareContents* const spares = SpareContents::ofThread();
  FrameContents* const spare =
      spares ? spares->take([](const FrameContents& /*any*/) { return true; }) : nullptr;
  return spare ? std::unique_ptr<FrameContents>(spare) : std::make_unique<FrameContents>();
}

} // namespace

Frame::Frame() : m_contents(emptyContents().release()) {}
Frame::Frame(std::unique_ptr<EntryReader> reader)
    : Frame(std::make_unique<FrameContents>(std::move(reader))) {}
Frame::Frame(std::unique_ptr<FrameContents> contents)
    : m_contents(contents.release()), m_views(m_contents->views()) {}
Frame::Frame(Frame&&) noexcept = default;
Frame& Frame::operator=(Frame&&) noexcept = default;
Frame::~Frame() = default;

void Frame::Release::operator()(FrameContents* contents) const noexcept {
  SpareContents* const spares = SpareContents::ofThread();
  if (spares && spares->hasRoom() && !contents->reader()) {
    contents->clear();
    if (spares->keep(contents))
      return;
  }
  delete contents;
}

Buffer Frame::toBytes() const {
  Buffer bytes;
  // A frame is no file: what a file says about itself stays there.
  BatchWriter writer(create(io::memorySink("a frame in memory", bytes)), {.copyMetadata = false});
  FrameDocuments().add(*m_contents, std::string(frameCategory), writer);
  const StorageRules rules;
  FrameBatchBuilder gatherer(rules, false, writer.tables(frameCategory));
  gatherer.add(*m_contents, nullptr);
  BatchWriter::Filler filler = writer.filler(frameCategory);
  filler.writeAll(gatherer.builder());
  filler.finish();
  writer.finish();
  return bytes;
}

Frame Frame::fromBytes(std::span<const std::byte> bytes) {
  struct Kept {
    Buffer bytes;
    std::shared_ptr<const File> file; // dies before the bytes
  };
  const auto kept = std::make_shared<Kept>();
  kept->bytes.append(bytes);
  kept->file = open(io::memorySource("a frame in memory", kept->bytes.bytes()));
  const Source& source = kept->file->category(frameCategory);
  return Frame(std::make_unique<EntryReader>(std::shared_ptr<const File>(kept, kept->file.get()),
                                             source, 0));
}

std::vector<std::string> Frame::getAvailableCollections() const {
  return m_contents->collectionNames();
}

std::string Frame::getName(std::uint32_t id) const { return m_contents->nameOf(id); }

const CollectionBase& Frame::put(std::unique_ptr<CollectionBase> collection,
                                 std::string_view name) {
  return m_contents->put(std::move(collection), name);
}

std::unique_ptr<CollectionBase> Frame::takeCollection(std::string_view name,
                                                      const CollectionType& type) {
  return m_contents->take(name, type);
}

void Frame::remove(std::string_view name) {
  if (!m_contents->remove(name))
    failMissing(name);
}

Frame Frame::clone() const { return Frame(m_contents->clone()); }

std::vector<std::string> Frame::collectionNames(const CollectionType& type) const {
  return m_contents->collectionNames(type);
}

const CollectionBase* Frame::get(std::string_view name) const { return m_contents->find(name); }

const CollectionBase* Frame::findCollection(std::string_view name,
                                            const CollectionType& type) const {
  return m_contents->find(name, type);
}

void Frame::failMissing(std::string_view name) const {
  fail(ErrorKind::name, "there is no collection '", name, "' in this frame",
       suggestion(name, getAvailableCollections()));
}

void Frame::clear() {
  m_contents->clear();
  m_views = nullptr;
}

template <class T>
void Frame::putValue(std::string_view name, T value) {
  m_contents->putValue(name, std::move(value));
}
template void Frame::putValue(std::string_view, std::int32_t);
template void Frame::putValue(std::string_view, std::int64_t);
template void Frame::putValue(std::string_view, float);
template void Frame::putValue(std::string_view, double);
template void Frame::putValue(std::string_view, bool);
template void Frame::putValue(std::string_view, std::string);

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
