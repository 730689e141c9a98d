#include <kaon/formats/kaonfile/Salvage.h>

#include <kaon/base/Damage.h>
#include <kaon/base/Error.h>
#include <kaon/formats/kaonfile/ContentsReader.h>
#include <kaon/formats/kaonfile/FileRecord.h>
#include <kaon/formats/kaonfile/Index.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <ranges>
#include <utility>

namespace kaon::kaonfile {
namespace {

constexpr std::uint64_t anywhere = std::numeric_limits<std::uint64_t>::max();

struct FoundRecord {
  std::uint64_t position;
  RecordHeader header;
};

/// Returns the first sound record that states the flags of the file's header.
std::optional<RecordHeader> firstRecord(const io::ByteSource& bytes) {
  constexpr std::uint64_t piece = 1 << 20;
  Buffer scratch;
  for (std::uint64_t begin = 0; begin < bytes.size(); begin += piece) {
    const auto count = static_cast<std::size_t>(std::min(piece, bytes.size() - begin));
    const auto view = bytes.view(begin, count, scratch);
    for (std::size_t at = 0; at + sizeof(RecordHeader) <= count; at += alignment) {
      if (detail::loadAs<std::uint32_t>(view.data() + at) != recordMagic)
        continue;
      const auto header = detail::loadAs<RecordHeader>(view.data() + at);
      if (isSound(header, header.fileId) && header.kind != RecordKind::cluster &&
          header.kind != RecordKind::tags && header.kind != RecordKind::end)
        return header;
    }
  }
  return std::nullopt;
}

class Salvaging {
public:
  explicit Salvaging(const io::ByteSource& bytes) : m_bytes(bytes) {}

  SalvagedContents run() {
    const auto end = lastRecord();
    findIdentity(end);
    if (!end || end->fileId != m_contents.file.id || !readIndexAt(end->indexPosition)) {
      readRecords();
      m_result.rebuilt.emplace_back("index");
    }
    m_contents.end = std::min(m_contents.end, m_bytes.size());
    dropLostEnds(m_contents);
    m_result.contents = std::move(m_contents);
    return std::move(m_result);
  }

private:
  [[nodiscard]] std::optional<EndRecord> lastRecord() const {
    constexpr std::uint64_t size = sizeof(EndRecord);
    if (m_bytes.size() < size || (m_bytes.size() - size) % alignment != 0)
      return std::nullopt;
    Buffer scratch;
    return endOf(m_bytes.view(m_bytes.size() - size, size, scratch));
  }

  /// Takes the file's id and flags from its header, the copy in the end record, or any record.
  void findIdentity(const std::optional<EndRecord>& end) {
    Buffer scratch;
    FileHeader header;
    if (m_bytes.size() >= sizeof header)
      header = detail::loadAs<FileHeader>(m_bytes.view(0, sizeof header, scratch).data());
    if (!isSound(header, m_bytes.name())) {
      m_result.rebuilt.emplace_back("header");
      m_result.lostBytes += std::min<std::uint64_t>(m_bytes.size(), sizeof header);
      if (end && isSound(end->header, m_bytes.name())) {
        header = end->header;
      } else {
        const auto record = firstRecord(m_bytes);
        if (!record)
          fail(ErrorKind::corrupt, m_bytes.name(), ": has no sound record of a kaon file; ",
               "nothing can be recovered");
        header = headerOf(*record, m_bytes.name());
      }
    }
    clear({header.fileId, header.flags});
  }

  void clear(FileIdentity file) {
    m_contents = {};
    m_contents.file = file;
    m_contents.end = std::min(aligned(sizeof(FileHeader)), m_bytes.size());
  }

  /// Reads a record with the form of an index. Returns false, and leaves the contents empty, if it
  /// is damaged.
  bool readIndexAt(std::uint64_t position) {
    const auto header = recordAt(m_bytes, m_contents.file.id, position);
    if (header && unlessDamaged([&] {
          Buffer scratch, body;
          RecordHeader again;
          const std::string where = m_bytes.name() + ": index";
          readIndex(
              bodyOf(readRecord(m_bytes, {m_bytes.name(), header->fileId, header->kind, position},
                                header->metaSize, again, scratch),
                     body, where),
              where, m_contents);
        })) {
      m_contents.end = m_contents.finished = m_bytes.size();
      return true;
    }
    clear(m_contents.file);
    return false;
  }

  /// Finds all sound records. Begins with the last sound index, and adds the records behind it.
  void readRecords() {
    const std::vector<FoundRecord> records = findRecords();
    std::uint64_t begin = 0;
    for (const FoundRecord& index : records | std::views::reverse)
      if (index.header.kind == RecordKind::index && readIndexAt(index.position)) {
        begin = behind(index.position, index.header);
        m_contents.end = m_contents.finished = begin;
        break;
      }
    for (const FoundRecord& copy : records | std::views::reverse)
      if (begin == 0 && copy.header.kind == RecordKind::copy && readIndexAt(copy.position)) {
        m_contents.finished = 0;
        break;
      }
    for (const FoundRecord& record : records)
      if (record.position >= begin)
        take(record);
    for (CategoryContents& category : m_contents.categories)
      category.keyBounds.clear(); // only an index has them
  }

  [[nodiscard]] std::vector<FoundRecord> findRecords() {
    std::vector<FoundRecord> records;
    std::uint64_t position = std::min(aligned(sizeof(FileHeader)), m_bytes.size());
    while (position < m_bytes.size()) {
      if (const auto header = recordAt(m_bytes, m_contents.file.id, position)) {
        records.push_back({position, *header});
        position = behind(position, *header);
        continue;
      }
      const std::uint64_t next = nextRecord(m_bytes, m_contents.file.id, position, anywhere);
      m_result.lostBytes += next - position;
      position = next;
    }
    return records;
  }

  void take(const FoundRecord& record) {
    const auto& [position, header] = record;
    bool isTaken = false;
    const bool isSound = unlessDamaged([&] {
      Buffer scratch;
      RecordHeader again;
      const ExpectedRecord place{m_bytes.name(), header.fileId, header.kind, position};
      const auto meta = readRecord(m_bytes, place, header.metaSize, again, scratch);
      addLostEntries(m_contents, header);
      isTaken = addRecord(m_contents, header, position, meta, m_bytes);
    });
    if (!isSound || (!isTaken && header.kind != RecordKind::schema)) // a copy has the schema
      m_result.lostBytes += sizeof header + header.metaSize + header.pagesSize;
    m_contents.end = behind(position, header);
    if (isTaken && header.kind == RecordKind::end)
      m_contents.finished = m_contents.end;
  }

  const io::ByteSource& m_bytes;
  FileContents m_contents;
  SalvagedContents m_result;
};

} // namespace

SalvagedContents salvage(const io::ByteSource& bytes) { return Salvaging(bytes).run(); }

bool hasRecords(const io::ByteSource& bytes) { return firstRecord(bytes).has_value(); }

} // namespace kaon::kaonfile
