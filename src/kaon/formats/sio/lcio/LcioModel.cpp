#include <kaon/formats/sio/lcio/LcioModel.h>

#include <kaon/model/Json.h>
#include <kaon/model/Model.h>

namespace kaon::sio::lcio {
namespace {

// The output of `kaon.modelgen` for examples/lcio/lcio.yaml, line by line.
// tests/python/test_lcio_files.py compares them.
constexpr std::string_view document = R"json(
{
 "name":"lcio",
 "schema_version":1,
 "options":{"getSyntax":true,"includeSubfolder":false},
 "components":
 [
  {
   "name":"lcio::Vector3f",
   "members":
   [{"type":"float","name":"x"},{"type":"float","name":"y"},{"type":"float","name":"z"}]},
  {
   "name":"lcio::Vector3d",
   "members":
   [{"type":"double","name":"x"},{"type":"double","name":"y"},{"type":"double","name":"z"}]},
  {
   "name":"lcio::TrackState",
   "description":"A helix at one place along a track",
   "members":
   [
    {
     "type":"int32_t",
     "name":"location",
     "comment":"0 other, 1 at the interaction point, 2 first hit, 3 last hit, 4 calorimeter, 5 vertex"},
    {"type":"float","name":"D0","unit":"mm","comment":"impact parameter in r-phi"},
    {"type":"float","name":"phi","unit":"rad","comment":"of the track at the reference point"},
    {
     "type":"float",
     "name":"omega",
     "unit":"1/mm",
     "comment":"signed curvature, of the sign of the charge"},
    {"type":"float","name":"Z0","unit":"mm","comment":"impact parameter in r-z"},
    {"type":"float","name":"tanLambda","comment":"of the dip angle in r-z"},
    {
     "type":"float",
     "name":"covMatrix",
     "arraySize":15,
     "comment":"of (d0, phi, omega, z0, tanLambda), lower triangle"},
    {
     "type":"lcio::Vector3f",
     "name":"referencePoint",
     "unit":"mm",
     "comment":"which the parameters refer to"}]}],
 "datatypes":
 [
  {
   "name":"lcio::RunHeader",
   "description":"What is the same for all events of a run",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"runNumber","comment":"number of the run"},
    {"type":"std::string","name":"detectorName","comment":"name of the detector setup"},
    {"type":"std::string","name":"description","comment":"of the run, for people"}],
   "vectorMembers":[{"type":"std::string","name":"activeSubdetectors","comment":"names"}]},
  {
   "name":"lcio::EventHeader",
   "description":"What identifies an event",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"runNumber","comment":"number of the run"},
    {"type":"int32_t","name":"eventNumber","comment":"number of the event"},
    {"type":"int64_t","name":"timeStamp","unit":"ns","comment":"since 1970-01-01 UTC"},
    {"type":"std::string","name":"detectorName","comment":"name of the detector setup"},
    {"type":"double","name":"weight","default":"1","comment":"of the event"}]},
  {
   "name":"lcio::MCParticle",
   "description":"A particle of the generator or the simulation",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"PDG","comment":"PDG code"},
    {
     "type":"int32_t",
     "name":"generatorStatus",
     "comment":"0 empty, 1 stable, 2 decayed by the generator, 3 documentation"},
    {
     "type":"int32_t",
     "name":"simulatorStatus",
     "comment":"bits: 31 endpoint set, 30 created in simulation, 29 backscatter, 28 vertex is not the parent's endpoint, 27 decayed in tracker, 26 decayed in calorimeter, 25 left the detector, 24 stopped, 23 overlay"},
    {"type":"lcio::Vector3d","name":"vertex","unit":"mm","comment":"production vertex"},
    {"type":"float","name":"time","unit":"ns","comment":"of creation, relative to the event"},
    {
     "type":"lcio::Vector3d",
     "name":"momentum",
     "unit":"GeV",
     "comment":"at the production vertex"},
    {"type":"double","name":"mass","unit":"GeV","comment":"rest mass"},
    {"type":"float","name":"charge","unit":"e","comment":"electric charge"},
    {
     "type":"lcio::Vector3d",
     "name":"endpoint",
     "unit":"mm",
     "comment":"if bit 31 of the simulator status is set"},
    {"type":"lcio::Vector3d","name":"momentumAtEndpoint","unit":"GeV","comment":"likewise"},
    {"type":"lcio::Vector3f","name":"spin","comment":"spin vector"},
    {"type":"int32_t","name":"colorFlow","arraySize":2,"comment":"colour and anticolour"}],
   "oneToManyRelations":
   [
    {"type":"lcio::MCParticle","name":"parents","comment":"what it comes from"},
    {"type":"lcio::MCParticle","name":"daughters","comment":"what it became"}]},
  {
   "name":"lcio::SimTrackerHit",
   "description":"A simulated hit in a tracker",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"lcio::Vector3d","name":"position","unit":"mm","comment":"of the hit"},
    {"type":"float","name":"eDep","unit":"GeV","comment":"energy deposited"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {
     "type":"lcio::Vector3f",
     "name":"momentum",
     "unit":"GeV",
     "comment":"of the particle at the hit"},
    {"type":"float","name":"pathLength","unit":"mm","comment":"in the sensitive material"},
    {
     "type":"int32_t",
     "name":"quality",
     "comment":"bits: 31 overlay, 30 produced by a secondary that is not kept"}],
   "oneToOneRelations":
   [{"type":"lcio::MCParticle","name":"particle","comment":"that made the hit"}]},
  {
   "name":"lcio::CaloHitContribution",
   "description":"What one particle deposited in a calorimeter hit",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"float","name":"energy","unit":"GeV","comment":"deposited"},
    {"type":"float","name":"time","unit":"ns","comment":"of the deposit"},
    {"type":"float","name":"length","unit":"mm","comment":"of the step"},
    {"type":"int32_t","name":"PDG","comment":"PDG code of the particle of the shower"},
    {"type":"lcio::Vector3f","name":"stepPosition","unit":"mm","comment":"where"}],
   "oneToOneRelations":
   [{"type":"lcio::MCParticle","name":"particle","comment":"that entered the calorimeter"}]},
  {
   "name":"lcio::SimCalorimeterHit",
   "description":"A simulated hit in a calorimeter",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"float","name":"energy","unit":"GeV","comment":"deposited"},
    {"type":"lcio::Vector3f","name":"position","unit":"mm","comment":"of the hit"}],
   "oneToManyRelations":
   [{"type":"lcio::CaloHitContribution","name":"contributions","comment":"of the particles"}]},
  {
   "name":"lcio::RawCalorimeterHit",
   "description":"What the electronics of a calorimeter cell gave",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"int32_t","name":"amplitude","comment":"in counts of the ADC"},
    {"type":"int32_t","name":"timeStamp","comment":"of the hit"}]},
  {
   "name":"lcio::CalorimeterHit",
   "description":"A calibrated hit in a calorimeter",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"float","name":"energy","unit":"GeV","comment":"calibrated"},
    {"type":"float","name":"energyError","unit":"GeV","comment":"of the energy"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"lcio::Vector3f","name":"position","unit":"mm","comment":"of the hit"},
    {
     "type":"int32_t",
     "name":"type",
     "comment":"names of the values in the collection's parameters"}],
   "oneToOneRelations":[{"type":"lcio::LCObject","name":"rawHit","comment":"it was made of"}]},
  {
   "name":"lcio::TrackerRawData",
   "description":"A spectrum of the ADC of a tracker's channel",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the channel's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"int32_t","name":"time","comment":"of the first value"}],
   "vectorMembers":[{"type":"int16_t","name":"adcValues","comment":"the spectrum"}]},
  {
   "name":"lcio::TrackerData",
   "description":"A calibrated spectrum of a tracker's channel",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the channel's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"float","name":"time","unit":"ns","comment":"of the first value"}],
   "vectorMembers":[{"type":"float","name":"chargeValues","comment":"the spectrum"}]},
  {
   "name":"lcio::TrackerPulse",
   "description":"A pulse found in a tracker's spectrum",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the channel's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {"type":"float","name":"time","unit":"ns","comment":"of the pulse"},
    {"type":"float","name":"charge","comment":"in arbitrary units"},
    {
     "type":"float",
     "name":"covMatrix",
     "arraySize":3,
     "comment":"of (charge, time), lower triangle"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "oneToOneRelations":
   [
    {
     "type":"lcio::TrackerData",
     "name":"trackerData",
     "comment":"the spectrum in which it was found"}]},
  {
   "name":"lcio::TPCHit",
   "description":"A hit in a time projection chamber; deprecated",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID","comment":"number of the pad"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"float","name":"charge","comment":"in arbitrary units"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "vectorMembers":[{"type":"int32_t","name":"rawData","comment":"raw words"}]},
  {
   "name":"lcio::TrackerHit",
   "description":"A hit in a tracker, as a point",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {
     "type":"int32_t",
     "name":"type",
     "comment":"names of the values in the collection's parameters"},
    {"type":"lcio::Vector3d","name":"position","unit":"mm","comment":"of the hit"},
    {
     "type":"float",
     "name":"covMatrix",
     "arraySize":6,
     "unit":"mm^2",
     "comment":"of (x, y, z), lower triangle"},
    {"type":"float","name":"eDep","unit":"GeV","comment":"energy deposited"},
    {"type":"float","name":"eDepError","unit":"GeV","comment":"of it"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "oneToManyRelations":[{"type":"lcio::LCObject","name":"rawHits","comment":"it was made of"}]},
  {
   "name":"lcio::TrackerHitPlane",
   "description":"A hit in a plane of a tracker",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {
     "type":"int32_t",
     "name":"type",
     "comment":"names of the values in the collection's parameters"},
    {"type":"lcio::Vector3d","name":"position","unit":"mm","comment":"of the hit"},
    {
     "type":"float",
     "name":"u",
     "arraySize":2,
     "unit":"rad",
     "comment":"first direction of measurement: theta, phi"},
    {
     "type":"float",
     "name":"v",
     "arraySize":2,
     "unit":"rad",
     "comment":"second direction of measurement: theta, phi"},
    {"type":"float","name":"du","unit":"mm","comment":"error along u"},
    {"type":"float","name":"dv","unit":"mm","comment":"error along v"},
    {"type":"float","name":"eDep","unit":"GeV","comment":"energy deposited"},
    {"type":"float","name":"eDepError","unit":"GeV","comment":"of it"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "oneToManyRelations":[{"type":"lcio::LCObject","name":"rawHits","comment":"it was made of"}]},
  {
   "name":"lcio::TrackerHitZCylinder",
   "description":"A hit on a cylinder of a tracker around an axis parallel to z",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {
     "type":"int32_t",
     "name":"type",
     "comment":"names of the values in the collection's parameters"},
    {"type":"lcio::Vector3d","name":"position","unit":"mm","comment":"of the hit"},
    {
     "type":"float",
     "name":"center",
     "arraySize":2,
     "unit":"mm",
     "comment":"x and y of the cylinder's axis"},
    {"type":"float","name":"dRPhi","unit":"mm","comment":"error along r-phi"},
    {"type":"float","name":"dZ","unit":"mm","comment":"error along z"},
    {"type":"float","name":"eDep","unit":"GeV","comment":"energy deposited"},
    {"type":"float","name":"eDepError","unit":"GeV","comment":"of it"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "oneToManyRelations":[{"type":"lcio::LCObject","name":"rawHits","comment":"it was made of"}]},
  {
   "name":"lcio::Track",
   "description":"A reconstructed track; its own parameters are those of the first track state",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"type","comment":"bits: 0-15 subdetectors, 16-31 internal"},
    {"type":"float","name":"chi2","comment":"of the fit"},
    {"type":"int32_t","name":"ndf","comment":"degrees of freedom of the fit"},
    {"type":"float","name":"dEdx","unit":"GeV/mm","comment":"energy loss"},
    {"type":"float","name":"dEdxError","unit":"GeV/mm","comment":"of it"},
    {"type":"int32_t","name":"nholes","comment":"layers without a hit"},
    {
     "type":"float",
     "name":"radiusOfInnermostHit",
     "unit":"mm",
     "comment":"of the hit nearest to the axis"}],
   "vectorMembers":
   [
    {"type":"int32_t","name":"subdetectorHitNumbers","comment":"hits in each subdetector"},
    {"type":"int32_t","name":"subdetectorHoleNumbers","comment":"holes in each subdetector"},
    {"type":"lcio::TrackState","name":"trackStates","comment":"along the track"}],
   "oneToManyRelations":
   [
    {"type":"lcio::Track","name":"tracks","comment":"segments that it was made of"},
    {"type":"lcio::AnyTrackerHit","name":"trackerHits","comment":"it goes through"}]},
  {
   "name":"lcio::ParticleID",
   "description":"A hypothesis of what a particle is",
   "author":"kaon, after LCIO",
   "members":
   [
    {
     "type":"float",
     "name":"likelihood",
     "comment":"of the hypothesis, normalised by who made it"},
    {"type":"int32_t","name":"type","comment":"of the user"},
    {"type":"int32_t","name":"PDG","default":"999999","comment":"PDG code; 999999 unknown"},
    {"type":"int32_t","name":"algorithmType","comment":"names in the collection's parameters"}],
   "vectorMembers":
   [{"type":"float","name":"parameters","comment":"names in the collection's parameters"}]},
  {
   "name":"lcio::Cluster",
   "description":"A cluster of calorimeter hits",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"type","comment":"bits: 0-15 subdetectors, 16-31 internal"},
    {"type":"float","name":"energy","unit":"GeV","comment":"of the cluster"},
    {"type":"float","name":"energyError","unit":"GeV","comment":"of it"},
    {"type":"lcio::Vector3f","name":"position","unit":"mm","comment":"of the cluster"},
    {
     "type":"float",
     "name":"positionError",
     "arraySize":6,
     "unit":"mm^2",
     "comment":"of (x, y, z), lower triangle"},
    {"type":"float","name":"iTheta","unit":"rad","comment":"intrinsic direction"},
    {"type":"float","name":"iPhi","unit":"rad","comment":"intrinsic direction"},
    {
     "type":"float",
     "name":"directionError",
     "arraySize":3,
     "comment":"of (iPhi, iTheta), lower triangle"}],
   "vectorMembers":
   [
    {
     "type":"float",
     "name":"shape",
     "comment":"names in the collection's parameter ClusterShapeParameters"},
    {
     "type":"float",
     "name":"subdetectorEnergies",
     "unit":"GeV",
     "comment":"names in the collection's parameter ClusterSubdetectorNames"},
    {"type":"float","name":"hitContributions","comment":"weights of the hits, in their order"}],
   "oneToManyRelations":
   [
    {"type":"lcio::ParticleID","name":"particleIDs","comment":"the most likely first"},
    {"type":"lcio::Cluster","name":"clusters","comment":"that it was made of"},
    {"type":"lcio::CalorimeterHit","name":"hits","comment":"that it was made of"}]},
  {
   "name":"lcio::ReconstructedParticle",
   "description":"A reconstructed particle, jet or other compound of particles",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"type","comment":"of the user"},
    {"type":"lcio::Vector3d","name":"momentum","unit":"GeV","comment":"three-momentum"},
    {"type":"double","name":"energy","unit":"GeV","comment":"energy"},
    {
     "type":"float",
     "name":"covMatrix",
     "arraySize":10,
     "unit":"GeV^2",
     "comment":"of (px, py, pz, E), lower triangle"},
    {"type":"double","name":"mass","unit":"GeV","comment":"set apart from the four-momentum"},
    {"type":"float","name":"charge","unit":"e","comment":"electric charge"},
    {
     "type":"lcio::Vector3f",
     "name":"referencePoint",
     "unit":"mm",
     "comment":"where it was measured"},
    {"type":"float","name":"goodnessOfPID","comment":"0 to 1"}],
   "oneToOneRelations":
   [
    {"type":"lcio::ParticleID","name":"particleIDUsed","comment":"for its four-momentum"},
    {"type":"lcio::Vertex","name":"startVertex","comment":"it comes from"}],
   "oneToManyRelations":
   [
    {"type":"lcio::ParticleID","name":"particleIDs","comment":"the most likely first"},
    {"type":"lcio::ReconstructedParticle","name":"particles","comment":"that it was made of"},
    {"type":"lcio::Track","name":"tracks","comment":"that it was made of"},
    {"type":"lcio::Cluster","name":"clusters","comment":"that it was made of"}]},
  {
   "name":"lcio::Vertex",
   "description":"A vertex",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"bool","name":"primary","comment":"the primary vertex of the event"},
    {"type":"std::string","name":"algorithmType","comment":"that found it"},
    {"type":"float","name":"chi2","comment":"of the fit"},
    {"type":"float","name":"probability","comment":"of the fit"},
    {"type":"lcio::Vector3f","name":"position","unit":"mm","comment":"of the vertex"},
    {
     "type":"float",
     "name":"covMatrix",
     "arraySize":6,
     "unit":"mm^2",
     "comment":"of (x, y, z), lower triangle"}],
   "vectorMembers":
   [
    {
     "type":"float",
     "name":"parameters",
     "comment":"names in the collection's parameter VertexParameterNames"}],
   "oneToOneRelations":
   [
    {
     "type":"lcio::ReconstructedParticle",
     "name":"associatedParticle",
     "comment":"that decayed here, or has this as its start"}]},
  {
   "name":"lcio::LCGenericObject",
   "description":"Numbers of a user; their names are in the collection's parameters",
   "author":"kaon, after LCIO",
   "vectorMembers":
   [
    {"type":"int32_t","name":"intVals","comment":"integers"},
    {"type":"float","name":"floatVals","comment":"floats"},
    {"type":"double","name":"doubleVals","comment":"doubles"}]},
  {
   "name":"lcio::LCIntVec",
   "description":"A vector of integers",
   "author":"kaon, after LCIO",
   "vectorMembers":[{"type":"int32_t","name":"values","comment":"the integers"}]},
  {
   "name":"lcio::LCFloatVec",
   "description":"A vector of floats",
   "author":"kaon, after LCIO",
   "vectorMembers":[{"type":"float","name":"values","comment":"the floats"}]},
  {
   "name":"lcio::LCStrVec",
   "description":"A vector of strings",
   "author":"kaon, after LCIO",
   "vectorMembers":[{"type":"std::string","name":"values","comment":"the strings"}]}],
 "interfaces":
 [
  {
   "name":"lcio::AnyTrackerHit",
   "description":"A hit of any kind of tracker",
   "author":"kaon, after LCIO",
   "members":
   [
    {"type":"int32_t","name":"cellID0","comment":"low word of the cell's number"},
    {"type":"int32_t","name":"cellID1","comment":"high word"},
    {
     "type":"int32_t",
     "name":"type",
     "comment":"names of the values in the collection's parameters"},
    {"type":"lcio::Vector3d","name":"position","unit":"mm","comment":"of the hit"},
    {"type":"float","name":"eDep","unit":"GeV","comment":"energy deposited"},
    {"type":"float","name":"eDepError","unit":"GeV","comment":"of it"},
    {"type":"float","name":"time","unit":"ns","comment":"of the hit"},
    {"type":"int32_t","name":"quality","comment":"bits"}],
   "types":["lcio::TrackerHit","lcio::TrackerHitPlane","lcio::TrackerHitZCylinder"]},
  {
   "name":"lcio::LCObject",
   "description":"An object of any kind",
   "author":"kaon, after LCIO",
   "types":
   [
    "lcio::RunHeader",
    "lcio::EventHeader",
    "lcio::MCParticle",
    "lcio::SimTrackerHit",
    "lcio::CaloHitContribution",
    "lcio::SimCalorimeterHit",
    "lcio::RawCalorimeterHit",
    "lcio::CalorimeterHit",
    "lcio::TrackerRawData",
    "lcio::TrackerData",
    "lcio::TrackerPulse",
    "lcio::TPCHit",
    "lcio::TrackerHit",
    "lcio::TrackerHitPlane",
    "lcio::TrackerHitZCylinder",
    "lcio::Track",
    "lcio::ParticleID",
    "lcio::Cluster",
    "lcio::ReconstructedParticle",
    "lcio::Vertex",
    "lcio::LCGenericObject",
    "lcio::LCIntVec",
    "lcio::LCFloatVec",
    "lcio::LCStrVec"]}],
 "links":
 [
  {
   "name":"lcio::LCRelation",
   "description":"A weighted relation of any two objects",
   "author":"kaon, after LCIO",
   "from":"lcio::LCObject",
   "to":"lcio::LCObject"}],
 "storage":[]})json";

} // namespace

const std::string& modelText() {
  static const std::string text = parseJson(document, "the model 'lcio'").text();
  return text;
}

const ModelDatatypes& modelDatatypes() {
  static const ModelDatatypes datatypes({{"the model 'lcio'", modelText()}});
  return datatypes;
}

} // namespace kaon::sio::lcio
