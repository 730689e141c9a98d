#include <kaon/model/Scalar.h>

#include <gtest/gtest.h>

#include <cstdint>

namespace kaon {
namespace {

template <class T>
void expectScalar(std::string_view name) {
  EXPECT_EQ(nameOf(scalarOf<T>()), name);
  EXPECT_EQ(sizeOf(scalarOf<T>()), sizeof(T));
}

TEST(Scalar, knowsNameAndSizeOfEachNumberType) {
  expectScalar<bool>("bool");
  expectScalar<signed char>("int8");
  expectScalar<std::uint8_t>("uint8");
  expectScalar<std::int16_t>("int16");
  expectScalar<std::uint16_t>("uint16");
  expectScalar<std::int32_t>("int32");
  expectScalar<std::uint32_t>("uint32");
  expectScalar<std::int64_t>("int64");
  expectScalar<std::uint64_t>("uint64");
  expectScalar<float>("float32");
  expectScalar<double>("float64");
}

TEST(Scalar, takesIntegersBySizeNotByName) {
  expectScalar<long long>("int64");
  expectScalar<unsigned long>("uint64");
}

// Files store these numbers: never change them.
TEST(Scalar, keepsItsNumbers) {
  EXPECT_EQ(static_cast<int>(Scalar::Bool), 0);
  EXPECT_EQ(static_cast<int>(Scalar::Int32), 5);
  EXPECT_EQ(static_cast<int>(Scalar::Float64), 10);
}

} // namespace
} // namespace kaon
