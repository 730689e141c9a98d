#pragma once

// Everything that programs need to read and write events.

#include <kaon/base/Error.h>
#include <kaon/base/Tasks.h>
#include <kaon/base/Warning.h>
#include <kaon/batch/Columns.h>
#include <kaon/binding/Evolution.h>
#include <kaon/event/Frame.h>
#include <kaon/event/Reader.h>
#include <kaon/event/Writer.h>
#include <kaon/files/Files.h>
#include <kaon/formats/memory/MemoryFile.h>
#include <kaon/object/Collection.h>
#include <kaon/object/GenericCollection.h>
#include <kaon/object/LinkNavigator.h>
#include <kaon/object/UserDataCollection.h>
#include <kaon/reading/Batches.h>
#include <kaon/reading/ColumnReader.h>
#include <kaon/writing/BatchWriter.h>
