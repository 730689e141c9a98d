#include <kaon/dataset/Dataset.h>

#include <kaon/base/Error.h>
#include <kaon/base/Wording.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/dataset/FilesMatching.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/files/Files.h>
#include <kaon/files/Urls.h>
#include <kaon/model/Model.h>
#include <kaon/object/RegisteredClasses.h>

#include <algorithm>
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
                 std::shared_ptr<const File> first)
    : m_samples(std::move(samples)), m_category(std::move(category)), m_options(options),
      m_stored(std::move(first)) {
  for (const Sample& sample : m_samples) {
    if (std::ranges::count(m_samples, sample.label, &Sample::label) > 1)
      fail(ErrorKind::usage, "several samples have the label '", sample.label, "'");
    for (const std::string& path : sample.paths)
      std::ranges::move(filesMatching(path), std::back_inserter(m_paths));
    m_lastFiles.push_back(m_paths.size());
  }
  if (m_paths.empty())
    fail(ErrorKind::usage, "a dataset needs at least one file");
  if (!m_stored)
    m_stored = kaon::open(m_paths.front(), m_options);
  m_file = m_stored;
  m_source = &m_file->category(m_category);
}

Dataset::Dataset(std::shared_ptr<const File> file, std::string category)
    : m_samples{{{}, {file->name()}}}, m_lastFiles{1}, m_paths{file->name()},
      m_category(std::move(category)), m_stored(std::move(file)), m_file(m_stored),
      m_source(&m_file->category(m_category)) {}

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

/// Opens a further file with the models of the first file.
std::shared_ptr<const File> Dataset::openStored(std::size_t number) const {
  std::shared_ptr<const File> file = kaon::open(m_paths[number], m_options);
  std::vector<ModelDatatypes::Document> models = detail::modelsIn(*m_stored);
  if (models.empty() || areSame(models, detail::modelsIn(*file)))
    return file;
  return std::make_shared<EvolvedFile>(std::move(file), std::move(models));
}

std::uint64_t Dataset::entries() const {
  std::uint64_t sum = 0;
  for (std::size_t number = 0; number < files(); ++number)
    sum += (number == 0 ? m_stored : openStored(number))->category(m_category).entries();
  return sum;
}

/// Returns a function that opens the files with selected entries one after another; the first file
/// always. The function does not refer to the dataset.
detail::NextSource Dataset::inTurn(const EntrySelection& entries) const {
  return [dataset = *this, entries, next = std::size_t{0},
          begin = std::uint64_t{0}]() mutable -> std::optional<detail::SourceEntries> {
    while (next < dataset.files() && (next == 0 || begin < entries.hull().last)) {
      const bool isFirst = next == 0;
      std::shared_ptr<const File> file = dataset.open(next++);
      const Source& source = file->category(dataset.category());
      const EntryRange here{std::exchange(begin, begin + source.entries()), begin};
      if (isFirst || entries.overlaps(here))
        return detail::SourceEntries{std::move(file), &source,
                                     entries.within(here).from(here.first), here.first,
                                     &dataset.schema()};
    }
    return std::nullopt;
  };
}

} // namespace kaon
