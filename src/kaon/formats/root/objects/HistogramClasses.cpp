#include <kaon/formats/root/objects/HistogramClasses.h>

#include <kaon/formats/root/objects/ClassTable.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace kaon::root {
namespace {

constexpr std::array tObjStringMembers{MemberRow{"TObject", "BASE", 66, "", 1, 0x901bc02d},
                                       MemberRow{"fString", "TString", 65}};

constexpr std::array tH1Members{MemberRow{"TNamed", "BASE", 67, "", 1, 0xdfb74a3c},
                                MemberRow{"TAttLine", "BASE", 0, "", 2, 0x94074549},
                                MemberRow{"TAttFill", "BASE", 0, "", 2, 0xffd92a92},
                                MemberRow{"TAttMarker", "BASE", 0, "", 3, 0x291d8bec},
                                MemberRow{"fNcells", "int", 3},
                                MemberRow{"fXaxis", "TAxis", 61},
                                MemberRow{"fYaxis", "TAxis", 61},
                                MemberRow{"fZaxis", "TAxis", 61},
                                MemberRow{"fBarOffset", "short", 2},
                                MemberRow{"fBarWidth", "short", 2},
                                MemberRow{"fEntries", "double", 8},
                                MemberRow{"fTsumw", "double", 8},
                                MemberRow{"fTsumw2", "double", 8},
                                MemberRow{"fTsumwx", "double", 8},
                                MemberRow{"fTsumwx2", "double", 8},
                                MemberRow{"fMaximum", "double", 8},
                                MemberRow{"fMinimum", "double", 8},
                                MemberRow{"fNormFactor", "double", 8},
                                MemberRow{"fContour", "TArrayD", 62},
                                MemberRow{"fSumw2", "TArrayD", 62},
                                MemberRow{"fOption", "TString", 65},
                                MemberRow{"fFunctions", "TList*", 63},
                                MemberRow{"fBufferSize", "int", 6},
                                MemberRow{"fBuffer", "double*", 48, "fBufferSize"},
                                MemberRow{"fBinStatErrOpt", "TH1::EBinErrorOpt", 3},
                                MemberRow{"fStatOverflows", "TH1::EStatOverflows", 3}};

constexpr std::array tH2Members{
    MemberRow{"TH1", "BASE", 0, "", 8, 0x1c3740c4}, MemberRow{"fScalefactor", "double", 8},
    MemberRow{"fTsumwy", "double", 8}, MemberRow{"fTsumwy2", "double", 8},
    MemberRow{"fTsumwxy", "double", 8}};

constexpr std::array tH3Members{MemberRow{"TH1", "BASE", 0, "", 8, 0x1c3740c4},
                                MemberRow{"TAtt3D", "BASE", 0, "", 1, 0x757a},
                                MemberRow{"fTsumwy", "double", 8},
                                MemberRow{"fTsumwy2", "double", 8},
                                MemberRow{"fTsumwxy", "double", 8},
                                MemberRow{"fTsumwz", "double", 8},
                                MemberRow{"fTsumwz2", "double", 8},
                                MemberRow{"fTsumwxz", "double", 8},
                                MemberRow{"fTsumwyz", "double", 8}};

constexpr std::array tAxisMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xdfb74a3c},
                                  MemberRow{"TAttAxis", "BASE", 0, "", 4, 0x5c6fff3e},
                                  MemberRow{"fNbins", "int", 3},
                                  MemberRow{"fXmin", "double", 8},
                                  MemberRow{"fXmax", "double", 8},
                                  MemberRow{"fXbins", "TArrayD", 62},
                                  MemberRow{"fFirst", "int", 3},
                                  MemberRow{"fLast", "int", 3},
                                  MemberRow{"fBits2", "unsigned short", 12},
                                  MemberRow{"fTimeDisplay", "bool", 18},
                                  MemberRow{"fTimeFormat", "TString", 65},
                                  MemberRow{"fLabels", "THashList*", 64},
                                  MemberRow{"fModLabs", "TList*", 64}};

constexpr std::array tAttAxisMembers{
    MemberRow{"fNdivisions", "int", 3},    MemberRow{"fAxisColor", "short", 2},
    MemberRow{"fLabelColor", "short", 2},  MemberRow{"fLabelFont", "short", 2},
    MemberRow{"fLabelOffset", "float", 5}, MemberRow{"fLabelSize", "float", 5},
    MemberRow{"fTickLength", "float", 5},  MemberRow{"fTitleOffset", "float", 5},
    MemberRow{"fTitleSize", "float", 5},   MemberRow{"fTitleColor", "short", 2},
    MemberRow{"fTitleFont", "short", 2}};

constexpr std::array tProfileMembers{MemberRow{"TH1D", "BASE", 0, "", 3, 0xf9b1569f},
                                     MemberRow{"fBinEntries", "TArrayD", 62},
                                     MemberRow{"fErrorMode", "EErrorType", 3},
                                     MemberRow{"fYmin", "double", 8},
                                     MemberRow{"fYmax", "double", 8},
                                     MemberRow{"fTsumwy", "double", 8},
                                     MemberRow{"fTsumwy2", "double", 8},
                                     MemberRow{"fBinSumw2", "TArrayD", 62}};

constexpr std::array tProfile2DMembers{MemberRow{"TH2D", "BASE", 0, "", 4, 0x7fba82f0},
                                       MemberRow{"fBinEntries", "TArrayD", 62},
                                       MemberRow{"fErrorMode", "EErrorType", 3},
                                       MemberRow{"fZmin", "double", 8},
                                       MemberRow{"fZmax", "double", 8},
                                       MemberRow{"fTsumwz", "double", 8},
                                       MemberRow{"fTsumwz2", "double", 8},
                                       MemberRow{"fBinSumw2", "TArrayD", 62}};

constexpr std::array tProfile3DMembers{MemberRow{"TH3D", "BASE", 0, "", 4, 0x64b9ff86},
                                       MemberRow{"fBinEntries", "TArrayD", 62},
                                       MemberRow{"fErrorMode", "EErrorType", 3},
                                       MemberRow{"fTmin", "double", 8},
                                       MemberRow{"fTmax", "double", 8},
                                       MemberRow{"fTsumwt", "double", 8},
                                       MemberRow{"fTsumwt2", "double", 8},
                                       MemberRow{"fBinSumw2", "TArrayD", 62}};

constexpr std::array tGraphMembers{MemberRow{"TNamed", "BASE", 67, "", 1, 0xdfb74a3c},
                                   MemberRow{"TAttLine", "BASE", 0, "", 2, 0x94074549},
                                   MemberRow{"TAttFill", "BASE", 0, "", 2, 0xffd92a92},
                                   MemberRow{"TAttMarker", "BASE", 0, "", 3, 0x291d8bec},
                                   MemberRow{"fNpoints", "int", 6},
                                   MemberRow{"fX", "double*", 48, "fNpoints"},
                                   MemberRow{"fY", "double*", 48, "fNpoints"},
                                   MemberRow{"fFunctions", "TList*", 64},
                                   MemberRow{"fHistogram", "TH1F*", 64},
                                   MemberRow{"fMinimum", "double", 8},
                                   MemberRow{"fMaximum", "double", 8},
                                   MemberRow{"fOption", "TString", 65}};

constexpr std::array tGraphErrorsMembers{MemberRow{"TGraph", "BASE", 0, "", 5, 0xb932984f},
                                         MemberRow{"fEX", "double*", 48, "fNpoints"},
                                         MemberRow{"fEY", "double*", 48, "fNpoints"}};

constexpr std::array tGraphAsymmErrorsMembers{MemberRow{"TGraph", "BASE", 0, "", 5, 0xb932984f},
                                              MemberRow{"fEXlow", "double*", 48, "fNpoints"},
                                              MemberRow{"fEXhigh", "double*", 48, "fNpoints"},
                                              MemberRow{"fEYlow", "double*", 48, "fNpoints"},
                                              MemberRow{"fEYhigh", "double*", 48, "fNpoints"}};

/// Histograms of all types of bins have the same bases, except for the array.
constexpr std::array<MemberRow, 2> binsOf(std::string_view base, std::int32_t baseVersion,
                                          std::uint32_t baseChecksum, std::string_view array) {
  return {MemberRow{base, "BASE", 0, "", baseVersion, baseChecksum},
          MemberRow{array, "BASE", 0, "", 1}};
}

constexpr std::array tH1CMembers = binsOf("TH1", 8, 0x1c3740c4, "TArrayC");
constexpr std::array tH1SMembers = binsOf("TH1", 8, 0x1c3740c4, "TArrayS");
constexpr std::array tH1IMembers = binsOf("TH1", 8, 0x1c3740c4, "TArrayI");
constexpr std::array tH1FMembers = binsOf("TH1", 8, 0x1c3740c4, "TArrayF");
constexpr std::array tH1DMembers = binsOf("TH1", 8, 0x1c3740c4, "TArrayD");
constexpr std::array tH2CMembers = binsOf("TH2", 5, 0x182347f, "TArrayC");
constexpr std::array tH2SMembers = binsOf("TH2", 5, 0x182347f, "TArrayS");
constexpr std::array tH2IMembers = binsOf("TH2", 5, 0x182347f, "TArrayI");
constexpr std::array tH2FMembers = binsOf("TH2", 5, 0x182347f, "TArrayF");
constexpr std::array tH2DMembers = binsOf("TH2", 5, 0x182347f, "TArrayD");
constexpr std::array tH3CMembers = binsOf("TH3", 6, 0x42d2445f, "TArrayC");
constexpr std::array tH3SMembers = binsOf("TH3", 6, 0x42d2445f, "TArrayS");
constexpr std::array tH3IMembers = binsOf("TH3", 6, 0x42d2445f, "TArrayI");
constexpr std::array tH3FMembers = binsOf("TH3", 6, 0x42d2445f, "TArrayF");
constexpr std::array tH3DMembers = binsOf("TH3", 6, 0x42d2445f, "TArrayD");

constexpr std::array classes{
    ClassRow{"TObjString", 1, 0x9c8e4800, tObjStringMembers},
    ClassRow{"TH1", 8, 0x1c3740c4, tH1Members},
    ClassRow{"TH2", 5, 0x182347f, tH2Members},
    ClassRow{"TH3", 6, 0x42d2445f, tH3Members},
    ClassRow{"TAxis", 10, 0x5a496e70, tAxisMembers},
    ClassRow{"TAttAxis", 4, 0x5c6fff3e, tAttAxisMembers},
    ClassRow{"TAtt3D", 1, 0x757a, {}},
    ClassRow{"TH1C", 3, 0x36f6e4ad, tH1CMembers},
    ClassRow{"TH1S", 3, 0x8c4d9dcb, tH1SMembers},
    ClassRow{"TH1I", 3, 0x627564f6, tH1IMembers},
    ClassRow{"TH1F", 3, 0xe2939644, tH1FMembers},
    ClassRow{"TH1D", 3, 0xf9b1569f, tH1DMembers},
    ClassRow{"TH2C", 4, 0xbd0010fe, tH2CMembers},
    ClassRow{"TH2S", 4, 0x1256ca1c, tH2SMembers},
    ClassRow{"TH2I", 4, 0xe87e9147, tH2IMembers},
    ClassRow{"TH2F", 4, 0x689cc295, tH2FMembers},
    ClassRow{"TH2D", 4, 0x7fba82f0, tH2DMembers},
    ClassRow{"TH3C", 4, 0xa1ff8d94, tH3CMembers},
    ClassRow{"TH3S", 4, 0xf75646b2, tH3SMembers},
    ClassRow{"TH3I", 4, 0xcd7e0ddd, tH3IMembers},
    ClassRow{"TH3F", 4, 0x4d9c3f2b, tH3FMembers},
    ClassRow{"TH3D", 4, 0x64b9ff86, tH3DMembers},
    ClassRow{"TProfile", 7, 0x4bedee54, tProfileMembers},
    ClassRow{"TProfile2D", 8, 0x36a142ac, tProfile2DMembers},
    ClassRow{"TProfile3D", 8, 0xf60c6814, tProfile3DMembers},
    ClassRow{"TGraph", 5, 0xb932984f, tGraphMembers},
    ClassRow{"TGraphErrors", 3, 0xbdadb119, tGraphErrorsMembers},
    ClassRow{"TGraphAsymmErrors", 3, 0x206d5315, tGraphAsymmErrorsMembers}};

} // namespace

const std::vector<ClassInfo>& histogramClassInfos() {
  static const std::vector<ClassInfo> infos = [] {
    std::vector<ClassInfo> all = infosOf(classes);
    std::ranges::copy(infosOf(commonClasses), std::back_inserter(all));
    return all;
  }();
  return infos;
}

const Classes& histogramClasses() {
  static const Classes all(histogramClassInfos());
  return all;
}

} // namespace kaon::root
