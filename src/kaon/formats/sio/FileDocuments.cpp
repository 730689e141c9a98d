#include <kaon/formats/sio/FileDocuments.h>

#include <kaon/formats/sio/BlockWriter.h>
#include <kaon/formats/sio/LoadedSioRecord.h>
#include <kaon/formats/sio/SioRecord.h>
#include <kaon/model/Model.h>

namespace kaon::sio {
namespace {

constexpr std::string_view documentsName = "kaon_documents";

} // namespace

Documents readDocuments(const SioContainer& container) {
  Documents documents;
  LoadedSioRecord record;
  for (const SioRecordLocator& place : container.recordsNamed(documentsName)) {
    record.load(container, place.range);
    BlockReader in = record.reader(record.get(documentsName));
    const std::uint32_t count = in.count(2 * sizeof(std::uint32_t));
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::string_view name = in.text(), text = in.text();
      documents.insert_or_assign(std::string(name), std::string(text));
    }
  }
  return documents;
}

Buffer documentsRecord(const Documents& documents, Compression how, const std::string& file) {
  Buffer record;
  BlockWriter blocks(file + ": the record of its documents");
  blocks.beginBlock(documentsName, blockVersion(1, 0));
  const std::size_t count = blocks.laterCount();
  std::uint32_t texts = 0;
  for (const auto& [name, text] : documents)
    if (!name.starts_with(modelDocument)) {
      ++texts;
      blocks.put(std::string_view(name));
      blocks.put(std::string_view(text));
    }
  if (texts == 0)
    return record;
  blocks.setCount(count, texts);
  blocks.endBlock();
  appendDeflatedRecord(documentsName, blocks.bytes(), how, record);
  return record;
}

} // namespace kaon::sio
