#pragma link C++ class JDAQSnapshotHit - ;
#pragma link C++ class JDAQTriggerMask + ;
#pragma link C++ class JDAQTriggeredHit - ;
#pragma link C++ class Status - ;
#pragma link C++ class JDAQFrame + ;
#pragma link C++ class JDAQEvent + ;
#pragma link C++ class std::vector < JDAQSnapshotHit> + ;
#pragma link C++ class std::vector < JDAQTriggeredHit> + ;
#pragma link C++ class std::vector < JDAQFrame> + ;
