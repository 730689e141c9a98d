#include <kaon/files/TableFile.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Hash.h>
#include <kaon/detail/batch/WrappedFile.h>
#include <kaon/files/Format.h>
#include <kaon/files/Tables.h>
#include <kaon/files/Urls.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace kaon {
namespace {

/// A kaon file made from a file of tables, whose id it has.
class TableFile final : public detail::WrappedFile {
public:
  TableFile(std::shared_ptr<const File> file, std::uint64_t id)
      : detail::WrappedFile(std::move(file)), m_id(id) {}
  [[nodiscard]] std::uint64_t id() const noexcept override { return m_id; }

private:
  std::uint64_t m_id;
};

/// Returns an id from the end of the file, which has the positions of all data; never 0.
std::uint64_t idOf(const io::ByteSource& bytes) {
  constexpr std::uint64_t most = std::uint64_t{64} << 10;
  Buffer scratch;
  const std::uint64_t size = std::min(bytes.size(), most);
  return std::max<std::uint64_t>(checksum(bytes.view(bytes.size() - size, size, scratch)), 1);
}

} // namespace

std::shared_ptr<const File> openStored(const std::string& path,
                                       std::unique_ptr<io::ByteSource> bytes,
                                       const OpenOptions& options) {
  if (!isUrl(path) && isTable(*bytes))
    if (auto stream = bytesOfTable(path))
      return std::make_shared<TableFile>(openBytes(std::move(stream), options), idOf(*bytes));
  return openBytes(std::move(bytes), options);
}

} // namespace kaon
