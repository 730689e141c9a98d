#pragma once

#include <kaon/batch/Sink.h>
#include <kaon/detail/base/Owned.h>
#include <kaon/writing/WriterOptions.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kaon {

namespace detail {

class MemoryBudget;
class RowGatherer;
struct SharedTables;

} // namespace detail

/// Writes batches of any length to a sink. It cuts long batches into clusters and joins short ones.
/// It encodes clusters in the threads of the caller's arena and appends them in order.
/// `kaon::batchWriter(path)` makes a writer for a file:
///
///   kaon::BatchWriter out = kaon::batchWriter("muons.kaon");
///   kaon::Columns columns(entries);
///   columns.add("Muon", offsets, {{"pt", pt}, {"charge", charge}});
///   out.write("events", columns.batch());
///   out.finish();
///
/// Several threads may write, each with its own filler. After a move, the old object's functions
/// except abandon() throw Error(usage). Its fillers continue with the new object.
class BatchWriter {
  class Implementation;

public:
  BatchWriter(std::unique_ptr<Sink> sink, WriterOptions options);
  /// Finishes the file if finish() was not called, and ignores errors. Call finish() to see them.
  /// While an exception unwinds the stack, the file is left unfinished.
  ~BatchWriter();
  BatchWriter(BatchWriter&&) noexcept;
  BatchWriter& operator=(BatchWriter&&) noexcept;

  /// Appends a batch to a category. The batch may be destroyed afterwards.
  ///
  /// Batches of a category have the same tables in the same order. A batch may lack the last
  /// tables, or add further ones. All members must be present. The options set the layouts of
  /// tables. Without them, tables keep the layouts of the batch's schema.
  ///
  /// Throws Error(usage) after finish(), and for a batch that does not fit or has invalid values,
  /// such as references to objects that their entry lacks. The file then stays as it was. After
  /// Error(io) the file cannot be completed. For one thread at a time.
  void write(std::string_view category, const Batch& batch);
  /// Writes entries that were read from a file, like write(), but does not check their values and
  /// references again. A copy is as valid as its original.
  void writeCopy(std::string_view category, const Batch& batch);
  /// Writes all entries given to write(), even if they do not fill a cluster. They then survive a
  /// crash. The next batch begins a new cluster.
  void flush();
  /// As flush(), then makes all entries of the file durable: if the machine loses power later, kaon
  /// opens the unfinished file with them. Throws Error(usage) for formats whose files cannot be
  /// read before they are finished.
  void sync();

  /// Writes the batches of one category for one thread. finish() or the destructor writes the last
  /// entries; the writer must still exist then. If memory is short, other threads that use the
  /// writer may write entries of this filler.
  class Filler {
  public:
    Filler(Filler&&) noexcept;
    Filler& operator=(Filler&&) = delete;
    /// Calls finish() and ignores errors; after an error the file cannot be completed. While an
    /// exception unwinds the stack, the filler gives up instead, and the file cannot be completed.
    ~Filler();

    /// Writes a batch, like BatchWriter::write().
    void write(const Batch& batch);
    /// Writes a batch, like BatchWriter::writeCopy().
    void writeCopy(const Batch& batch);
    /// Writes this filler's entries, like BatchWriter::flush().
    void flush();
    /// Returns the code that gathers rows for this filler, or null. Finished fillers leave theirs
    /// to later fillers of the category.
    [[nodiscard]] detail::RowGatherer* gatherer() const;
    void setGatherer(std::unique_ptr<detail::RowGatherer> gatherer);
    /// Calls `add`, which adds an entry to the gatherer, or throws and adds none. Then calls
    /// `accept`; if it throws, the file cannot be completed. Writes the gathered entries if they
    /// fill a cluster, or if the category is leading (see isLeading()).
    void gather(const std::function<void()>& add, const std::function<void()>& accept);
    void finish();

  private:
    friend class BatchWriter;
    struct State;
    explicit Filler(std::unique_ptr<State> state);
    detail::Owned<State> m_state;
  };
  /// Returns a filler whose clusters may be appended in any order. Thread-safe.
  [[nodiscard]] Filler filler(std::string_view category);
  /// Returns a filler whose clusters follow those of all lower places: 0, 1, 2, ... Each place must
  /// be used once. Clusters that come too early wait in encoded form, in memory or in an unnamed
  /// file beside the output file. Thread-safe.
  [[nodiscard]] Filler filler(std::string_view category, std::uint64_t place);

  /// Returns the filler that write() uses. For one thread at a time.
  [[nodiscard]] Filler& ownFiller(std::string_view category);

  /// Returns the tables of a category, for code that gathers rows. Their address stays valid as
  /// long as the writer's contents exist, also after a move. Thread-safe.
  [[nodiscard]] detail::SharedTables& tables(std::string_view category);
  /// Returns whether entries of a category are appended at once; see Sink::isLeading().
  /// Thread-safe.
  [[nodiscard]] bool isLeading(std::string_view category) const;
  [[nodiscard]] const WriterOptions& options() const;
  /// Returns the memory budget for all collected entries, also for those that other code collects.
  /// Thread-safe.
  [[nodiscard]] detail::MemoryBudget& memoryBudget();
  /// Returns the file's name, for messages.
  [[nodiscard]] const std::string& name() const;
  /// Throws Error(usage) if the writer is finished, or if an earlier write failed.
  void checkOpen() const;

  /// Adds a text to the file under a name, such as "metadata". Replaces an earlier text of the same
  /// name. Thread-safe.
  void putDocument(std::string_view name, std::string_view text);
  /// Writes an object that is not a category: see Sink::addObject(). Any thread.
  void putObject(std::string_view name, const ObjectTree& object);
  /// Adds columns to a category of an existing file: see Sink::addColumns(). Any thread.
  void addColumns(std::string_view category, std::string_view columns);

  /// Sets a function that finish() calls before it completes the file, to add documents.
  void setBeforeFinish(std::function<void()> call);
  /// Completes the file and moves it to its path. Throws Error(io). Throws Error(usage) while
  /// fillers are unfinished or places are missing; you can call it again after that. Warns of
  /// options with names that do not occur in the file.
  void finish();
  /// Gives up. The file is left unfinished.
  void abandon() noexcept;

private:
  detail::Owned<Implementation> m_implementation;
};

} // namespace kaon
