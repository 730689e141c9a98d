#pragma once

#include <podio/CollectionBase.h>

#include <kaon/object/UserDataCollection.h>

#include <cstdint>
#include <tuple>

namespace podio {

using kaon::UserDataCollection;

using SupportedUserDataTypes =
    std::tuple<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
               std::uint16_t, std::uint32_t, std::uint64_t>;
template <class T>
concept SupportedUserDataType = detail::isInTuple<T, SupportedUserDataTypes>;

using UserDataCollectionTypes =
    utils::TypeList<UserDataCollection<float>, UserDataCollection<double>,
                    UserDataCollection<std::int8_t>, UserDataCollection<std::int16_t>,
                    UserDataCollection<std::int32_t>, UserDataCollection<std::int64_t>,
                    UserDataCollection<std::uint8_t>, UserDataCollection<std::uint16_t>,
                    UserDataCollection<std::uint32_t>, UserDataCollection<std::uint64_t>>;

} // namespace podio
