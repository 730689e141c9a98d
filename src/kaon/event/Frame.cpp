#include <kaon/event/Frame.h>

#include <kaon/base/Spares.h>
#include <kaon/base/Suggestion.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/event/FrameBatchBuilder.h>
#include <kaon/event/FrameContents.h>
#include <kaon/event/FrameDocuments.h>
#include <kaon/event/RecentFrames.h>
#include <kaon/files/Files.h>

#include <utility>

namespace kaon {
namespace {

/// The category of a frame in memory.
constexpr std::string_view frameCategory = "frame";

/// Contents without a reader: most writing programs make a new frame for each event.
using SpareContents = Spares<detail::FrameContents, 4>;

std::unique_ptr<detail::FrameContents> emptyContents() {
  SpareContents* const spares = SpareContents::ofThread();
  detail::FrameContents* const spare =
      spares ? spares->take([](const detail::FrameContents& /*any*/) { return true; }) : nullptr;
  return spare ? std::unique_ptr<detail::FrameContents>(spare)
               : std::make_unique<detail::FrameContents>();
}

} // namespace

Frame::Frame() : m_contents(emptyContents().release()) {}
Frame::Frame(std::unique_ptr<detail::EntryReader> reader)
    : Frame(std::make_unique<detail::FrameContents>(std::move(reader))) {}
Frame::Frame(std::unique_ptr<detail::FrameContents> contents)
    : m_contents(contents.release()), m_views(m_contents->views()) {}
Frame::Frame(Frame&& other) noexcept
    : m_contents(std::move(other.m_contents)), m_views(std::exchange(other.m_views, nullptr)) {}
Frame& Frame::operator=(Frame&& other) noexcept {
  m_contents = std::move(other.m_contents);
  m_views = std::exchange(other.m_views, nullptr);
  return *this;
}
Frame::~Frame() = default;

void Frame::Release::operator()(detail::FrameContents* contents) const noexcept {
  if (contents->reader()) {
    if (detail::RecentFrames* const home = contents->home(); !home || !home->keep(contents))
      delete contents;
    return;
  }
  SpareContents* const spares = SpareContents::ofThread();
  if (spares && spares->hasRoom()) {
    contents->clear();
    if (spares->keep(contents))
      return;
  }
  delete contents;
}

Buffer Frame::toBytes() const {
  Buffer bytes;
  const detail::StorageRules rules;
  // A frame is not a file, so the metadata of its file are not copied.
  BatchWriter writer(create(io::memorySink("a frame in memory", bytes)), {.copyMetadata = false});
  FrameDocuments().add(contents(), std::string(frameCategory), writer);
  auto entry = std::make_unique<FrameBatchBuilder>(rules, false, writer.tables(frameCategory));
  entry->add(contents(), nullptr);
  writer.ownFiller(frameCategory).setGatherer(std::move(entry));
  writer.finish();
  return bytes;
}

Frame Frame::fromBytes(std::span<const std::byte> bytes) {
  struct FileInMemory {
    Buffer bytes;
    std::shared_ptr<const File> file; // destroyed before the bytes
  };
  const auto kept = std::make_shared<FileInMemory>();
  kept->bytes.append(bytes);
  kept->file = open(io::memorySource("a frame in memory", kept->bytes.bytes()));
  const Source& source = kept->file->category(frameCategory);
  return Frame(std::make_unique<detail::EntryReader>(
      std::shared_ptr<const File>(kept, kept->file.get()), source, 0));
}

std::vector<std::string> Frame::getAvailableCollections() const {
  return contents().collectionNames();
}

std::string Frame::getName(std::uint32_t id) const { return contents().nameOf(id); }

const CollectionBase& Frame::put(std::unique_ptr<CollectionBase> collection,
                                 std::string_view name) {
  return contents().put(std::move(collection), name);
}

std::unique_ptr<CollectionBase> Frame::takeCollection(std::string_view name,
                                                      const detail::CollectionType& type) {
  return contents().take(name, type);
}

void Frame::remove(std::string_view name) {
  if (!contents().remove(name))
    failMissing(name);
}

Frame Frame::clone() const { return Frame(contents().clone()); }

std::vector<std::string> Frame::collectionNames(const detail::CollectionType& type) const {
  return contents().collectionNames(type);
}

const CollectionBase* Frame::get(std::string_view name) const { return contents().find(name); }

const CollectionBase* Frame::findCollection(std::string_view name,
                                            const detail::CollectionType& type) const {
  return contents().find(name, type);
}

void Frame::failMissing(std::string_view name) const {
  const detail::EntryReader* const reader = contents().reader();
  fail(ErrorKind::name, "there is no collection '", name, "' in this frame",
       suggestion(name, getAvailableCollections()),
       reader ? whyUnread(reader->source(), name) : "");
}

void Frame::failMoved() { fail(ErrorKind::usage, "this frame was moved away"); }

void Frame::clear() {
  if (!m_contents)
    *this = Frame();
  m_contents->clear();
  m_views = nullptr;
}

template <class T>
void Frame::putValue(std::string_view name, T value) {
  contents().putValue(name, std::move(value));
}
template void Frame::putValue(std::string_view, std::int32_t);
template void Frame::putValue(std::string_view, std::int64_t);
template void Frame::putValue(std::string_view, float);
template void Frame::putValue(std::string_view, double);
template void Frame::putValue(std::string_view, bool);
template void Frame::putValue(std::string_view, std::string);

template <class T>
std::optional<T> Frame::getValue(std::string_view name) const {
  return contents().value<T>(name);
}
template std::optional<std::int32_t> Frame::getValue(std::string_view) const;
template std::optional<std::int64_t> Frame::getValue(std::string_view) const;
template std::optional<float> Frame::getValue(std::string_view) const;
template std::optional<double> Frame::getValue(std::string_view) const;
template std::optional<bool> Frame::getValue(std::string_view) const;
template std::optional<std::string> Frame::getValue(std::string_view) const;

void Frame::putValues(std::string_view name, detail::ParameterValues values) {
  contents().putValues(name, std::move(values));
}

std::optional<detail::ParameterValues> Frame::findValues(std::string_view name,
                                                         std::string_view type) const {
  return contents().values(name, type);
}

std::vector<std::string> Frame::parameterKeys(std::string_view type) const {
  return contents().parameterNames(type);
}

} // namespace kaon
