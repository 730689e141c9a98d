#include <kaon/files/Tables.h>

#include <kaon/base/Buffer.h>
#include <kaon/base/Bytes.h>
#include <kaon/detail/base/Memory.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kaon {
namespace {

/// Where Arrow's stream format begins: with a mark and the size of the first message, a multiple of
/// 8 bytes.
constexpr std::size_t bytesOfStreamHead = 8;

bool isStreamHead(std::span<const std::byte> first, std::uint64_t fileBytes) {
  constexpr std::uint32_t mark = 0xFFFFFFFF;
  if (first.size() < bytesOfStreamHead || detail::loadAs<std::uint32_t>(first.data()) != mark)
    return false;
  const auto size = detail::loadAs<std::uint32_t>(first.data() + sizeof mark);
  return size > 0 && size % 8 == 0 && size <= fileBytes - bytesOfStreamHead;
}

} // namespace

RegisteredOpener& tableOpener() {
  static RegisteredOpener opener;
  return opener;
}

bool isTable(const io::ByteSource& bytes) {
  constexpr std::string_view parquet = "PAR1", feather = "ARROW1";
  Buffer scratch;
  const auto first =
      bytes.view(0, std::min<std::uint64_t>(bytes.size(), bytesOfStreamHead), scratch);
  const std::string_view text(detail::valuesAt<char>(first.data()), first.size());
  return text.starts_with(parquet) || text.starts_with(feather) ||
         isStreamHead(first, bytes.size());
}

std::unique_ptr<io::ByteSource> bytesOfTable(const std::string& path) {
  const auto opener = tableOpener().get();
  return opener ? (*opener)(path) : nullptr;
}

} // namespace kaon
