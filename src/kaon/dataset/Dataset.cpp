#include <kaon/dataset/Dataset.h>

#include <kaon/base/Error.h>
#include <kaon/base/Tasks.h>
#include <kaon/base/Wording.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/dataset/BadFiles.h>
#include <kaon/dataset/FilesMatching.h>
#include <kaon/dataset/Joinable.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/detail/reading/ColumnValues.h>
#include <kaon/files/Files.h>
#include <kaon/files/Urls.h>
#include <kaon/model/Model.h>
#include <kaon/object/RegisteredClasses.h>
#include <kaon/reading/NamedMembers.h>
#include <kaon/selecting/CommonFile.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

namespace kaon {

namespace {

bool areSame(const std::vector<ModelDatatypes::Document>& a,
             const std::vector<ModelDatatypes::Document>& b) {
  return std::ranges::equal(a, b, {}, &ModelDatatypes::Document::json,
                            &ModelDatatypes::Document::json);
}

/// Returns the datatypes of an interface that a model or one of its upstream models defines, or
/// null.
const std::vector<std::string>* datatypesIn(const Model& model, std::string_view interface) {
  const auto known = std::ranges::find(model.interfaces, interface, &Model::Interface::name);
  if (known != model.interfaces.end())
    return &known->types;
  for (const Model& upstream : model.upstream)
    if (const auto* const types = datatypesIn(upstream, interface))
      return types;
  return nullptr;
}

} // namespace

Dataset::Dataset(std::vector<Sample> samples, std::string category, OpenOptions options,
                 std::shared_ptr<const File> first, OnBadFile onBadFile, std::size_t firstNumber,
                 MissingColumns missing)
    : m_samples(std::move(samples)), m_category(std::move(category)), m_options(options),
      m_stored(std::move(first)), m_bad(std::make_shared<detail::BadFiles>(onBadFile)) {
  for (const Sample& sample : m_samples) {
    if (std::ranges::count(m_samples, sample.label, &Sample::label) > 1)
      fail(ErrorKind::usage, "several samples have the label '", sample.label, "'");
    for (const std::string& path : sample.paths)
      std::ranges::move(filesMatching(path), std::back_inserter(m_paths));
    m_lastFiles.push_back(m_paths.size());
  }
  if (m_paths.empty())
    fail(ErrorKind::usage, "a dataset needs at least one file");
  if (onBadFile != OnBadFile::raise)
    leaveOutBadFiles({std::exchange(m_stored, nullptr), firstNumber});
  else if (!m_stored)
    m_stored = kaon::open(m_paths.front(), m_options);
  findCommonTables(missing);
  m_file = m_stored;
  m_source = &m_file->category(m_category);
}

/// Opens files, several at the same time, and calls `use` for those with the category, in order.
/// Adds the others to the bad files, and files for which `use` throws.
void Dataset::openGood(
    std::span<const std::string> paths, const Given& given,
    const std::function<void(std::size_t, const std::shared_ptr<const File>&)>& use) {
  std::vector<std::shared_ptr<const File>> some(2 * threads());
  std::vector<std::exception_ptr> errors(some.size());
  for (std::size_t number = 0; number < paths.size(); ++number) {
    const std::size_t i = number % some.size();
    if (i == 0)
      forEach(std::min(some.size(), paths.size() - number), [&](std::size_t next) {
        try {
          some[next] = given.file && number + next == given.number
                           ? given.file
                           : kaon::open(paths[number + next], m_options);
        } catch (const Error&) {
          errors[next] = std::current_exception();
        }
      });
    std::optional<std::uint64_t> entries;
    try {
      if (errors[i])
        std::rethrow_exception(std::exchange(errors[i], nullptr));
      entries = some[i]->category(m_category).entries();
      use(number, some[i]);
    } catch (const Error& error) {
      m_bad->add(paths[number], error, entries);
    }
  }
}

/// Keeps the good files. They have columns of the first one that has values.
void Dataset::leaveOutBadFiles(const Given& given) {
  const std::vector<std::string> all = std::exchange(m_paths, {});
  const std::vector<std::size_t> lastFiles = std::exchange(m_lastFiles, {});
  std::shared_ptr<const File> reference;
  openGood(all, given, [&](std::size_t /*number*/, const std::shared_ptr<const File>& file) {
    if (!reference && detail::hasValues(file->category(m_category)))
      reference = file;
  });
  const Source* const source = reference ? &reference->category(m_category) : nullptr;
  std::vector<bool> isGood(all.size());
  openGood(all, given, [&](std::size_t number, const std::shared_ptr<const File>& file) {
    detail::checkJoinable(file->category(m_category), source);
    isGood[number] = true;
    if (!m_stored)
      m_stored = file;
  });
  if (!m_stored)
    m_bad->throwFirst();
  for (std::size_t number = 0; number < all.size(); ++number) {
    while (m_lastFiles.size() < lastFiles.size() && lastFiles[m_lastFiles.size()] <= number)
      m_lastFiles.push_back(m_paths.size());
    if (isGood[number])
      m_paths.push_back(all[number]);
  }
  m_lastFiles.resize(lastFiles.size(), m_paths.size());
}

/// Gives the files common tables if that is wanted, or if they may differ in optionals. Files that
/// cannot be opened raise when reading reaches them.
void Dataset::findCommonTables(MissingColumns missing) {
  const bool fills = missing == MissingColumns::areNone;
  if (files() == 1 || (!fills && !detail::mayDifferInOptionals(*m_stored)))
    return;
  std::vector<std::shared_ptr<const File>> some(2 * threads());
  auto tables = std::make_shared<detail::CommonTables>(fills ? detail::Commonness::everything
                                                             : detail::Commonness::optionals);
  tables->add(m_stored->category(m_category));
  for (std::size_t first = 1; first < files(); first += some.size()) {
    const std::size_t count = std::min(some.size(), files() - first);
    forEach(count, [&](std::size_t next) {
      try {
        some[next] = openStored(first + next);
        (void)some[next]->category(m_category);
      } catch (const Error&) {
        some[next] = nullptr;
      }
    });
    for (std::size_t next = 0; next < count; ++next)
      if (some[next])
        tables->add(some[next]->category(m_category));
  }
  if (!tables->differ())
    return;
  m_stored = withCommonTables(std::move(m_stored), m_category, *tables);
  m_tables = std::move(tables);
}

Dataset::Dataset(std::shared_ptr<const File> file, std::string category)
    : m_samples{{{}, {file->name()}}}, m_lastFiles{1}, m_paths{file->name()},
      m_category(std::move(category)), m_stored(std::move(file)), m_file(m_stored),
      m_source(&m_file->category(m_category)),
      m_bad(std::make_shared<detail::BadFiles>(OnBadFile::raise)) {}

std::vector<BadFile> Dataset::badFiles() const { return m_bad->list(); }

OnBadFile Dataset::onBadFile() const noexcept { return m_bad->policy(); }

bool Dataset::isLeftOut(std::size_t number) const { return m_bad->contains(m_paths[number]); }

bool Dataset::isGood(std::size_t number, const Source& source,
                     const std::function<void(const Source&)>& check) const {
  if (isLeftOut(number))
    return false;
  try {
    detail::checkJoinable(source, m_source);
    detail::checkJoinable(*m_source, &source); // the first file may be the one without columns
    if (check)
      check(source);
    return true;
  } catch (const Error& error) {
    m_bad->add(m_paths[number], error, source.entries());
    return false;
  }
}

Dataset Dataset::with(Friend partner) const {
  if (files() > 1 && partner.keys.empty())
    fail(ErrorKind::usage, name(), ": has several files, so the friend '", partner.name,
         "' needs keys");
  Dataset both = *this;
  both.m_friends.push_back(std::move(partner));
  both.m_file = both.joined(m_stored);
  both.m_source = &both.m_file->category(m_category);
  return both;
}

/// Returns a file with the friends, if any.
std::shared_ptr<const File> Dataset::joined(std::shared_ptr<const File> file) const {
  if (m_friends.empty())
    return file;
  return std::make_shared<FileWithFriends>(std::move(file), m_category, m_friends);
}

std::string Dataset::name() const {
  if (m_paths.size() == 1)
    return m_source->name();
  return m_source->name() + " and " + counted(m_paths.size() - 1, "more file");
}

std::size_t Dataset::sampleOf(std::size_t file) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(m_lastFiles, file) -
                                  m_lastFiles.begin());
}

std::vector<std::string> Dataset::datatypesOf(std::string_view interface) const {
  for (const ModelDatatypes::Document& document : detail::modelsIn(*m_stored)) {
    const Model model = Model::fromJson(document.json, document.where);
    if (const auto* const types = datatypesIn(model, interface))
      return *types;
  }
  return {};
}

std::shared_ptr<const File> Dataset::open(std::size_t number) const {
  return number == 0 ? m_file : joined(openStored(number));
}

/// Opens a further file with the models and the tables of the dataset.
std::shared_ptr<const File> Dataset::openStored(std::size_t number) const {
  std::shared_ptr<const File> file = kaon::open(m_paths[number], m_options);
  std::vector<ModelDatatypes::Document> models = detail::modelsIn(*m_stored);
  if (!models.empty() && !areSame(models, detail::modelsIn(*file)))
    file = std::make_shared<EvolvedFile>(std::move(file), std::move(models));
  return m_tables ? withCommonTables(std::move(file), m_category, *m_tables) : file;
}

std::uint64_t Dataset::entries() const {
  std::uint64_t sum = 0;
  for (std::size_t number = 0; number < files(); ++number)
    sum += (number == 0 ? m_stored : openStored(number))->category(m_category).entries();
  return sum;
}

/// Returns a function that opens the files with selected entries one after another; the first file
/// always. The function does not refer to the dataset.
detail::NextSource Dataset::inTurn(const EntrySelection& entries,
                                   const std::vector<std::string>& names) const {
  std::function<void(const Source&)> check;
  if (onBadFile() != OnBadFile::raise) // else reading throws
    check = [names](const Source& source) {
      for (const std::string& name : names)
        (void)detail::valuesBelow(source, name);
    };
  return [dataset = *this, entries, check, next = std::size_t{0},
          begin = std::uint64_t{0}]() mutable -> std::optional<detail::SourceEntries> {
    while (next < dataset.files() && (next == 0 || begin < entries.hull().last)) {
      const std::size_t number = next++;
      std::shared_ptr<const File> file = dataset.open(number);
      const Source& source = file->category(dataset.category());
      const EntryRange here{std::exchange(begin, begin + source.entries()), begin};
      if (number == 0 || (entries.overlaps(here) && dataset.isGood(number, source, check)))
        return detail::SourceEntries{std::move(file), &source,
                                     entries.within(here).from(here.first), here.first,
                                     &dataset.schema()};
    }
    return std::nullopt;
  };
}

DatasetBatches::DatasetBatches(detail::NextSource next, const std::vector<std::string>& names)
    : m_next(std::move(next)), m_names(names) {
  detail::SourceEntries first = *m_next();
  m_first = first.source->name();
  const Schema& schema = first.source->schema();
  for (const std::string& name : m_names)
    for (const auto& [table, member] : detail::valuesBelow(*first.source, name))
      m_members.push_back(typeOf(schema, table, member));
  open(std::move(first));
}

DatasetBatches::MemberType DatasetBatches::typeOf(const Schema& schema, TableNumber table,
                                                  MemberNumber member) {
  const Member info = schema.table(table).members[member];
  unsigned lists = 0;
  for (std::uint32_t above = table; above != Table::none; above = schema.table(above).parent)
    lists += schema.table(above).isCounted() ? 1 : 0;
  return {schema.nameOfMember(table, member), info.type, info.extent, lists};
}

bool DatasetBatches::next() {
  while (!m_batches->next()) {
    std::optional<detail::SourceEntries> further = m_next();
    if (!further)
      return false;
    check(*further->source);
    open(*std::move(further));
  }
  return true;
}

void DatasetBatches::open(detail::SourceEntries entries) {
  m_firstOfFile = entries.firstEntry;
  m_batches.emplace(*entries.source, m_names, entries.entries, std::move(entries.file));
}

/// Throws if a further source lacks a member of the first source, or has it with another type.
void DatasetBatches::check(const Source& source) const {
  const auto describe = [](const MemberType& member) {
    const std::string type = "a " + nameOf(detail::ColumnType{member.scalar, member.lists});
    return member.extent == 1 ? type : type + ", " + std::to_string(member.extent) + " in each row";
  };
  for (const MemberType& wanted : m_members) {
    TableMember place;
    try {
      place = detail::memberNamed(source, wanted.name);
    } catch (const Error& error) {
      fail(error.kind(), error.what(), ", unlike in ", m_first);
    }
    const MemberType here = typeOf(source.schema(), place.table, place.member);
    if (here.scalar != wanted.scalar || here.extent != wanted.extent || here.lists != wanted.lists)
      fail(ErrorKind::type, source.name(), ": '", wanted.name, "' is ", describe(here), ", but ",
           describe(wanted), " in ", m_first);
  }
}

} // namespace kaon
