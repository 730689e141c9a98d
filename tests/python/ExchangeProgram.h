#pragma once

#include <string>
#include <vector>

/// Implements main() of a program that exchanges files with Python's tests. It calls `write(FILE,
/// layout)` for `write FILE split|row`, and `print(FILE)` for `print FILE`.
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
