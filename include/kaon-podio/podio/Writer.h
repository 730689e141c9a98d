#pragma once

#include <podio/Frame.h>

#include <kaon/base/Error.h>
#include <kaon/event/Writer.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace podio {

/// Writes a .kaon file or a file of another format. kaon::Writer does the same and has options.
class Writer {
public:
  explicit Writer(const std::string& path, const std::string& format = {})
      : m_writer(path, {.format = format}) {}
  /// Takes the file of a ROOTWriter or its like.
  template <std::derived_from<Writer> T>
  Writer(std::unique_ptr<T> writer) : Writer(std::move(static_cast<Writer&>(*writer))) {}

  void writeFrame(const kaon::Frame& frame, std::string_view category) {
    m_writer.write(frame, category);
  }
  void writeFrame(const kaon::Frame& frame, std::string_view category,
                  const std::vector<std::string>& collections) {
    m_writer.write(frame, category, collections);
  }
  void writeEvent(const kaon::Frame& frame) { writeFrame(frame, Category::Event); }
  void writeEvent(const kaon::Frame& frame, const std::vector<std::string>& collections) {
    writeFrame(frame, Category::Event, collections);
  }
  void finish() { m_writer.finish(); }

private:
  kaon::Writer m_writer;
};

/// Makes a file whose format the path's suffix and the type decide: ".root", or "root" and
/// "rntuple", is podio's format in RNTuples; "sio" is podio's SIO format.
[[nodiscard]] inline Writer makeWriter(const std::string& path,
                                       const std::string& type = "default") {
  std::string lower = type;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (lower == "root" || lower == "rntuple" || (lower == "default" && path.ends_with(".root")))
    return Writer(path, "podio");
  if (lower == "sio")
    return Writer(path, "podio-sio");
  if (lower == "default")
    return Writer(path);
  kaon::fail(kaon::ErrorKind::usage, "there is no type '", type,
             "' of writers: use 'root', 'rntuple', 'sio' or 'default'");
}

} // namespace podio
