#include <kaon/formats/kaonfile/Index.h>

#include <kaon/base/Error.h>
#include <kaon/base/Utf8.h>
#include <kaon/detail/base/Memory.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace kaon::kaonfile {
namespace {

/// Reads the body of an index.
class IndexReader {
public:
  IndexReader(std::span<const std::byte> meta, std::string where)
      : m_meta(meta), m_where(std::move(where)) {}

  void read(FileContents& contents) {
    auto rest = m_meta;
    const IndexHead head = take<IndexHead>(rest, 1).front();
    const auto categories = take<IndexCategory>(rest, head.categories);
    const auto documents = take<IndexDocument>(rest, head.documents);
    const auto others = take<IndexOther>(rest, head.others);
    for (const IndexCategory& category : categories) {
      CategoryContents known = readCategory(category);
      known.number = static_cast<std::uint32_t>(contents.categories.size());
      if (contents.hasCategory(known.name))
        failDamaged("two categories have the same name");
      contents.categories.push_back(std::move(known));
    }
    for (const IndexDocument& document : documents) {
      const auto bytes = piece(document.name, document.nameSize);
      const std::string_view name(detail::valuesAt<char>(bytes.data()), bytes.size());
      if (!isUtf8(name))
        failDamaged("the name of a document is not UTF-8");
      StoredDocument& place = contents.documents[std::string(name)];
      static_cast<IndexDocument&>(place) = document;
      if (document.text == 0)
        continue;
      const auto text = piece(document.text, document.textSize);
      place.knownText.emplace(detail::valuesAt<char>(text.data()), text.size());
    }
    contents.others.assign(others.begin(), others.end());
  }

private:
  [[nodiscard]] CategoryContents readCategory(const IndexCategory& index) {
    CategoryContents category;
    category.name = addSchema(category.schema, piece(index.schema, index.schemaSize), m_where);
    const std::uint64_t all = std::uint64_t{index.clusterCount} + index.tagsCount;
    auto rest = piece(index.clusters, all * sizeof(IndexCluster));
    const auto clusters = take<IndexCluster>(rest, index.clusterCount);
    const auto tags = take<IndexCluster>(rest, index.tagsCount);
    category.clusters.assign(clusters.begin(), clusters.end());
    category.tags.assign(tags.begin(), tags.end());
    for (const IndexCluster& cluster : clusters) {
      if (cluster.firstEntry != category.entries || cluster.entries == 0 ||
          cluster.position % alignment != 0)
        failDamaged("its clusters are out of order");
      category.entries += cluster.entries;
    }
    std::uint64_t last = 0;
    for (const IndexCluster& each : tags) {
      if (each.firstEntry < last || each.firstEntry > category.entries || each.entries == 0 ||
          each.entries > category.entries - each.firstEntry || each.position % alignment != 0)
        failDamaged("its tags are out of order");
      last = each.firstEntry + each.entries;
    }
    if (index.keys != category.keyTables().size())
      failDamaged("its keys are not those of its tables");
    const std::uint64_t keyed = std::uint64_t{index.keys} * index.clusterCount;
    if (keyed > m_meta.size())
      failDamaged("it ends too early");
    rest = piece(index.bounds, keyed * sizeof(Bounds));
    const auto bounds = take<Bounds>(rest, keyed);
    category.keyBounds.assign(bounds.begin(), bounds.end());
    return category;
  }

  template <class T>
  [[nodiscard]] std::span<const T> take(std::span<const std::byte>& rest,
                                        std::uint64_t count) const {
    const auto elements = takeArray<T>(rest, count);
    if (!elements)
      failDamaged("it ends too early");
    return *elements;
  }
  /// Returns a piece. Pieces must ascend, so that nothing is read twice and memory stays in
  /// proportion.
  [[nodiscard]] std::span<const std::byte> piece(std::uint64_t position, std::uint64_t size) {
    if (position < m_end || position > m_meta.size() || size > m_meta.size() - position ||
        position % alignof(std::uint64_t) != 0)
      failDamaged("a part of it lies outside");
    m_end = position + size;
    return m_meta.subspan(static_cast<std::size_t>(position), static_cast<std::size_t>(size));
  }
  [[noreturn]] void failDamaged(const char* what) const {
    fail(ErrorKind::corrupt, m_where, ": ", what, "; the file is damaged");
  }

  std::span<const std::byte> m_meta;
  std::string m_where;
  std::uint64_t m_end = 0; // end of the last piece
};

} // namespace

void readIndex(std::span<const std::byte> meta, const std::string& where, FileContents& contents) {
  IndexReader(meta, where).read(contents);
}

Buffer indexBytes(const FileContents& contents) {
  Buffer bytes;
  const auto grow = [&bytes](std::size_t size) { std::memset(bytes.grow(size), 0, size); };
  const auto put = [&](std::span<const std::byte> more) {
    grow((bytes.size() + 7) / 8 * 8 - bytes.size());
    bytes.append(more);
    return bytes.size() - more.size();
  };
  std::vector<IndexCategory> categories(contents.categories.size());
  std::vector<IndexDocument> documents(contents.documents.size());
  grow(sizeof(IndexHead) + categories.size() * sizeof(IndexCategory) +
       documents.size() * sizeof(IndexDocument) + contents.others.size() * sizeof(IndexOther));
  for (std::size_t i = 0; i < categories.size(); ++i) {
    const CategoryContents& category = contents.categories[i];
    const auto schema = schemaBytes(category.schema, 0, category.name);
    IndexCategory& entry = categories[i];
    entry.schema = put(schema.bytes());
    entry.schemaSize = schema.size();
    entry.clusters = put(std::as_bytes(std::span(category.clusters)));
    put(std::as_bytes(std::span(category.tags)));
    entry.clusterCount = static_cast<std::uint32_t>(category.clusters.size());
    entry.tagsCount = static_cast<std::uint32_t>(category.tags.size());
    entry.bounds = put(std::as_bytes(std::span(category.keyBounds)));
    entry.keys = static_cast<std::uint32_t>(category.keyTables().size());
  }
  auto document = documents.begin();
  for (const auto& [name, place] : contents.documents) {
    *document = place;
    document->name = put(std::as_bytes(std::span(name)));
    document->nameSize = name.size();
    document->text = place.knownText ? put(std::as_bytes(std::span(*place.knownText))) : 0;
    document->textSize = place.knownText ? place.knownText->size() : 0;
    ++document;
  }
  const IndexHead head{static_cast<std::uint32_t>(categories.size()),
                       static_cast<std::uint32_t>(documents.size()),
                       static_cast<std::uint32_t>(contents.others.size()), 0};
  std::byte* out = bytes.data();
  for (const auto part :
       {std::as_bytes(std::span(&head, 1)), std::as_bytes(std::span(categories)),
        std::as_bytes(std::span(documents)), std::as_bytes(std::span(contents.others))}) {
    if (!part.empty())
      std::memcpy(out, part.data(), part.size());
    out += part.size();
  }
  return bytes;
}

} // namespace kaon::kaonfile
