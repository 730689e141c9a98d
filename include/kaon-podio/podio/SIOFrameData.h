#pragma once

#include <podio/FrameData.h>
