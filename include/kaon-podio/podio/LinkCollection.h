#pragma once

#include <podio/CollectionBase.h>

#include <kaon/object/Link.h>

#include <type_traits>

namespace podio {

using kaon::Link;
using kaon::LinkCollection;
using kaon::MutableLink;

template <class From, class To>
using LinkCollectionIterator = typename LinkCollection<From, To>::const_iterator;
template <class From, class To>
using LinkMutableCollectionIterator = typename LinkCollection<From, To>::iterator;
template <class From, class To, bool isMutable>
using LinkCollectionIteratorT =
    std::conditional_t<isMutable, LinkMutableCollectionIterator<From, To>,
                       LinkCollectionIterator<From, To>>;

} // namespace podio

/// kaon reads and writes links between any two types without this declaration.
#define PODIO_DECLARE_LINK(From, To)
