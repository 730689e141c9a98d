// A comment of the file.
constexpr float at(std::size_t i, std::size_t j) const { return values[i + j]; }
