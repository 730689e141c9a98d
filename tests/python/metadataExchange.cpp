// Handles metadata with the C++ library. `document FILE` prints the metadata of a file as C++
// writes it, and `copy OUT IN...` copies the events of files.

#include <kaon/kaon.h>

#include <iostream>
#include <string>
#include <vector>

namespace {

void copy(const std::vector<std::string>& files, const std::string& out) {
  kaon::Writer writer(out);
  for (const std::string& file : files)
    for (const kaon::Frame& event : kaon::Reader(file)["events"])
      writer.write(event, "events");
  writer.finish();
}

} // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 2 && words[0] == "document")
    std::cout << kaon::Reader(words[1]).metadata().toJson();
  else if (words.size() > 2 && words[0] == "copy")
    copy({words.begin() + 2, words.end()}, words[1]);
  else
    return 2;
  return 0;
}
