#pragma once

#include <kaon/formats/root/container/RootContainer.h>
#include <kaon/formats/root/objects/ClassWriter.h>
#include <kaon/formats/root/tree/TreeDescription.h>
#include <kaon/formats/root/tree/TreeSource.h>

#include "support/RootBytes.h"
#include "support/Warnings.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Small files with one tree, whose record the test writes.

namespace kaon::test {

[[nodiscard]] inline std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[nodiscard]] inline std::size_t keyBytesOf(std::string_view className, std::string_view name) {
  return bytesOf(RootKey{std::string(className), std::string(name)}).size();
}

/// A file with a tree "t", and the classes that it describes.
class TreeFile {
public:
  TreeFile(std::span<const root::ClassInfo> classes,
           const std::function<void(root::RootObjectWriter&)>& put) {
    root::RootObjectWriter infos(keyBytesOf("TList", "StreamerInfo")),
        tree(keyBytesOf("TTree", "t"));
    putClasses(infos, classes);
    put(tree);
    RootFileBytes file;
    file.add("TList", "StreamerInfo", textOf(infos.bytes()));
    file.add("TTree", "t", textOf(tree.bytes()));
    m_bytes = file.abandon(); // without keys, whose header would have to locate the classes
    const Warnings warnings;
    m_container = std::make_unique<root::RootContainer>(
        io::memorySource("f.root", std::as_bytes(std::span(std::as_const(m_bytes)))));
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return m_bytes; }
  [[nodiscard]] root::TreeDescription tree() const {
    return {*m_container, m_container->objects()[0]};
  }
  [[nodiscard]] std::unique_ptr<Source> source() const {
    return openTree(*m_container, m_container->objects()[0], "");
  }

private:
  std::string m_bytes;
  std::unique_ptr<root::RootContainer> m_container;
};

/// Writes a TObjArray of so many objects, which `putObjects` writes.
inline void putList(root::RootObjectWriter& writer, std::uint32_t count,
                    const std::function<void()>& putObjects) {
  writer.frame(3, [&] {
    writer.putObject();
    writer.putString("");
    writer.put(count);
    writer.put(std::uint32_t{0});
    putObjects();
  });
}

} // namespace kaon::test
