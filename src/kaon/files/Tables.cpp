#include <kaon/files/Tables.h>

#include <kaon/base/Buffer.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

namespace kaon {
namespace {

std::atomic<std::shared_ptr<const TableOpener>>& tableOpener() {
  static std::atomic<std::shared_ptr<const TableOpener>> opener;
  return opener;
}

} // namespace

bool isTable(const io::ByteSource& bytes) {
  constexpr std::string_view parquet = "PAR1", feather = "ARROW1";
  Buffer scratch;
  const auto first = bytes.view(0, std::min<std::uint64_t>(bytes.size(), feather.size()), scratch);
  const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size());
  return text.starts_with(parquet) || text.starts_with(feather);
}

void openTablesBy(TableOpener opener) {
  tableOpener() = opener ? std::make_shared<const TableOpener>(std::move(opener)) : nullptr;
}

std::unique_ptr<io::ByteSource> bytesOfTable(const std::string& path) {
  const auto opener = tableOpener().load();
  return opener ? (*opener)(path) : nullptr;
}

} // namespace kaon
