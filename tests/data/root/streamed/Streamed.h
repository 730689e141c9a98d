#pragma once

#include <TObject.h>
#include <TString.h>

#include <cstdint>
#include <vector>

// Classes with streamers of their own; all but Status have the bytes of KM3NeT's classes.

/// Ten bytes; the time is little-endian.
class JDAQSnapshotHit : public TObject {
public:
  int dom_id = 0;
  std::uint8_t channel_id = 0;
  std::uint32_t time = 0;
  std::uint8_t tot = 0;
  ClassDef(JDAQSnapshotHit, 1)
};

/// A base with ROOT's header.
class JDAQTriggerMask {
public:
  virtual ~JDAQTriggerMask() = default;
  ULong64_t trigger_mask = 0;
  ClassDef(JDAQTriggerMask, 2)
};

/// A hit, then its mask.
class JDAQTriggeredHit : public JDAQSnapshotHit, public JDAQTriggerMask {
public:
  ClassDef(JDAQTriggeredHit, 1)
};

/// A header, and values of all other forms.
class Status : public TObject {
public:
  int number = 0;
  ClassDef(Status, 1)
};

/// Hits that another member counts.
class JDAQFrame : public TObject {
public:
  int id = 0;
  int numberOfHits = 0;
  JDAQSnapshotHit* buffer = nullptr; //[numberOfHits]
  int status = 0;
  ClassDef(JDAQFrame, 1)
};

class JDAQEvent : public TObject {
public:
  int number = 0;
  std::vector<JDAQTriggeredHit> triggeredHits;
  std::vector<JDAQSnapshotHit> snapshotHits;
  std::vector<JDAQFrame> frames;
  Status status;
  ClassDef(JDAQEvent, 1)
};
