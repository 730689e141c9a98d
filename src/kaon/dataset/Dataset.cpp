#include <kaon/dataset/Dataset.h>

#include <kaon/base/Error.h>
#include <kaon/binding/EvolvedFile.h>
#include <kaon/files/Files.h>

#include <glob.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace kaon {
namespace {

/// The files that a pattern means, in the order of their names.
std::vector<std::string> filesMatching(const std::string& pattern) {
  if (pattern.find_first_of("*?[") == std::string::npos)
    return {pattern};
  glob_t result{};
  const int status = ::glob(pattern.c_str(), 0, nullptr, &result);
  const std::unique_ptr<glob_t, void (*)(glob_t*)> release(&result, ::globfree);
  if (status != 0)
    fail(ErrorKind::missing, pattern, ": no file matches this pattern");
  return {result.gl_pathv, result.gl_pathv + result.gl_pathc};
}

/// The models that a file carries.
std::vector<ModelDatatypes::Document> modelsIn(const File& file) {
  std::vector<ModelDatatypes::Document> models;
  for (const std::string& name : file.documents())
    if (name.starts_with("model:"))
      models.push_back({file.name() + ": " + name, file.document(name)});
  return models;
}

bool areSame(const std::vector<ModelDatatypes::Document>& a,
             const std::vector<ModelDatatypes::Document>& b) {
  return std::ranges::equal(a, b, {}, &ModelDatatypes::Document::json,
                            &ModelDatatypes::Document::json);
}

/// What is worth a task: of a large file so much that there are enough.
std::uint64_t entriesOfPart(const Source& source) {
  constexpr std::uint64_t leastEntries = 16 * 1024;
  constexpr std::uint64_t mostParts = 256;
  return std::max(leastEntries, source.entries() / mostParts);
}

} // namespace

Dataset::Dataset(std::vector<Sample> samples, std::string category, OpenOptions options)
    : m_samples(std::move(samples)), m_category(std::move(category)), m_options(options) {
  for (const Sample& sample : m_samples) {
    if (std::ranges::count(m_samples, sample.label, &Sample::label) > 1)
      fail(ErrorKind::usage, "there are several samples '", sample.label, "'");
    for (const std::string& path : sample.paths)
      std::ranges::move(filesMatching(path), std::back_inserter(m_paths));
    m_lastFiles.push_back(m_paths.size());
  }
  if (m_paths.empty())
    fail(ErrorKind::usage, "a dataset without files");
  m_file = kaon::open(m_paths.front(), m_options);
  m_source = &m_file->category(m_category);
}

Dataset::Dataset(std::shared_ptr<const File> file, std::string category)
    : m_samples{{{}, {file->name()}}}, m_lastFiles{1}, m_paths{file->name()},
      m_category(std::move(category)), m_file(std::move(file)),
      m_source(&m_file->category(m_category)) {}

std::string Dataset::name() const {
  if (m_paths.size() == 1)
    return m_source->name();
  return m_source->name() + " and " + std::to_string(m_paths.size() - 1) + " more files";
}

std::size_t Dataset::sampleOf(std::size_t file) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(m_lastFiles, file) -
                                  m_lastFiles.begin());
}

std::shared_ptr<const File> Dataset::open(std::size_t number) const {
  if (number == 0)
    return m_file;
  std::shared_ptr<const File> file = kaon::open(m_paths[number], m_options);
  std::vector<ModelDatatypes::Document> models = modelsIn(*m_file);
  if (models.empty() || areSame(models, modelsIn(*file)))
    return file;
  return std::make_shared<EvolvedFile>(std::move(file), std::move(models));
}

bool DatasetParts::openNext() {
  if (m_nextFile == m_dataset->files())
    return false;
  if (m_part.source)
    m_part.firstEntry += m_part.source->entries();
  m_part.sample = m_dataset->sampleOf(m_nextFile);
  m_part.file = m_dataset->open(m_nextFile++);
  m_part.source = &m_part.file->category(m_dataset->category());
  m_clusters = m_part.source->clusters();
  m_entriesOfPart = entriesOfPart(*m_part.source);
  m_nextCluster = 0;
  return true;
}

std::optional<DatasetPart> DatasetParts::next() {
  const std::lock_guard lock(m_mutex);
  while (m_nextCluster == m_clusters.size())
    if (!openNext())
      return std::nullopt;
  DatasetPart part = m_part;
  ++m_part.number;
  part.firstCluster = m_nextCluster;
  for (std::uint64_t entries = 0; m_nextCluster < m_clusters.size() && entries < m_entriesOfPart;
       ++m_nextCluster) {
    part.clusters.push_back(m_clusters[m_nextCluster]);
    entries += m_clusters[m_nextCluster].size();
  }
  return part;
}

double DatasetParts::share() const {
  const std::lock_guard lock(m_mutex);
  if (m_nextFile == 0)
    return 0;
  const double inFile = m_clusters.empty() ? 1
                                           : static_cast<double>(m_nextCluster) /
                                                 static_cast<double>(m_clusters.size());
  return (static_cast<double>(m_nextFile - 1) + inFile) / static_cast<double>(m_dataset->files());
}

} // namespace kaon
