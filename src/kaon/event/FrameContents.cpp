#include <kaon/event/FrameContents.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/detail/object/ObjectLayout.h>
#include <kaon/detail/object/ObjectMover.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>
#include <iterator>
#include <typeinfo>

namespace kaon::detail {
namespace {

/// Whether a collection has this class. Two libraries of a process, such as plugins, may each have
/// the class, with its datatype.
bool isOf(const CollectionBase& collection, const CollectionType& type) {
  const Datatype& actual = collection.data().type();
  if (&actual == type.objects || &actual == type.subset)
    return true;
  return type.info && typeid(collection) == *type.info &&
         (areSame(actual, *type.objects) || (type.subset && areSame(actual, *type.subset)));
}

} // namespace

template <class Contents>
auto* FrameContents::findPut(Contents& contents, std::string_view name) {
  const auto place = std::ranges::find_if(
      contents.m_put, [name](const Put& put) { return put.collection && put.name == name; });
  return place == contents.m_put.end() ? nullptr : &*place;
}

FrameContents::FrameContents(std::unique_ptr<EntryReader> reader,
                             std::shared_ptr<RecentFrames> home)
    : m_reader(std::move(reader)), m_home(std::move(home)),
      m_views(std::make_unique<CollectionViews>()) {}

const CollectionBase& FrameContents::put(std::unique_ptr<CollectionBase> collection,
                                         std::string_view name) {
  if (!collection)
    fail(ErrorKind::usage, "cannot put a null pointer as the collection '", name, "'");
  const std::lock_guard lock(m_mutex);
  const std::uint32_t inFile = findTable(name);
  if (findPut(*this, name) || (inFile != Table::none && isInFile(inFile)))
    fail(ErrorKind::usage, "the frame has a collection '", name, "' already");
  collection->data().setId(firstPutNumber() + static_cast<std::uint32_t>(m_put.size()));
  return *m_put.emplace_back(Put{std::string(name), std::move(collection)}).collection;
}

std::unique_ptr<CollectionBase> FrameContents::take(std::string_view name,
                                                    const CollectionType& type) {
  const std::lock_guard lock(m_mutex);
  if (Put* const own = findPut(*this, name)) {
    own->collection->data().setId(CollectionData::untracked);
    return std::move(own->collection);
  }
  const TableNumber table = findTable(name);
  const CollectionBase* const stored = table == Table::none ? nullptr : view(table, name, type);
  if (!stored)
    return nullptr;
  CollectionData& data = stored->data();
  auto copy = stored->makeEmptyLike();
  ObjectCopier copier;
  copier.copyAll(data, copy->data());
  copier.relate();
  ObjectMover(data).leaveTo(copy->data());
  setTaken(table, &data);
  return copy;
}

bool FrameContents::remove(std::string_view name) {
  const std::lock_guard lock(m_mutex);
  if (Put* const own = findPut(*this, name)) {
    own->collection.reset();
    return true;
  }
  const TableNumber table = findTable(name);
  if (table == Table::none || !isInFile(table))
    return false;
  setTaken(table, nullptr);
  return true;
}

void FrameContents::setTaken(TableNumber table, CollectionData* data) {
  m_taken[table] = data;
  m_views->forgetNames();
}

std::unique_ptr<FrameContents> FrameContents::clone() {
  const std::lock_guard lock(m_mutex);
  auto copy = std::make_unique<FrameContents>();
  {
    const std::lock_guard parametersLock(m_parametersMutex);
    copy->m_parameters = m_parameters;
  }
  ObjectCopier copier;
  if (m_reader) {
    copy->m_reader =
        std::make_unique<EntryReader>(m_reader->file(), m_reader->source(), m_reader->entry());
    copy->m_views = std::make_unique<CollectionViews>();
    for (TableNumber table = 0; table < m_reader->source().schema().size(); ++table)
      if (const CollectionData* const data =
              m_taken.contains(table) ? nullptr : m_reader->bound(table))
        if (CollectionData* const same = copy->m_reader->collection(table, data->type()))
          copier.redirect(*data, *same);
  }
  for (const Put& put : m_put) {
    Put& copied = copy->m_put.emplace_back(Put{put.name, nullptr});
    if (!put.collection)
      continue;
    copied.collection = put.collection->makeEmptyLike();
    copied.collection->data().setId(put.collection->getID());
    copier.redirect(put.collection->data(), copied.collection->data()); // may be empty
    copier.copyAll(put.collection->data(), copied.collection->data());
  }
  copier.relate();
  cloneTaken(*copy);
  return copy;
}

/// Takes collections out of the copy that were taken out of this frame; relations follow them.
void FrameContents::cloneTaken(FrameContents& copy) {
  for (const auto& [table, data] : m_taken) {
    copy.m_taken[table] = nullptr;
    if (!data)
      continue;
    CollectionData* to = data->holder();
    for (std::size_t i = 0; i < m_put.size(); ++i)
      if (m_put[i].collection && &m_put[i].collection->data() == to)
        to = &copy.m_put[i].collection->data();
    CollectionData* const same = copy.m_reader->collection(table, data->type());
    if (!to || !same)
      continue;
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < same->size(); ++i) {
      const ObjectLocator place = data->current(i);
      indices.push_back(place ? place.index() : Forwarding::removed);
    }
    same->forwardAll(*to, std::move(indices));
    copy.m_taken[table] = same;
  }
}

const CollectionBase* FrameContents::find(std::string_view name) {
  const std::lock_guard lock(m_mutex);
  if (const Put* const own = findPut(*this, name))
    return own->collection.get();
  const TableNumber table = findTable(name);
  if (table == Table::none || !isInFile(table))
    return nullptr;
  return view(table, name, findCollectionType(m_reader->file(), m_reader->source(), table));
}

const CollectionBase* FrameContents::lookUp(std::string_view name, const CollectionType& type) {
  const std::lock_guard lock(m_mutex);
  if (const Put* const own = findPut(*this, name)) {
    if (!isOf(*own->collection, type))
      fail(ErrorKind::type, "'", name, "' is a collection of ", own->collection->data().type().name,
           ", not of ", type.objects->name);
    return own->collection.get();
  }
  const TableNumber table = findTable(name);
  return table == Table::none ? nullptr : view(table, name, type);
}

/// Returns the collection in the table of this name as this class; null if the entry lacks it.
const CollectionBase* FrameContents::view(TableNumber table, std::string_view name,
                                          const CollectionType& type) {
  const bool isSubset =
      type.subset && type.subset->isCalled(m_reader->source().schema().table(table).type);
  CollectionData* const data = m_reader->collection(table, isSubset ? *type.subset : *type.objects);
  return data ? &m_views->view(*data, name, type) : nullptr;
}

std::vector<std::string> FrameContents::collectionNames() {
  const std::lock_guard lock(m_mutex);
  std::vector<std::string> names;
  if (m_reader) {
    const auto tables = m_reader->source().schema().tables();
    for (std::uint32_t i = 0; i < tables.size(); ++i)
      if (tables[i].kind == TableKind::collection && !m_taken.contains(i) && isInFile(i))
        names.emplace_back(tables[i].name);
  }
  for (const Put& put : m_put)
    if (put.collection)
      names.push_back(put.name);
  return names;
}

std::vector<std::string> FrameContents::collectionNames(const CollectionType& type) {
  std::vector<std::string> names = collectionNames();
  const std::lock_guard lock(m_mutex);
  std::erase_if(names, [&](const std::string& name) {
    const Put* const put = findPut(*this, name);
    const std::string_view actual = put ? put->collection->data().type().name
                                        : m_reader->source().schema().table(findTable(name)).type;
    return !type.objects->isCalled(actual) && !(type.subset && type.subset->isCalled(actual));
  });
  return names;
}

std::string FrameContents::nameOf(std::uint32_t id) {
  const std::lock_guard lock(m_mutex);
  const std::uint32_t first = firstPutNumber();
  if (id < first) {
    const Table table = m_reader->source().schema().table(id);
    return table.kind == TableKind::collection ? std::string(table.name) : "";
  }
  const bool isThere = id - first < m_put.size() && m_put[id - first].collection;
  return isThere ? m_put[id - first].name : "";
}

std::optional<ParameterValues> FrameContents::values(std::string_view name, std::string_view type) {
  {
    const std::lock_guard lock(m_parametersMutex);
    if (const ParameterValues* const put = m_parameters.find(name, type))
      return *put;
  }
  if (!m_reader)
    return std::nullopt;
  return m_reader->withWindow([&](Window& window) {
    return m_storedParameters.values(window, m_reader->entry(), name, type);
  });
}

std::vector<std::string> FrameContents::parameterNames(std::string_view type) {
  const std::lock_guard lock(m_mutex);
  std::vector<std::string> names;
  {
    const std::lock_guard parametersLock(m_parametersMutex);
    for (const PutParameters::Parameter& parameter : m_parameters)
      if (parameter.isThere && kaon::typeOf(parameter.values) == type)
        names.push_back(parameter.name);
  }
  if (m_reader) {
    const Schema& schema = m_reader->source().schema();
    for (TableNumber i = 0; i < schema.size(); ++i)
      if (StoredParameters::typeOf(schema, i) == type && isInFile(i))
        names.emplace_back(schema.table(i).name);
  }
  sortUnique(names);
  return names;
}

void FrameContents::forgetPut() noexcept {
  m_put.clear();
  m_parameters.clear();
}

void FrameContents::clear() noexcept {
  forgetPut();
  if (!m_reader)
    return; // all else is of the reader
  m_taken.clear();
  m_views.reset();
  m_storedParameters = {};
  m_home.reset();
  m_reader.reset();
}

void FrameContents::forgetTaken() noexcept {
  for (const auto& [table, data] : m_taken)
    if (data)
      data->stopForwarding();
  m_taken.clear();
}

/// Returns the table of a collection that the frame may have from its file, or Table::none.
TableNumber FrameContents::findTable(std::string_view name) {
  const TableNumber table =
      m_reader ? m_reader->source().schema().findCollection(name) : Table::none;
  return table == Table::none || m_taken.contains(table) ? Table::none : table;
}

bool FrameContents::isInFile(TableNumber table) {
  return m_reader->withWindow(
      [&](Window& window) { return window.isPresent(table, m_reader->entry()); });
}

std::uint32_t FrameContents::firstPutNumber() const {
  return m_reader ? m_reader->source().schema().size() : 0;
}

} // namespace kaon::detail
