#include <kaon/formats/sio/lcio/ObjectLayouts.h>

#include <algorithm>
#include <array>

namespace kaon::sio::lcio {
namespace {

constexpr Scalar int16 = Scalar::Int16, int32 = Scalar::Int32, float32 = Scalar::Float32,
                 float64 = Scalar::Float64;

constexpr Condition always{};
constexpr Condition ifSet(std::uint8_t bit) { return {Condition::Kind::ifSet, bit}; }
constexpr Condition unlessSet(std::uint8_t bit) { return {Condition::Kind::unlessSet, bit}; }
constexpr Condition ifEndpoint{Condition::Kind::ifEndpoint, 0};

constexpr Field tag(Condition when = always) { return {.kind = FieldKind::tag, .when = when}; }
constexpr Field values(std::string_view name, Scalar type = int32, std::uint32_t count = 1,
                       Condition when = always, std::uint32_t since = 0, float missing = 0) {
  return {FieldKind::values, name, type, count, when, since, missing, {}};
}
constexpr Field list(std::string_view name, Scalar type, Condition when = always,
                     std::uint32_t since = 0) {
  return {FieldKind::list, name, type, 1, when, since, 0, {}};
}
constexpr Field pointer(std::string_view name) {
  return {.kind = FieldKind::pointer, .name = name};
}
constexpr Field pointers(std::string_view name, Condition when = always) {
  return {.kind = FieldKind::pointers, .name = name, .when = when};
}
constexpr Field rows(std::string_view name, std::span<const Field> fields,
                     Condition when = always) {
  return {FieldKind::rows, name, int32, 1, when, 0, 0, fields};
}
constexpr Field objects(std::string_view name, std::span<const Field> fields) {
  return {FieldKind::objects, name, int32, 1, always, 0, 0, fields};
}

constexpr std::array particle{
    tag(),
    pointers("parents"),
    values("PDG"),
    values("generatorStatus"),
    values("simulatorStatus"),
    values("vertex", float64, 3),
    values("time", float32),
    values("momentum", float32, 3),
    values("mass", float32),
    values("charge", float32),
    values("endpoint", float64, 3, ifEndpoint),
    values("momentumAtEndpoint", float32, 3, ifEndpoint, blockVersion(2, 6)),
    values("spin", float32, 3),
    values("colorFlow", int32, 2)};

constexpr std::array simTrackerHit{values("cellID0"),
                                   values("cellID1", int32, 1, ifSet(29)),
                                   values("position", float64, 3),
                                   values("eDep", float32),
                                   values("time", float32),
                                   pointer("particle"),
                                   values("momentum", float32, 3, ifSet(30)),
                                   values("pathLength", float32, 1, ifSet(30)),
                                   values("quality", int32, 1, always, blockVersion(2, 7)),
                                   tag()};

constexpr std::array contribution{
    pointer("particle"),
    values("energy", float32),
    values("time", float32),
    values("length", float32, 1, ifSet(28), blockVersion(2, 10)),
    values("PDG", int32, 1, ifSet(28)),
    values("stepPosition", float32, 3, ifSet(28)),
};
constexpr std::array simCalorimeterHit{values("cellID0"),
                                       values("cellID1", int32, 1, ifSet(29)),
                                       values("energy", float32),
                                       values("position", float32, 3, ifSet(31)),
                                       objects("contributions", contribution),
                                       tag()};

constexpr std::array rawCalorimeterHit{
    values("cellID0"), values("cellID1", int32, 1, ifSet(29)), values("amplitude"),
    values("timeStamp", int32, 1, ifSet(27)), tag(unlessSet(28))};

constexpr std::array calorimeterHit{values("cellID0"),
                                    values("cellID1", int32, 1, ifSet(29)),
                                    values("energy", float32),
                                    values("energyError", float32, 1, ifSet(26)),
                                    values("time", float32, 1, ifSet(27)),
                                    values("position", float32, 3, ifSet(31)),
                                    values("type"),
                                    pointer("rawHit"),
                                    tag(unlessSet(28))};

constexpr std::array tpcHit{
    values("cellID"),  values("time", float32),           values("charge", float32),
    values("quality"), list("rawData", int32, ifSet(31)), tag(unlessSet(30))};

constexpr std::array trackerRawData{values("cellID0"), values("cellID1", int32, 1, ifSet(31)),
                                    values("time"), list("adcValues", int16), tag()};

constexpr std::array trackerData{values("cellID0"), values("cellID1", int32, 1, ifSet(31)),
                                 values("time", float32), list("chargeValues", float32), tag()};

constexpr std::array trackerPulse{values("cellID0"),
                                  values("cellID1", int32, 1, ifSet(31)),
                                  values("time", float32),
                                  values("charge", float32),
                                  values("covMatrix", float32, 3, ifSet(30)),
                                  values("quality"),
                                  pointer("trackerData"),
                                  tag()};

constexpr std::array trackerHit{values("cellID0"),
                                values("cellID1", int32, 1, ifSet(31)),
                                values("type"),
                                values("position", float64, 3),
                                values("covMatrix", float32, 6),
                                values("eDep", float32),
                                values("eDepError", float32),
                                values("time", float32),
                                values("quality"),
                                pointers("rawHits"),
                                tag()};

constexpr std::array trackerHitPlane{
    values("cellID0"),       values("cellID1", int32, 1, ifSet(31)),
    values("type"),          values("position", float64, 3),
    values("u", float32, 2), values("v", float32, 2),
    values("du", float32),   values("dv", float32),
    values("eDep", float32), values("eDepError", float32),
    values("time", float32), values("quality"),
    pointers("rawHits"),     tag()};

constexpr std::array trackerHitZCylinder{values("cellID0"),
                                         values("cellID1", int32, 1, ifSet(31)),
                                         values("type"),
                                         values("position", float64, 3),
                                         values("center", float32, 2),
                                         values("dRPhi", float32),
                                         values("dZ", float32),
                                         values("eDep", float32),
                                         values("eDepError", float32),
                                         values("time", float32),
                                         values("quality"),
                                         pointers("rawHits"),
                                         tag()};

constexpr std::array trackState{values("location"),
                                values("D0", float32),
                                values("phi", float32),
                                values("omega", float32),
                                values("Z0", float32),
                                values("tanLambda", float32),
                                values("covMatrix", float32, 15),
                                values("referencePoint", float32, 3)};
constexpr std::array track{values("type"),
                           rows("trackStates", trackState),
                           values("chi2", float32),
                           values("ndf"),
                           values("dEdx", float32),
                           values("dEdxError", float32),
                           values("nholes", int32, 1, always, blockVersion(2, 21)),
                           values("radiusOfInnermostHit", float32),
                           list("subdetectorHitNumbers", int32),
                           list("subdetectorHoleNumbers", int32, always, blockVersion(2, 21)),
                           pointers("tracks"),
                           pointers("trackerHits", ifSet(31)),
                           tag()};

constexpr std::array identification{values("likelihood", float32), values("type"), values("PDG"),
                                    values("algorithmType"), list("parameters", float32)};
constexpr std::array numberedIdentification{
    values("likelihood", float32), values("type"), values("PDG"), values("algorithmType"),
    list("parameters", float32),   tag()};

constexpr std::array weightedHit{pointer("hits"), values("hitContributions", float32)};
constexpr std::array cluster{values("type"),
                             values("energy", float32),
                             values("energyError", float32),
                             values("position", float32, 3),
                             values("positionError", float32, 6),
                             values("iTheta", float32),
                             values("iPhi", float32),
                             values("directionError", float32, 3),
                             list("shape", float32),
                             objects("particleIDs", identification),
                             pointers("clusters"),
                             rows("hits", weightedHit, ifSet(31)),
                             list("subdetectorEnergies", float32),
                             tag()};

constexpr std::array reconstructedParticle{values("type"),
                                           values("momentum", float32, 3),
                                           values("energy", float32),
                                           values("covMatrix", float32, 10),
                                           values("mass", float32),
                                           values("charge", float32),
                                           values("referencePoint", float32, 3),
                                           objects("particleIDs", numberedIdentification),
                                           pointer("particleIDUsed"),
                                           values("goodnessOfPID", float32),
                                           pointers("particles"),
                                           pointers("tracks"),
                                           pointers("clusters"),
                                           pointer("startVertex"),
                                           tag()};

constexpr std::array vertex{values("primary", Scalar::Bool),
                            Field{.kind = FieldKind::algorithm, .name = "algorithmType"},
                            values("chi2", float32),
                            values("probability", float32),
                            values("position", float32, 3),
                            values("covMatrix", float32, 6),
                            list("parameters", float32),
                            pointer("associatedParticle"),
                            tag()};

constexpr std::array relation{pointer("from"), pointer("to"),
                              values("weight", float32, 1, ifSet(31), 0, 1)};

constexpr std::array genericObject{Field{.kind = FieldKind::counts}, list("intVals", int32),
                                   list("floatVals", float32), list("doubleVals", float64), tag()};

constexpr std::array intVec{list("values", int32), tag()};
constexpr std::array floatVec{list("values", float32), tag()};
constexpr std::array strVec{Field{.kind = FieldKind::texts, .name = "values"}, tag()};

constexpr std::array<ObjectLayout, 21> layouts{{{"MCParticle", particle},
                                                {"SimTrackerHit", simTrackerHit},
                                                {"SimCalorimeterHit", simCalorimeterHit},
                                                {"RawCalorimeterHit", rawCalorimeterHit},
                                                {"CalorimeterHit", calorimeterHit},
                                                {"TPCHit", tpcHit},
                                                {"TrackerRawData", trackerRawData},
                                                {"TrackerData", trackerData},
                                                {"TrackerPulse", trackerPulse},
                                                {"TrackerHit", trackerHit},
                                                {"TrackerHitPlane", trackerHitPlane},
                                                {"TrackerHitZCylinder", trackerHitZCylinder},
                                                {"Track", track},
                                                {"Cluster", cluster},
                                                {"ReconstructedParticle", reconstructedParticle},
                                                {"Vertex", vertex},
                                                {"LCRelation", relation},
                                                {"LCGenericObject", genericObject},
                                                {"LCIntVec", intVec},
                                                {"LCFloatVec", floatVec},
                                                {"LCStrVec", strVec}}};

} // namespace

const ObjectLayout* findLayout(std::string_view type) noexcept {
  const auto layout = std::ranges::find(layouts, type, &ObjectLayout::type);
  return layout == layouts.end() ? nullptr : &*layout;
}

} // namespace kaon::sio::lcio
