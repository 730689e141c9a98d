#include <kaon/event/FrameContents.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/object/CollectionRegistry.h>

#include <algorithm>
#include <numeric>

namespace kaon {
namespace {

/// The values of a parameter's rows [first, last).
template <class T>
std::vector<T> readValues(Window& window, std::uint32_t table, std::uint64_t entry) {
  const auto [first, last] = window.rows(table, entry);
  const ColumnView column = window.member(table, 0, entry);
  std::vector<T> values;
  for (std::size_t i = first; i < last; ++i)
    values.push_back(loadAs<T>(column.at(i)));
  return values;
}

std::vector<std::string> readStrings(Window& window, std::uint32_t table, std::uint64_t entry) {
  const Schema& schema = window.source().schema();
  const auto under = schema.tablesUnder(table);
  const auto found = std::ranges::find_if(under, [&](std::uint32_t number) {
    return schema.table(number).kind == TableKind::text && schema.table(number).parent == table;
  });
  const std::uint32_t text = found == under.end() ? Table::none : *found;
  if (text == Table::none || schema.table(text).members.empty() || schema.table(text).rowSize != 1)
    fail(ErrorKind::corrupt, window.source().name(), ": the strings of '", schema.table(table).name,
         "' are missing; the file is damaged");
  const auto [first, last] = window.rows(table, entry);
  const auto begins = window.offsets(text, entry);
  const auto* const characters = reinterpret_cast<const char*>(window.member(text, 0, entry).base);
  std::vector<std::string> values;
  for (std::size_t i = first; i < last; ++i)
    values.emplace_back(characters + begins[i], begins[i + 1] - begins[i]);
  return values;
}

ParameterValues readParameter(Window& window, std::uint32_t table, std::uint64_t entry) {
  const Table info = window.source().schema().table(table);
  if (info.type == parameterType<std::string>())
    return readStrings(window, table, entry);
  if (info.members.size() != 1 || info.members[0].extent != 1 ||
      kaon::nameOf(info.members[0].type) != info.type)
    fail(ErrorKind::corrupt, window.source().name(), ": parameter '", info.name,
         "' is not what its type says; the file is damaged");
  switch (info.members[0].type) {
  case Scalar::Int32:
    return readValues<std::int32_t>(window, table, entry);
  case Scalar::Int64:
    return readValues<std::int64_t>(window, table, entry);
  case Scalar::Float32:
    return readValues<float>(window, table, entry);
  case Scalar::Float64:
    return readValues<double>(window, table, entry);
  case Scalar::Bool:
    return readValues<bool>(window, table, entry);
  default:
    fail(ErrorKind::type, window.source().name(), ": parameter '", info.name, "' holds ", info.type,
         ", which no parameter of a frame can");
  }
}

/// A value is a parameter that every frame has one of.
bool isParameter(const Table& table, std::string_view type) {
  return table.type == type &&
         (table.kind == TableKind::parameter ||
          (table.kind == TableKind::value && table.members.size() == 1 &&
           table.members[0].extent == 1 && kaon::nameOf(table.members[0].type) == type));
}

} // namespace

template <class Contents>
auto* FrameContents::findPut(Contents& contents, std::string_view name) {
  const auto found = std::ranges::find_if(
      contents.m_put, [name](const Put& put) { return put.collection && put.name == name; });
  return found == contents.m_put.end() ? nullptr : &*found;
}

FrameContents::FrameContents(std::unique_ptr<EntryReader> reader) : m_reader(std::move(reader)) {}

const CollectionBase& FrameContents::put(std::unique_ptr<CollectionBase> collection,
                                         std::string_view name) {
  if (!collection)
    fail(ErrorKind::usage, "no collection to be put as '", name, "', but a null pointer");
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
  if (Put* const found = findPut(*this, name)) {
    found->collection->data().setId(CollectionData::untracked);
    return std::move(found->collection);
  }
  const std::uint32_t table = findTable(name);
  const CollectionBase* const found = table == Table::none ? nullptr : view(table, type);
  if (!found)
    return nullptr;
  CollectionData& data = found->data();
  auto copy = found->makeEmptyAlike();
  std::vector<std::uint32_t> indices(data.size());
  std::iota(indices.begin(), indices.end(), 0U);
  ObjectCopier copier;
  copier.copyAll(data, copy->data());
  copier.relate();
  data.forwardAll(copy->data(), std::move(indices));
  m_taken[table] = &data;
  return copy;
}

bool FrameContents::remove(std::string_view name) {
  const std::lock_guard lock(m_mutex);
  if (Put* const found = findPut(*this, name)) {
    found->collection.reset();
    return true;
  }
  const std::uint32_t table = findTable(name);
  if (table == Table::none || !isInFile(table))
    return false;
  m_taken[table] = nullptr;
  return true;
}

std::unique_ptr<FrameContents> FrameContents::clone() {
  const std::lock_guard lock(m_mutex);
  auto copy = std::make_unique<FrameContents>();
  copy->m_parameters = m_parameters;
  ObjectCopier copier;
  if (m_reader) {
    copy->m_reader =
        std::make_unique<EntryReader>(m_reader->file(), m_reader->source(), m_reader->entry());
    for (std::uint32_t table = 0; table < m_reader->source().schema().size(); ++table)
      if (const CollectionData* const data =
              m_taken.contains(table) ? nullptr : m_reader->bound(table))
        if (CollectionData* const same = copy->m_reader->collection(table, data->type()))
          copier.redirect(*data, *same);
  }
  for (const Put& put : m_put) {
    Put& made = copy->m_put.emplace_back(Put{put.name, nullptr});
    if (!put.collection)
      continue;
    made.collection = put.collection->makeEmptyAlike();
    made.collection->data().setId(put.collection->getID());
    copier.redirect(put.collection->data(), made.collection->data()); // there may be none in it
    copier.copyAll(put.collection->data(), made.collection->data());
  }
  copier.relate();
  cloneTaken(*copy);
  return copy;
}

/// What was taken out of the file is out of the copy too; relations to it follow where it went.
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
      const ObjectPlace place = data->current(i);
      indices.push_back(place.data ? place.index : Forwarding::removed);
    }
    same->forwardAll(*to, std::move(indices));
    copy.m_taken[table] = same;
  }
}

const CollectionBase* FrameContents::find(std::string_view name) {
  const std::lock_guard lock(m_mutex);
  if (const Put* const found = findPut(*this, name))
    return found->collection.get();
  const std::uint32_t table = findTable(name);
  if (table == Table::none || !isInFile(table))
    return nullptr;
  return view(table, findCollectionType(m_reader->file(), m_reader->source(), table));
}

const CollectionBase* FrameContents::find(std::string_view name, const CollectionType& type) {
  const std::lock_guard lock(m_mutex);
  if (const Put* const found = findPut(*this, name)) {
    const Datatype& actual = found->collection->data().type();
    if (&actual != type.objects && &actual != type.subset)
      fail(ErrorKind::type, "'", name, "' is a collection of ", actual.name, ", not of ",
           type.objects->name);
    return found->collection.get();
  }
  const std::uint32_t table = findTable(name);
  return table == Table::none ? nullptr : view(table, type);
}

/// The collection in a table as this class; null if the entry is without it.
const CollectionBase* FrameContents::view(std::uint32_t table, const CollectionType& type) {
  const bool isSubset =
      type.subset && type.subset->isCalled(m_reader->source().schema().table(table).type);
  CollectionData* const data = m_reader->collection(table, isSubset ? *type.subset : *type.objects);
  if (!data)
    return nullptr;
  auto& views = m_views[table];
  for (const View& known : views)
    if (known.objects == type.objects)
      return known.collection.get();
  return views.emplace_back(View{type.objects, type.makeView(*data)}).collection.get();
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

void FrameContents::putValues(std::string_view name, ParameterValues values) {
  const std::lock_guard lock(m_mutex);
  const std::string type(typeOf(values));
  m_parameters.insert_or_assign({std::string(name), type}, std::move(values));
}

std::optional<ParameterValues> FrameContents::values(std::string_view name, std::string_view type) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_parameters.find({std::string(name), std::string(type)});
  if (found != m_parameters.end())
    return found->second;
  const std::uint32_t table = m_reader ? findInFile(name, type) : Table::none;
  if (table == Table::none || !isInFile(table))
    return std::nullopt;
  return m_reader->withWindow(
      [&](Window& window) { return readParameter(window, table, m_reader->entry()); });
}

std::vector<std::string> FrameContents::parameterNames(std::string_view type) {
  const std::lock_guard lock(m_mutex);
  std::vector<std::string> names;
  for (const auto& [key, values] : m_parameters)
    if (key.second == type)
      names.push_back(key.first);
  if (m_reader) {
    const auto tables = m_reader->source().schema().tables();
    for (std::uint32_t i = 0; i < tables.size(); ++i)
      if (isParameter(tables[i], type) && isInFile(i))
        names.emplace_back(tables[i].name);
  }
  sortUnique(names);
  return names;
}

void FrameContents::moveTo(std::uint64_t entry) {
  m_put.clear();
  for (const auto& [table, data] : std::exchange(m_taken, {}))
    if (data)
      data->stopForwarding();
  m_parameters.clear();
  m_reader->moveTo(entry);
}

std::string_view FrameContents::typeOf(const ParameterValues& values) {
  return std::visit([]<class T>(const std::vector<T>&) { return parameterType<T>(); }, values);
}

/// The table of a collection that the frame may have from its file; Table::none if there is none.
std::uint32_t FrameContents::findTable(std::string_view name) {
  const std::uint32_t table =
      m_reader ? m_reader->source().schema().findCollection(name) : Table::none;
  return table == Table::none || m_taken.contains(table) ? Table::none : table;
}

/// The table of a parameter, Table::none if there is none.
std::uint32_t FrameContents::findInFile(std::string_view name, std::string_view type) const {
  const Schema& schema = m_reader->source().schema();
  const std::uint32_t parameter = schema.findParameter(name, type);
  if (parameter != Table::none)
    return parameter;
  const std::uint32_t value = schema.find(name);
  return value != Table::none && isParameter(schema.table(value), type) ? value : Table::none;
}

bool FrameContents::isInFile(std::uint32_t table) {
  return m_reader->withWindow(
      [&](Window& window) { return window.isPresent(table, m_reader->entry()); });
}

std::uint32_t FrameContents::firstPutNumber() const {
  return m_reader ? m_reader->source().schema().size() : 0;
}

} // namespace kaon
