#include <kaon/train/Train.h>

#include <kaon/base/Error.h>
#include <kaon/base/SortUnique.h>
#include <kaon/base/Tasks.h>
#include <kaon/batch/Columns.h>
#include <kaon/batch/UnreadColumns.h>
#include <kaon/dataset/Origin.h>
#include <kaon/detail/files/FileModels.h>
#include <kaon/files/Format.h>
#include <kaon/model/ModelDatatypes.h>
#include <kaon/selecting/LeftOutColumns.h>
#include <kaon/selecting/MissingDecorations.h>
#include <kaon/train/CopiedForm.h>
#include <kaon/train/TrainAccumulator.h>
#include <kaon/writing/OptionNames.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace kaon {
namespace detail {

/// The contents of a dataset's files, as a train copies them.
struct TrainInput {
  CopiedForm form = CopiedForm();
  MissingDecorations missing = {};                   ///< in some of the files
  std::vector<ModelDatatypes::Document> models = {}; ///< of all files
  std::vector<Schema> schemas = {};                  ///< the different ones of the files
};

} // namespace detail

namespace {

/// Runs work for an output; the message of an error then begins with its path.
auto forOutput(const TrainOutput& output, const auto& work) {
  try {
    return work();
  } catch (const Error& error) {
    fail(error.kind(), output.path, ": ", error.what());
  }
}

/// Returns the contents of an output's file.
EntryContents contentsOf(const TrainOutput& output, const Format& format,
                         const TrainOptions& options, const Dataset& dataset,
                         const detail::TrainInput& input) {
  const auto contentsWithout = [&](const std::vector<std::string>& dropped) {
    EntryContents some(input.schemas, output.keep, dropped);
    some.layOut(options.writer.rules());
    return some;
  };
  EntryContents contents;
  if (output.isVirtual && format.losses)
    fail(ErrorKind::usage, "a list of entries must be a .kaon file");
  if (const std::string obstacle = format.obstacleTo ? format.obstacleTo(dataset.category()) : "";
      !obstacle.empty())
    fail(ErrorKind::usage, "there cannot be a category '", dataset.category(), "': ", obstacle);
  if (!output.isVirtual)
    contents = contentsWithout(output.drop);
  const auto losses = [&] {
    return format.losses ? format.losses(dataset.category(), contents.schema(), input.models)
                         : std::vector<detail::Loss>();
  };
  for (const detail::Loss& loss : losses())
    fail(ErrorKind::usage, "its format cannot hold '", contents.schema().table(loss.table).name,
         "', because ", loss.reason, "; drop it");
  if (!options.provenance && !output.isVirtual) {
    if (!contents.hasTables() && dataset.schema().size() > 0)
      fail(ErrorKind::usage,
           "nothing is left of the entries: everything that is kept is also dropped");
    return contents;
  }
  const EntryContents without = contents;
  std::vector<std::string> thinned;
  for (const auto& [collection, expression] : output.thin)
    thinned.push_back(collection);
  if (!output.isVirtual) {
    std::vector<std::string> dropped = placesInParents(input.schemas, thinned);
    dropped.insert(dropped.end(), output.drop.begin(), output.drop.end());
    contents = contentsWithout(dropped);
  }
  contents.addProvenance(thinned);
  return losses().empty() ? contents : without;
}

/// Opens several files at the same time, and calls a function with each good one.
void forEachFile(const Dataset& dataset,
                 const std::function<void(const std::shared_ptr<const File>&)>& use) {
  std::vector<std::shared_ptr<const File>> some(2 * threads());
  for (std::size_t first = 0; first < dataset.files(); first += some.size()) {
    const std::size_t count = std::min(some.size(), dataset.files() - first);
    forEach(count, [&](std::size_t i) { some[i] = dataset.open(first + i); });
    for (std::size_t i = 0; i < count; ++i)
      if (dataset.isGood(first + i, some[i]->category(dataset.category())))
        use(some[i]);
  }
}

/// Returns the contents of the files without some columns.
detail::TrainInput inputOf(const Dataset& dataset, const detail::LeftOutColumns& leftOut) {
  detail::TrainInput input{CopiedForm(leftOut)};
  detail::NamedModels byName;
  const auto addSchema = [&](const Source& source) {
    if (std::ranges::none_of(input.schemas, [&](const Schema& known) {
          return std::ranges::equal(known.tables(), source.schema().tables());
        }))
      input.schemas.push_back(source.schema());
  };
  forEachFile(dataset, [&](const std::shared_ptr<const File>& file) {
    input.form.add(file);
    const std::shared_ptr<const File> copied = leftOut.removeFrom(file);
    input.missing.add(copied->category(dataset.category()));
    detail::addModels(*copied, byName);
    addSchema(copied->category(dataset.category()));
  });
  input.models = detail::inOrder(std::move(byName));
  if (!input.form.joinsTables())
    return input;
  input.schemas.clear();
  forEachFile(dataset, [&](const std::shared_ptr<const File>& file) {
    addSchema(input.form.of(file)->category(dataset.category()));
  });
  return input;
}

/// Warns of decorations that outputs have and some files lack.
void warnOfMissing(const detail::MissingDecorations& missing,
                   const std::vector<TrainStream>& streams) {
  std::set<std::string> written;
  for (const TrainStream& stream : streams)
    for (const Table& table : stream.contents.schema().tables())
      if (!stream.contents.isOfProvenance(table))
        written.emplace(table.name);
  for (const std::string& name : written)
    missing.warnOf(name);
}

/// Whether two outputs have the same format and the same contents per entry.
bool holdSame(const TrainOutput& a, const TrainOutput& b, const TrainOptions& options) {
  const auto sorted = [](std::vector<std::string> names) {
    sortUnique(names);
    return names;
  };
  return &formatToWrite(a.path, options.writer.format) ==
             &formatToWrite(b.path, options.writer.format) &&
         a.isVirtual == b.isVirtual && sorted(a.keep) == sorted(b.keep) &&
         sorted(a.drop) == sorted(b.drop) && a.thin == b.thin && a.lost == b.lost;
}

class TrainAction final : public detail::Action {
public:
  explicit TrainAction(std::shared_ptr<TrainFiles> files) : m_files(std::move(files)) {}
  [[nodiscard]] std::unique_ptr<detail::Accumulator> accumulator() const override {
    return std::make_unique<TrainAccumulator>(m_files);
  }
  void finish(std::unique_ptr<detail::Accumulator> /*all*/) override { report = m_files->finish(); }
  void interrupt() noexcept override { m_files->interrupt(); }
  void abandon() noexcept override { m_files->abandon(); }

  TrainReport report;

private:
  std::shared_ptr<TrainFiles> m_files;
};

/// The columns that a train reads to decide which entries and objects are taken.
class TrainColumns {
public:
  explicit TrainColumns(Dataframe events) : m_events(std::move(events)) {}

  void addSelection(const TrainOutput& output) {
    if (!output.selection.empty())
      add(output.selection, 0, "a selection must be a bool for each entry");
  }
  /// Returns the number of the argument.
  std::size_t addThinning(const std::string& expression) {
    return add(expression, 1, "thinning needs a bool for each object");
  }
  void setUp(detail::Action& action) const {
    action.node = m_events.node();
    action.arguments = m_events.arguments(m_names);
  }
  /// Leaves out files without these columns.
  void leaveOutFiles() const {
    detail::leaveOutFilesWithout(m_events.arguments(m_names), m_events.node());
  }

private:
  std::size_t add(const std::string& expression, unsigned depth, const char* wanted) {
    const std::string name = "(column " + std::to_string(m_names.size()) + " of the train)";
    Dataframe with = m_events.define(name, expression);
    const auto column = detail::findColumn(*with.node(), name);
    if (!column || !(column->type == detail::ColumnType{Scalar::Bool, depth}))
      fail(ErrorKind::type, "'", expression, "': ", wanted,
           column ? detail::notBools(column->type, depth) : ", not objects");
    m_events = std::move(with);
    m_names.push_back(name);
    return m_names.size() - 1;
  }

  Dataframe m_events;
  std::vector<std::string> m_names{std::string(fileEntryColumn)};
};

/// Throws unless an output has objects of this name.
void checkObjects(const Schema& schema, const std::string& name) {
  const TableNumber table = schema.find(name);
  if (table == Table::none || !schema.table(table).isRoot() || !schema.table(table).isCounted())
    fail(ErrorKind::name, "it has no collection '", name, "' to take objects from");
}

/// Returns the contents of outputs; outputs with equal contents share a stream. Throws if an output
/// does not fit the dataset.
std::vector<TrainStream> streamsOf(const std::vector<TrainOutput>& outputs,
                                   const TrainOptions& options, const Dataset& dataset,
                                   const detail::TrainInput& input, TrainColumns& columns) {
  std::vector<TrainStream> streams;
  std::vector<const TrainOutput*> firsts; // the first output of each stream
  for (const TrainOutput& output : outputs)
    forOutput(output, [&] { columns.addSelection(output); });
  for (std::size_t number = 0; number < outputs.size(); ++number) {
    const TrainOutput& output = outputs[number];
    const auto known = std::ranges::find_if(
        firsts, [&](const TrainOutput* first) { return holdSame(*first, output, options); });
    const auto place = static_cast<std::size_t>(known - firsts.begin());
    if (known == firsts.end()) {
      firsts.push_back(&output);
      TrainStream& stream = streams.emplace_back();
      const Format& format = formatToWrite(output.path, options.writer.format);
      forOutput(output, [&] {
        stream.contents = contentsOf(output, format, options, dataset, input);
        for (const auto& [collection, expression] : output.thin) {
          checkObjects(stream.contents.schema(), collection);
          stream.thinnings.push_back({collection, columns.addThinning(expression), output.lost});
        }
      });
    }
    streams[place].outputs |= OutputSet{1} << number;
  }
  return streams;
}

/// Keeps one of `every` blocks of entries, evenly spread.
Dataframe sampleOf(const Dataframe& events, std::uint64_t every) {
  constexpr std::uint64_t block = 4096;
  return events.filter([every](std::uint64_t entry) { return entry / block % every == 0; },
                       {std::string(entryColumn)}, "a sample");
}

/// Whether an output keeps one of the columns of an error by name.
bool areKept(std::span<const TrainOutput> outputs, const UnreadableColumns& error) {
  return std::ranges::any_of(outputs, [&](const TrainOutput& output) {
    return std::ranges::any_of(output.keep, [&](const std::string& kept) {
      return std::ranges::find(error.names(), kept) != error.names().end();
    });
  });
}

/// Whether two paths mean the same file, which need not exist. Ignores system errors; opening the
/// file reports them.
bool areSame(const std::string& a, const std::string& b) {
  std::error_code ofA, ofB;
  const auto first = std::filesystem::weakly_canonical(a, ofA);
  const auto second = std::filesystem::weakly_canonical(b, ofB);
  return ofA || ofB ? a == b : first == second;
}

/// Returns the name of the decisions on an output.
std::string decisionName(const TrainOutput& output) {
  return std::filesystem::path(output.path).stem().string();
}

/// Throws for options that trains do not support, and for names that the files do not have.
void checkOptions(const WriterOptions& options, std::span<const Schema> schemas) {
  if (options.append)
    fail(ErrorKind::usage, "a train writes new files, and cannot append");
  if (!options.tags.empty() || !options.keys.empty())
    fail(ErrorKind::usage, "a train keeps the tags and keys that its files have; `kaon convert` ",
         "makes others");
  for (const auto& [collection, storage] : options.storage)
    if (!storage.precision.empty())
      fail(ErrorKind::usage, "a train keeps the precision that its files have, also that of '",
           collection, "'; `kaon convert` rounds");
  OptionNames names;
  for (const Schema& schema : schemas)
    names.add(detail::schemaBy(options.rules(), schema));
  for (const OptionNames::Unknown& unknown : names.unknownIn(options))
    fail(ErrorKind::name, "the files have no ", unknown.what, " '", unknown.name, "', which the ",
         "option '", unknown.option, "' names", unknown.advice);
}

void checkNotRead(const Dataset& dataset, const std::string& path) {
  for (const std::string& read : dataset.paths())
    if (areSame(read, path))
      fail(ErrorKind::usage, path, ": is one of the files to be read; write to another one");
}

} // namespace

Train::Train(Dataframe events, TrainOptions options)
    : m_events(std::move(events)), m_options(std::move(options)) {
  m_input = std::make_shared<const detail::TrainInput>(
      inputOf(*detail::beginningOf(*m_events.node()).dataset, {}));
  checkOptions(m_options.writer, m_input->schemas);
  if (m_options.decisions.empty())
    return;
  const Dataset& dataset = *detail::beginningOf(*m_events.node()).dataset;
  checkNotRead(dataset, m_options.decisions);
  const Format& format = formatToWrite(m_options.decisions, m_options.writer.format);
  Columns decisions(0);
  decisions.add("decision", std::span<const bool>());
  if (format.losses && !format.losses(dataset.category(), decisions.batch().schema(), {}).empty())
    fail(ErrorKind::usage, m_options.decisions, ": a ", format.name,
         " file cannot hold decisions, which are bools: write them to a .kaon file");
}

std::vector<std::string> Train::contents() const {
  std::vector<std::string> names;
  for (const Schema& schema : m_input->schemas)
    for (const Table& table : schema.tables())
      if (table.isRoot() && std::ranges::find(names, table.name) == names.end())
        names.emplace_back(table.name);
  return names;
}

void Train::add(TrainOutput output) {
  const Dataset& dataset = *detail::beginningOf(*m_events.node()).dataset;
  if (m_outputs.size() == mostOutputs)
    fail(ErrorKind::usage, output.path, ": a train has at most ", mostOutputs, " outputs");
  checkNotRead(dataset, output.path);
  const bool hasDecisions = !m_options.decisions.empty();
  if (hasDecisions && areSame(m_options.decisions, output.path))
    fail(ErrorKind::usage, output.path, ": is where the decisions are written");
  for (const TrainOutput& other : m_outputs) {
    if (areSame(other.path, output.path))
      fail(ErrorKind::usage, output.path, ": is written by another output already");
    if (hasDecisions && decisionName(other) == decisionName(output))
      fail(ErrorKind::usage, output.path, ": its decisions would have the same name as those of ",
           other.path);
  }
  if (output.isVirtual && (!output.keep.empty() || !output.drop.empty() || !output.thin.empty()))
    fail(ErrorKind::usage, output.path,
         ": a virtual output stores only entry numbers; keep, drop and thin do not apply");
  TrainColumns columns(m_events);
  (void)streamsOf({output}, m_options, dataset, *m_input, columns);
  m_outputs.push_back(std::move(output));
}

TrainReport Train::run(const Progress& progress) const {
  return run(m_events, std::nullopt, progress);
}

TrainReport Train::run(const Dataframe& events, std::optional<double> trialScale,
                       const Progress& progress) const {
  if (m_outputs.empty())
    fail(ErrorKind::usage, "a train needs at least one output");
  detail::LeftOutColumns leftOut;
  for (;;)
    try {
      return runWithout(leftOut, events, trialScale, progress);
    } catch (const UnreadableColumns& error) { // begins again without them
      if (areKept(m_outputs, error) || !leftOut.add(error))
        throw;
      detail::warnOfLeftOut(error);
    }
}

TrainReport Train::runWithout(const detail::LeftOutColumns& leftOut, const Dataframe& events,
                              std::optional<double> trialScale, const Progress& progress) const {
  const std::shared_ptr<const Dataset> dataset = detail::beginningOf(*events.node()).dataset;
  auto input = m_input;
  if (dataset->onBadFile() != OnBadFile::raise) { // data of files are copied before the pass
    TrainColumns needed(events);
    (void)streamsOf(m_outputs, m_options, *dataset, *input, needed);
    needed.leaveOutFiles();
  }
  if (!leftOut.empty() || !dataset->badFiles().empty())
    input = std::make_shared<const detail::TrainInput>(inputOf(*dataset, leftOut));
  TrainColumns columns(events);
  std::vector<TrainStream> streams = streamsOf(m_outputs, m_options, *dataset, *input, columns);
  warnOfMissing(input->missing, streams);
  auto files = std::make_shared<TrainFiles>(m_outputs, m_options, dataset, trialScale,
                                            std::move(streams), input->form);
  const auto action = std::make_shared<TrainAction>(std::move(files));
  columns.setUp(*action);
  detail::bookAction(action);
  detail::runBooked({action}, progress);
  action->report.badFiles = dataset->badFiles();
  return action->report;
}

TrainReport Train::estimate(std::uint64_t sampledEntries) const {
  const Dataset& dataset = *detail::beginningOf(*m_events.node()).dataset;
  const std::uint64_t all = dataset.entries();
  const std::uint64_t every =
      std::max<std::uint64_t>(all / std::max<std::uint64_t>(sampledEntries, 1), 1);
  const auto before = sampleOf(Dataframe(std::make_shared<const Dataset>(dataset)), every).count();
  const double scale = *before > 0 ? static_cast<double>(all) / static_cast<double>(*before) : 1;
  return run(sampleOf(m_events, every), scale, {});
}

} // namespace kaon
