#pragma once

#include <podio/LinkCollection.h>
