#include <kaon/formats/root/RootDocuments.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/detail/base/Memory.h>
#include <kaon/formats/root/ntuple/NTupleSource.h>
#include <kaon/formats/root/ntuple/NTupleWriter.h>
#include <kaon/reading/Batches.h>
#include <kaon/writing/BatchBuilder.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kaon::root {
namespace {

constexpr std::string_view name = "name", text = "text";

/// Adds the tables of a string that each entry has. Returns the number of the table of characters.
std::uint32_t addString(detail::BatchBuilder& builder, std::string_view field) {
  const std::string called(field);
  const std::uint32_t string = builder.add({.name = called, .kind = TableKind::value});
  return builder.add({.name = called + '.',
                      .kind = TableKind::vectorMember,
                      .type = "string",
                      .parent = string,
                      .rowSize = 1,
                      .members = {{.name = "", .type = Scalar::UInt8}}});
}

void append(detail::BatchBuilder& builder, std::uint32_t characters, std::string_view value) {
  (void)builder.append(characters - 1, 1);
  if (!value.empty())
    std::memcpy(builder.append(characters, value.size()), value.data(), value.size());
  builder.endRow(characters);
}

std::string_view stringAt(const Batch& batch, std::string_view field, std::size_t entry) {
  const std::string table = std::string(field) + '.';
  const auto offsets = batch.offsets(table);
  const auto characters = batch.values<std::uint8_t>(table);
  return {detail::valuesAt<char>(characters.data()) + offsets[entry],
          offsets[entry + 1] - offsets[entry]};
}

} // namespace

Documents readDocuments(const RootContainer& container) {
  Documents documents;
  const auto stored = std::ranges::find_if(container.objects(), [](const ListedObject& object) {
    return object.path == documentsName && object.key.className == "ROOT::RNTuple";
  });
  if (stored == container.objects().end())
    return documents;
  const auto source = openNTuple(container, *stored);
  for (const Batch& batch : Batches(*source, {std::string(name), std::string(text)}))
    for (std::size_t entry = 0; entry < batch.entries(); ++entry) {
      const std::string_view called = stringAt(batch, name, entry);
      if (!isUtf8(called))
        fail(ErrorKind::corrupt, source->name(),
             ": the name of a document is not UTF-8; the file is damaged");
      documents.insert_or_assign(std::string(called), std::string(stringAt(batch, text, entry)));
    }
  return documents;
}

void writeDocuments(ContainerWriter& file, const Documents& documents) {
  constexpr std::size_t pageBytes = 64 * 1024;
  NTupleWriter writer{std::string(documentsName), zstd(1), pageBytes};
  for (const auto& [called, contents] : documents) {
    detail::BatchBuilder builder;
    const std::uint32_t names = addString(builder, name), texts = addString(builder, text);
    append(builder, names, called);
    append(builder, texts, contents);
    builder.endEntry();
    const Batch batch = builder.batch(0);
    writer.addTables(batch.schema(), file.sink().name());
    writer.write(file, *writer.encode(writer.schema(), batch, {}));
  }
  (void)writer.finish(file);
}

} // namespace kaon::root
