#include <kaon/event/FrameDocuments.h>

#include <kaon/batch/Provenance.h>

#include <string>

namespace kaon {

void FrameDocuments::add(detail::FrameContents& frame, const std::string& category,
                         BatchWriter& writer) {
  for (const detail::FrameContents::Put& put : frame.putCollections()) {
    if (!put.collection)
      continue;
    const detail::ModelInfo* const model = put.collection->data().type().model;
    if (model && m_models.insert(model).second)
      writer.putDocument("model:" + std::string(model->name), model->json);
  }
  if (!frame.reader())
    return;
  const std::shared_ptr<const File>& file = frame.reader()->file();
  Ways& ways = m_files[file];
  const bool isNew = ways.empty();
  if (!ways.emplace(&frame.reader()->source(), category).second)
    return;
  if (writer.options().copyMetadata)
    m_metadata.addSource(*file, frame.reader()->source(), category);
  if (!isNew)
    return;
  for (const std::string& name : file->documents())
    if (name.starts_with("model:"))
      writer.putDocument(name, file->document(name));
  if (writer.options().provenance)
    writer.putDocument(sourceDocument(file->id()), file->name());
}

void FrameDocuments::finish(BatchWriter& writer) const {
  if (const auto document = m_metadata.document(writer.name()))
    writer.putDocument(detail::metadataDocument, *document);
}

} // namespace kaon
