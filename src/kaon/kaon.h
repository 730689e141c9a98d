#pragma once

// All that a program which reads and writes events needs.

#include <kaon/base/Error.h>
#include <kaon/base/Tasks.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Batches.h>
#include <kaon/event/Collection.h>
#include <kaon/event/Evolution.h>
#include <kaon/event/Frame.h>
#include <kaon/event/LinkNavigator.h>
#include <kaon/event/Print.h>
#include <kaon/event/Reader.h>
#include <kaon/event/UserDataCollection.h>
#include <kaon/event/Writer.h>
