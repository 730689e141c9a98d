#include <kaon/detail/dataset/EntryFunction.h>

#include <kaon/base/Wording.h>
#include <kaon/dataset/ExpressionFormula.h>
#include <kaon/model/Lossless.h>

#include <algorithm>
#include <utility>

namespace kaon::detail {
namespace {

[[noreturn]] void failOfType(std::string_view name, ColumnType type, ColumnType as) {
  fail(ErrorKind::type, "'", name, "' is ", withArticle(nameOf(type)),
       ", which a function takes as ", cppNameOf(type), ", not as ", cppNameOf(as));
}

} // namespace

void failNames(std::size_t taken, std::string_view noun, std::size_t named) {
  fail(ErrorKind::usage, "the function takes ", counted(taken, noun), ", but ",
       counted(named, "column is", "columns are"), " named");
}

void failValues(std::size_t values, std::size_t size) {
  throw EntryFailure{
      0, std::make_exception_ptr(Error(ErrorKind::usage, "a function of a batch returned " +
                                                             counted(values, "value") + ", not " +
                                                             std::to_string(size)))};
}

void checkSameLists(const ColumnValues& a, const ColumnValues& b) {
  if (a.offsets[0].data() == b.offsets[0].data() || std::ranges::equal(a.offsets[0], b.offsets[0]))
    return;
  std::size_t entry = 0;
  while (a.offsets[0][entry + 1] == b.offsets[0][entry + 1])
    ++entry;
  const auto size = [&](const ColumnValues& column) {
    return column.offsets[0][entry + 1] - column.offsets[0][entry];
  };
  throw EntryFailure{entry, std::make_exception_ptr(Error(
                                ErrorKind::usage, "lists must have the same length, but have " +
                                                      std::to_string(size(a)) + " and " +
                                                      std::to_string(size(b)) + " objects"))};
}

std::vector<ColumnArgument> argumentsNamed(const std::shared_ptr<const DataframeNode>& node,
                                           std::span<const std::string> names,
                                           std::span<const ColumnType> as) {
  std::vector<ColumnArgument> arguments;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ColumnArgument argument = argumentNamed(names[i], node);
    const bool isOfBytes = argument.type.fits(as[i]) || as[i].isText;
    if (!isLossless(argument.type.scalar, as[i].scalar) || (argument.type.isText && !isOfBytes))
      failOfType(names[i], argument.type, as[i]);
    argument.as = as[i].scalar;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

void pack(std::vector<ColumnArgument>& arguments) {
  for (ColumnArgument& argument : arguments)
    argument.isPacked = true;
}

std::vector<unsigned> listsAbove(std::span<const ColumnArgument> arguments,
                                 std::span<const std::string> names,
                                 std::span<const ColumnType> as) {
  std::vector<unsigned> lists;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ColumnType type = arguments[i].type;
    if (type.depth < as[i].depth || type.depth > as[i].depth + 1)
      failOfType(names[i], type, as[i]);
    lists.push_back(type.depth - as[i].depth);
  }
  return lists;
}

void checkDepths(std::span<const ColumnArgument> arguments, std::span<const std::string> names,
                 std::span<const ColumnType> as) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].type.depth != as[i].depth)
      failOfType(names[i], arguments[i].type, as[i]);
}

} // namespace kaon::detail
