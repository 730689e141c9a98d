// A program that is compiled without CMake.
#include <kaon/event/Reader.h>

int main() { return kaon::Reader("hits.kaon").categories().size() == 1 ? 0 : 1; }
