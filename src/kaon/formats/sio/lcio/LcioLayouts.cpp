#include <kaon/formats/sio/lcio/LcioLayouts.h>

#include <algorithm>
#include <array>

namespace kaon::sio::lcio {
namespace {

constexpr Scalar int16 = Scalar::Int16, int32 = Scalar::Int32, float32 = Scalar::Float32,
                 float64 = Scalar::Float64;

// The last versions without some fields.
constexpr std::uint32_t v1_0 = blockVersion(1, 0), v1_2 = blockVersion(1, 2),
                        v1_51 = blockVersion(1, 51), before2_0 = blockVersion(2, 0) - 1;

constexpr Condition always{};
constexpr Condition ifSet(std::uint8_t bit) { return {Condition::Kind::ifSet, bit}; }
constexpr Condition unlessSet(std::uint8_t bit) { return {Condition::Kind::unlessSet, bit}; }
constexpr Condition ifEndpoint{Condition::Kind::ifEndpoint, 0};

constexpr LcioField tag(Condition when = always, std::uint32_t since = 0) {
  return {.kind = LcioFieldKind::tag, .when = when, .since = since};
}
constexpr LcioField values(std::string_view name, Scalar type = int32, std::uint32_t count = 1,
                           Condition when = always, std::uint32_t since = 0, float missing = 0) {
  return {.kind = LcioFieldKind::values,
          .name = name,
          .type = type,
          .count = count,
          .when = when,
          .since = since,
          .missing = missing};
}
constexpr LcioField list(std::string_view name, Scalar type, Condition when = always,
                         std::uint32_t since = 0) {
  return {.kind = LcioFieldKind::list, .name = name, .type = type, .when = when, .since = since};
}
constexpr LcioField pointer(std::string_view name, std::uint32_t since = 0) {
  return {.kind = LcioFieldKind::pointer, .name = name, .since = since};
}
constexpr LcioField pointers(std::string_view name, Condition when = always) {
  return {.kind = LcioFieldKind::pointers, .name = name, .when = when};
}
constexpr LcioField rows(std::string_view name, std::span<const LcioField> fields,
                         Condition when = always) {
  return {.kind = LcioFieldKind::rows, .name = name, .when = when, .fields = fields};
}
constexpr LcioField objects(std::string_view name, std::span<const LcioField> fields,
                            std::uint32_t since = 0, std::uint32_t wordsBefore = 0) {
  return {.kind = LcioFieldKind::objects,
          .name = name,
          .since = since,
          .fields = fields,
          .wordsBefore = wordsBefore};
}
/// A field whose number of items is fixed in versions up to this one.
constexpr LcioField fixedUpTo(std::uint32_t version, std::uint32_t count, LcioField field) {
  field.countedSince = version;
  field.count = count;
  return field;
}

constexpr std::array particle{
    tag(),
    pointers("parents"),
    values("PDG"),
    values("generatorStatus"),
    values("simulatorStatus"),
    values("vertex", float64, 3),
    values("time", float32, 1, always, v1_2),
    values("momentum", float32, 3),
    values("mass", float32),
    values("charge", float32),
    values("endpoint", float64, 3, ifEndpoint),
    values("momentumAtEndpoint", float32, 3, ifEndpoint, blockVersion(2, 6)),
    values("spin", float32, 3, always, v1_51),
    values("colorFlow", int32, 2, always, v1_51)};

constexpr std::array simTrackerHit{values("cellID0"),
                                   values("cellID1", int32, 1, ifSet(29), v1_51),
                                   values("position", float64, 3),
                                   values("eDep", float32),
                                   values("time", float32),
                                   pointer("particle"),
                                   values("momentum", float32, 3, ifSet(30)),
                                   values("pathLength", float32, 1, ifSet(30), blockVersion(1, 6)),
                                   values("quality", int32, 1, always, blockVersion(2, 7)),
                                   tag(always, v1_0)};

constexpr std::array contribution{
    pointer("particle"),
    values("energy", float32),
    values("time", float32),
    values("length", float32, 1, ifSet(28), blockVersion(2, 10)),
    values("PDG", int32, 1, ifSet(28)),
    values("stepPosition", float32, 3, ifSet(28), v1_51),
};
constexpr std::array simCalorimeterHit{values("cellID0"),
                                       values("cellID1", int32, 1, ifSet(29)),
                                       values("energy", float32),
                                       values("position", float32, 3, ifSet(31)),
                                       objects("contributions", contribution),
                                       tag(always, v1_0)};

constexpr std::array rawCalorimeterHit{
    values("cellID0"), values("cellID1", int32, 1, ifSet(29)), values("amplitude"),
    values("timeStamp", int32, 1, ifSet(27)), tag(unlessSet(28))};

constexpr std::array calorimeterHit{
    values("cellID0"),
    values("cellID1", int32, 1, ifSet(29)),
    values("energy", float32),
    values("energyError", float32, 1, ifSet(26), blockVersion(1, 9)),
    values("time", float32, 1, ifSet(27), v1_2),
    values("position", float32, 3, ifSet(31)),
    values("type", int32, 1, always, v1_2),
    pointer("rawHit", v1_2),
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
                                  values("covMatrix", float32, 3, ifSet(30), blockVersion(1, 12)),
                                  values("quality"),
                                  pointer("trackerData"),
                                  tag()};

constexpr std::array trackerHit{values("cellID0", int32, 1, always, v1_51),
                                values("cellID1", int32, 1, ifSet(31), v1_51),
                                values("type", int32, 1, always, v1_2),
                                values("position", float64, 3),
                                values("covMatrix", float32, 6),
                                values("eDep", float32),
                                values("eDepError", float32, 1, always, blockVersion(1, 12)),
                                values("time", float32),
                                values("quality", int32, 1, always, blockVersion(1, 11)),
                                fixedUpTo(v1_2, 1, pointers("rawHits")),
                                tag()};

constexpr std::array trackerHitPlane{values("cellID0", int32, 1, always, v1_51),
                                     values("cellID1", int32, 1, ifSet(31), v1_51),
                                     values("type"),
                                     values("position", float64, 3),
                                     values("u", float32, 2),
                                     values("v", float32, 2),
                                     values("du", float32),
                                     values("dv", float32),
                                     values("eDep", float32),
                                     values("eDepError", float32),
                                     values("time", float32),
                                     values("quality"),
                                     pointers("rawHits"),
                                     tag()};

constexpr std::array trackerHitZCylinder{values("cellID0", int32, 1, always, v1_51),
                                         values("cellID1", int32, 1, ifSet(31), v1_51),
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

constexpr std::array trackState{values("location", int32, 1, always, before2_0),
                                values("D0", float32),
                                values("phi", float32),
                                values("omega", float32),
                                values("Z0", float32),
                                values("tanLambda", float32),
                                values("covMatrix", float32, 15),
                                values("referencePoint", float32, 3)};
constexpr std::array track{values("type"),
                           fixedUpTo(before2_0, 1, rows("trackStates", trackState)),
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
                             values("energyError", float32, 1, always, v1_51),
                             values("position", float32, 3),
                             values("positionError", float32, 6),
                             values("iTheta", float32),
                             values("iPhi", float32),
                             values("directionError", float32, 3),
                             fixedUpTo(v1_2, 6, list("shape", float32)),
                             objects("particleIDs", identification, v1_2, 3),
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
                                           pointer("startVertex", blockVersion(1, 7)),
                                           tag()};

constexpr std::array vertex{values("primary", Scalar::Bool),
                            LcioField{.kind = LcioFieldKind::algorithm, .name = "algorithmType"},
                            values("chi2", float32),
                            values("probability", float32),
                            values("position", float32, 3),
                            values("covMatrix", float32, 6),
                            list("parameters", float32),
                            pointer("associatedParticle"),
                            tag()};

constexpr std::array relation{pointer("from"), pointer("to"),
                              values("weight", float32, 1, ifSet(31), 0, 1)};

constexpr std::array genericObject{LcioField{.kind = LcioFieldKind::counts}, list("intVals", int32),
                                   list("floatVals", float32), list("doubleVals", float64), tag()};

constexpr std::array intVec{list("values", int32), tag(always, v1_2)};
constexpr std::array floatVec{list("values", float32), tag(always, v1_2)};
constexpr std::array strVec{LcioField{.kind = LcioFieldKind::texts, .name = "values"},
                            tag(always, v1_2)};

constexpr std::array<LcioLayout, 21> layouts{
    {{"MCParticle", particle},
     {"SimTrackerHit", simTrackerHit},
     {"SimCalorimeterHit", simCalorimeterHit},
     {"RawCalorimeterHit", rawCalorimeterHit},
     {"CalorimeterHit", calorimeterHit, 0, 1U << 28},
     {"TPCHit", tpcHit, 0, 1U << 30},
     {"TrackerRawData", trackerRawData},
     {"TrackerData", trackerData},
     {"TrackerPulse", trackerPulse},
     {"TrackerHit", trackerHit},
     {"TrackerHitPlane", trackerHitPlane},
     {"TrackerHitZCylinder", trackerHitZCylinder},
     {"Track", track},
     {"Cluster", cluster},
     {"ReconstructedParticle", reconstructedParticle, v1_2},
     {"Vertex", vertex},
     {"LCRelation", relation},
     {"LCGenericObject", genericObject},
     {"LCIntVec", intVec},
     {"LCFloatVec", floatVec},
     {"LCStrVec", strVec}}};

} // namespace

std::string LcioLayout::reasonForOld() const {
  return "kaon does not read " + std::string(type) + " of LCIO's versions up to " +
         std::to_string(since >> 16) + "." + std::to_string(since & 0xFFFF);
}

std::uint32_t LcioLayout::currentFlag(std::uint32_t flag, std::uint32_t version) const noexcept {
  return version <= v1_2 ? flag ^ invertedBits : flag;
}

const LcioLayout* findLayout(std::string_view type) noexcept {
  const auto layout = std::ranges::find(layouts, type, &LcioLayout::type);
  return layout == layouts.end() ? nullptr : &*layout;
}

} // namespace kaon::sio::lcio
