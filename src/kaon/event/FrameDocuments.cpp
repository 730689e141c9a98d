#include <kaon/event/FrameDocuments.h>

#include <string>

namespace kaon {

void FrameDocuments::add(FrameContents& frame, BatchWriter& writer) {
  for (const FrameContents::Put& put : frame.putCollections()) {
    if (!put.collection)
      continue;
    const ModelInfo* const model = put.collection->data().type().model;
    if (model && m_models.insert(model).second)
      writer.putDocument("model:" + std::string(model->name), model->json);
  }
  if (!frame.reader())
    return;
  const std::shared_ptr<const File>& file = frame.reader()->file();
  if (!m_files.insert(file).second)
    return;
  for (const std::string& name : file->documents())
    if (name.starts_with("model:"))
      writer.putDocument(name, file->document(name));
  if (writer.options().provenance)
    writer.putDocument("source:" + std::to_string(file->id()), file->name());
}

} // namespace kaon
