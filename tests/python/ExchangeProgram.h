#pragma once

#include <string>
#include <vector>

/// The main() of a program that exchanges files with Python's tests: calls `write(FILE, layout)`
/// for `write FILE split|row`, `print(FILE)` for `print FILE`.
inline int exchange(int count, char** arguments,
                    void (*write)(const std::string& path, const std::string& layout),
                    void (*print)(const std::string& path)) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "write")
    write(words[1], words[2]);
  else if (words.size() == 2 && words[0] == "print")
    print(words[1]);
  else
    return 2;
  return 0;
}
