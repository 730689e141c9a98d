#include <kaon/formats/arrow/Stream.h>

#include <kaon/base/Error.h>
#include <kaon/batch/ColumnReader.h>
#include <kaon/formats/arrow/ColumnMemory.h>
#include <kaon/formats/arrow/FieldArray.h>
#include <kaon/formats/arrow/FieldSchema.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

namespace kaon::arrow {
namespace {

/// Goes through the entries of a category. One thread at a time.
class CategoryStream {
public:
  CategoryStream(std::shared_ptr<const File> file, const Source& source,
                 const std::vector<WantedColumn>& columns, const StreamOptions& options)
      : m_file(std::move(file)), m_source(&source),
        m_wanted(wantedMembers(source.schema(), columns)),
        m_entry(entryField(source.schema(), columns, options.nesting)), m_names(source.schema()),
        m_clusters(source.clusters()),
        m_last(std::min<std::uint64_t>(options.entries.last, source.entries())),
        m_next(std::min(options.entries.first, m_last)), m_mostBytes(options.mostBytes) {
    for (const auto& [table, members] : m_wanted)
      m_tables.push_back(table);
  }

  [[nodiscard]] ArrowSchema schema() const { return schemaOf(m_entry); }

  /// A released array at the end.
  [[nodiscard]] ArrowArray next() {
    if (m_next == m_last)
      return {};
    const ColumnMemory columns = read();
    const ArrowArray array = arrayOf(m_entry, columns, m_names, m_source->name());
    m_next += columns.entries;
    return array;
  }

  std::exception_ptr error; // what went wrong last

private:
  [[nodiscard]] EntryRange wholeClusters() const;
  [[nodiscard]] ColumnMemory read() const;

  std::shared_ptr<const File> m_file;
  const Source* m_source;
  WantedMembers m_wanted;
  std::vector<std::uint32_t> m_tables;
  Field m_entry;
  CollectionNames m_names;
  std::vector<EntryRange> m_clusters;
  std::uint64_t m_last;
  std::uint64_t m_next;
  std::size_t m_mostBytes;
};

/// The rest of a cluster, and further ones if it is small.
EntryRange CategoryStream::wholeClusters() const {
  constexpr std::uint64_t few = 4096; // whoever takes them works array by array
  auto cluster = std::ranges::upper_bound(m_clusters, m_next, {}, &EntryRange::last);
  std::uint64_t last = m_next;
  for (; cluster != m_clusters.end() && last < m_last && last - m_next < few; ++cluster)
    last = std::min(cluster->last, m_last);
  return {m_next, last > m_next ? last : m_last};
}

ColumnMemory CategoryStream::read() const {
  EntryRange range = wholeClusters();
  if (m_tables.empty())
    return {static_cast<std::size_t>(range.size())};
  while (true) {
    ColumnReader reader(*m_source, m_tables, range, m_file);
    const double bytes = bytesOf(reader, m_source->schema(), m_wanted);
    const auto most = static_cast<double>(m_mostBytes);
    if (bytes <= most || range.size() == 1)
      return readColumns(reader, m_source->schema(), m_wanted);
    const double fitting = static_cast<double>(range.size()) * (most / bytes);
    range.last = range.first + std::clamp<std::uint64_t>(static_cast<std::uint64_t>(fitting), 1,
                                                         range.size() - 1);
  }
}

CategoryStream& streamIn(ArrowArrayStream* stream) {
  return *static_cast<CategoryStream*>(stream->private_data);
}

int codeOf(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::io:
  case ErrorKind::missing:
  case ErrorKind::corrupt:
  case ErrorKind::version:
    return EIO;
  case ErrorKind::memory:
    return ENOMEM;
  case ErrorKind::name:
  case ErrorKind::type:
  case ErrorKind::usage:
    break;
  }
  return EINVAL;
}

/// No exception may leave what C calls.
template <class Call>
int guarded(ArrowArrayStream* stream, Call call) noexcept {
  CategoryStream& category = streamIn(stream);
  try {
    category.error = nullptr;
    call(category);
    return 0;
  } catch (const Error& error) {
    category.error = std::current_exception();
    return codeOf(error.kind());
  } catch (const std::bad_alloc&) {
    category.error = std::current_exception();
    return ENOMEM;
  } catch (...) {
    category.error = std::current_exception();
    return EINVAL;
  }
}

int getSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  return guarded(stream, [out](CategoryStream& category) { *out = category.schema(); });
}

int getNext(ArrowArrayStream* stream, ArrowArray* out) {
  return guarded(stream, [out](CategoryStream& category) { *out = category.next(); });
}

const char* getLastError(ArrowArrayStream* stream) {
  const std::exception_ptr& error = streamIn(stream).error;
  if (!error)
    return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory";
  } catch (const std::exception& exception) {
    return exception.what(); // which lasts as long as the pointer to it
  } catch (...) {
    return "an unknown exception";
  }
}

void releaseStream(ArrowArrayStream* stream) {
  delete &streamIn(stream);
  stream->release = nullptr;
}

} // namespace

std::vector<WantedColumn> columnsNamed(const Source& source,
                                       const std::vector<std::string>& names) {
  const Schema& schema = source.schema();
  std::vector<WantedColumn> columns;
  if (names.empty())
    for (std::uint32_t table = 0; table < schema.size(); ++table) {
      columns.emplace_back(table, noMember);
      for (std::uint32_t member = 0; member < schema.table(table).members.size(); ++member)
        columns.emplace_back(table, member);
    }
  for (const std::string& name : names) {
    if (const std::uint32_t table = schema.find(name); table != Table::none)
      columns.emplace_back(table, noMember);
    std::ranges::copy(schema.membersBelow(name, source.name()), std::back_inserter(columns));
  }
  return columns;
}

ArrowArrayStream streamOf(std::shared_ptr<const File> file, std::string_view category,
                          const std::vector<std::string>& names, const StreamOptions& options) {
  const Source& source = file->category(category);
  return streamOf(std::move(file), source, columnsNamed(source, names), options);
}

ArrowArrayStream streamOf(std::shared_ptr<const File> file, const Source& source,
                          const std::vector<WantedColumn>& columns, const StreamOptions& options) {
  ArrowArrayStream stream{};
  stream.get_schema = getSchema;
  stream.get_next = getNext;
  stream.get_last_error = getLastError;
  stream.release = releaseStream;
  stream.private_data = new CategoryStream(std::move(file), source, columns, options);
  return stream;
}

} // namespace kaon::arrow
