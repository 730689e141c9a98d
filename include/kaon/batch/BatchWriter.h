#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/batch/WriterOptions.h>
#include <kaon/detail/base/Owned.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace kaon {

namespace detail {

class BatchBuilder;
class MemoryBudget;
struct SharedTables;

} // namespace detail

/// Writes batches of any length to a sink. It cuts them where clusters are full, joins those that
/// are too short for one, encodes clusters in the threads of the caller's arena and appends them in
/// order. `kaon::batchWriter(path)` makes one for a file:
///
///   kaon::BatchWriter out = kaon::batchWriter("muons.kaon");
///   kaon::Columns columns(entries);
///   columns.add("Muon", offsets, {{"pt", pt}, {"charge", charge}});
///   out.write("events", columns.batch());
///   out.finish();
///
/// Several threads may write: each by a filler of its own. After it was moved away all but
/// abandon() throws Error(usage); its fillers go on with the writer that it was moved to.
class BatchWriter {
  class Implementation;

public:
  BatchWriter(std::unique_ptr<Sink> sink, WriterOptions options);
  /// Finishes the file if that was not done, and swallows what goes wrong: call finish() to know.
  /// While an exception is under way the file is left unfinished.
  ~BatchWriter();
  BatchWriter(BatchWriter&&) noexcept;
  BatchWriter& operator=(BatchWriter&&) noexcept;

  /// Appends a batch to a category. It may go afterwards. Batches of a category have the same
  /// tables in the same order, later ones may have further tables, earlier ones that are read again
  /// fewer; all members are there. How tables lie is what the options say, or else the batch's
  /// schema. Throws Error(usage) for a batch that does not fit or has values that files cannot
  /// have, such as references to objects that their entry lacks, and after finish(); the file stays
  /// as it was. After Error(io) it cannot be completed. For one thread at a time.
  void write(std::string_view category, const Batch& batch);
  /// Writes entries that were read from a file, like write(), but does not check again whether
  /// their references lead to objects: a copy is as sound as its original.
  void writeCopy(std::string_view category, const Batch& batch);
  /// Writes the entries that do not fill a cluster yet, of all categories: after a crash they are
  /// there. The next batch begins a cluster.
  void flush();

  /// Writes the batches of one category for one thread. What is left is written by finish(), or
  /// when it dies; the writer must still be there. Where memory is short, other threads that use
  /// the writer may write what it has gathered.
  class Filler {
  public:
    Filler(Filler&&) noexcept;
    Filler& operator=(Filler&&) = delete;
    /// Finishes, and swallows what goes wrong; then, and while an exception is under way, the file
    /// cannot be completed.
    ~Filler();

    /// As BatchWriter::write().
    void write(const Batch& batch);
    /// As BatchWriter::writeCopy().
    void writeCopy(const Batch& batch);
    /// As BatchWriter::flush(), of its own.
    void flush();
    /// Writes the entries that were gathered if they fill a cluster, and clears the builder. Its
    /// tables are those of tables(category), laid out by the options. Returns how much memory they
    /// took.
    std::size_t writeFull(detail::BatchBuilder& builder);
    /// Writes the gathered entries even if they do not fill a cluster, and clears the builder.
    void writeAll(detail::BatchBuilder& builder);
    void finish();
    /// The file cannot be completed any more: something that belongs to it is lost. What was
    /// gathered before may still be written.
    void setFailed() noexcept;

  private:
    friend class BatchWriter;
    struct State;
    explicit Filler(std::unique_ptr<State> state);
    detail::Owned<State> m_state;
  };
  /// A filler whose clusters come wherever they fall. Any thread.
  [[nodiscard]] Filler filler(std::string_view category);
  /// A filler whose clusters come behind those of the lower places: 0, 1, 2, ... Each place must be
  /// taken once. What comes too early is kept, encoded, in memory or in a file without a name
  /// beside the one that is written. Any thread.
  [[nodiscard]] Filler filler(std::string_view category, std::uint64_t place);

  /// The tables of a category, for those who gather entries by themselves. They stay where they are
  /// as long as the writer's contents do. Any thread.
  [[nodiscard]] detail::SharedTables& tables(std::string_view category);
  /// Whether what is written of a category is appended at once; see Sink. Any thread.
  [[nodiscard]] bool isLeading(std::string_view category) const;
  [[nodiscard]] const WriterOptions& options() const;
  /// Of all that is gathered, by whoever does it. Any thread.
  [[nodiscard]] detail::MemoryBudget& memoryBudget();
  /// That of the file, for messages.
  [[nodiscard]] const std::string& name() const;
  /// Throws Error(usage) if nothing can be written any more.
  void checkOpen() const;

  /// Adds a text to the file, such as "metadata"; one of the same name is replaced. Any thread.
  void putDocument(std::string_view name, std::string_view text);

  /// Completes the file and puts it in its place. Throws Error(io). While there are fillers, and
  /// while places are left out, it is refused with Error(usage): call it again after that. Warns of
  /// options for names that nothing that was written has.
  void finish();
  /// Gives up: the file is left unfinished.
  void abandon() noexcept;

private:
  detail::Owned<Implementation> m_implementation;
};

} // namespace kaon
