#pragma once

#include <podio/CollectionBase.h>
#include <podio/FrameCategories.h>
#include <podio/LinkCollection.h>
#include <podio/ObjectID.h>
#include <podio/RelationRange.h>

#include <kaon/event/Frame.h>

namespace podio {
using kaon::Frame;
} // namespace podio
