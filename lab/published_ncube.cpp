// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "lab/published.h"

namespace ringmesh::lab {
namespace {

constexpr std::string_view kInteger = "64 nodes, integer arithmetic underneath, mean of five trials";
constexpr std::string_view kFloat = "64 nodes, floating-point arithmetic underneath, mean of five trials";
constexpr std::string_view kThrough = "messages of 2000 B through one node that computes";

constexpr PublishedRow measured(std::string_view id, std::string_view quantity, double us, std::string_view conditions,
                                std::string_view source, std::string_view note = "")
{
    return {id, quantity, us, "us", "measured", conditions, source, note};
}
constexpr PublishedRow sum(std::string_view id, std::string_view quantity, double us)
{
    return {
        id, quantity, us, "us", "derived", kInteger, "[001 Table 1]", "sum of the table's values, as it was measured"};
}
constexpr PublishedRow line(std::string_view id, std::string_view quantity, double value, std::string_view unit)
{
    return {id, quantity, value, unit, "derived", "the report's line through Table 1", "[001 Table 3]", ""};
}

constexpr std::array kNcubeRows{
    measured("ncube.E.16B", "E, elapsed transfer over one hop, 16 B", 242, kInteger, "[001 Table 1]"),
    measured("ncube.E.500B", "E, elapsed transfer over one hop, 500 B", 864, kInteger, "[001 Table 1]"),
    measured("ncube.E.1000B", "E, elapsed transfer over one hop, 1000 B", 1506, kInteger, "[001 Table 1]"),
    measured("ncube.E.1500B", "E, elapsed transfer over one hop, 1500 B", 2149, kInteger, "[001 Table 1]"),
    measured("ncube.E.2000B", "E, elapsed transfer over one hop, 2000 B", 2792, kInteger, "[001 Table 1]"),
    measured("ncube.R.16B", "R, load of receiving, 16 B", 178, kInteger, "[001 Table 1]"),
    measured("ncube.R.500B", "R, load of receiving, 500 B", 200, kInteger, "[001 Table 1]"),
    measured("ncube.R.1000B", "R, load of receiving, 1000 B", 219, kInteger, "[001 Table 1]"),
    measured("ncube.R.1500B", "R, load of receiving, 1500 B", 249, kInteger, "[001 Table 1]"),
    measured("ncube.R.2000B", "R, load of receiving, 2000 B", 261, kInteger, "[001 Table 1]"),
    measured("ncube.S.16B", "S, load of sending, 16 B", 152, kInteger, "[001 Table 1]"),
    measured("ncube.S.500B", "S, load of sending, 500 B", 157, kInteger, "[001 Table 1]"),
    measured("ncube.S.1000B", "S, load of sending, 1000 B", 167, kInteger, "[001 Table 1]"),
    measured("ncube.S.1500B", "S, load of sending, 1500 B", 167, kInteger, "[001 Table 1]"),
    measured("ncube.S.2000B", "S, load of sending, 2000 B", 175, kInteger, "[001 Table 1]"),
    measured("ncube.F.16B", "F, formatting, the write call, 16 B", 169, kInteger, "[001 Table 1]"),
    measured("ncube.F.500B", "F, formatting, the write call, 500 B", 465, kInteger, "[001 Table 1]"),
    measured("ncube.F.1000B", "F, formatting, the write call, 1000 B", 762, kInteger, "[001 Table 1]"),
    measured("ncube.F.1500B", "F, formatting, the write call, 1500 B", 1036, kInteger, "[001 Table 1]"),
    measured("ncube.F.2000B", "F, formatting, the write call, 2000 B", 1372, kInteger, "[001 Table 1]"),
    measured("ncube.U.16B", "U, unformatting, the read call after the message came, 16 B", 137, kInteger,
             "[001 Table 1]"),
    measured("ncube.U.500B", "U, unformatting, the read call after the message came, 500 B", 429, kInteger,
             "[001 Table 1]"),
    measured("ncube.U.1000B", "U, unformatting, the read call after the message came, 1000 B", 748, kInteger,
             "[001 Table 1]"),
    measured("ncube.U.1500B", "U, unformatting, the read call after the message came, 1500 B", 1072, kInteger,
             "[001 Table 1]"),
    measured("ncube.U.2000B", "U, unformatting, the read call after the message came, 2000 B", 1343, kInteger,
             "[001 Table 1]"),
    measured("ncube.A.16B", "A, accepting, the read call before, 16 B", 122, kInteger, "[001 Table 1]"),
    measured("ncube.A.500B", "A, accepting, the read call before, 500 B", 124, kInteger, "[001 Table 1]"),
    measured("ncube.A.1000B", "A, accepting, the read call before, 1000 B", 111, kInteger, "[001 Table 1]",
             "the report's own line says 120; a sum of errors"),
    measured("ncube.A.1500B", "A, accepting, the read call before, 1500 B", 97, kInteger, "[001 Table 1]",
             "the report's own line says 120; a sum of errors"),
    measured("ncube.A.2000B", "A, accepting, the read call before, 2000 B", 126, kInteger, "[001 Table 1]"),
    measured("ncube.float.E.16B", "E, 16 B", 245, kFloat, "[001 Table 2]"),
    measured("ncube.float.E.500B", "E, 500 B", 868, kFloat, "[001 Table 2]"),
    measured("ncube.float.E.1000B", "E, 1000 B", 1509, kFloat, "[001 Table 2]"),
    measured("ncube.float.E.1500B", "E, 1500 B", 2154, kFloat, "[001 Table 2]"),
    measured("ncube.float.E.2000B", "E, 2000 B", 2797, kFloat, "[001 Table 2]"),
    measured("ncube.float.R.16B", "R, 16 B", 176, kFloat, "[001 Table 2]"),
    measured("ncube.float.R.500B", "R, 500 B", 202, kFloat, "[001 Table 2]"),
    measured("ncube.float.R.1000B", "R, 1000 B", 229, kFloat, "[001 Table 2]"),
    measured("ncube.float.R.1500B", "R, 1500 B", 250, kFloat, "[001 Table 2]"),
    measured("ncube.float.R.2000B", "R, 2000 B", 275, kFloat, "[001 Table 2]"),
    measured("ncube.float.S.16B", "S, 16 B", 131, kFloat, "[001 Table 2]"),
    measured("ncube.float.S.500B", "S, 500 B", 156, kFloat, "[001 Table 2]"),
    measured("ncube.float.S.1000B", "S, 1000 B", 162, kFloat, "[001 Table 2]"),
    measured("ncube.float.S.1500B", "S, 1500 B", 166, kFloat, "[001 Table 2]"),
    measured("ncube.float.S.2000B", "S, 2000 B", 169, kFloat, "[001 Table 2]"),
    measured("ncube.float.F.16B", "F, 16 B", 193, kFloat, "[001 Table 2]"),
    measured("ncube.float.F.500B", "F, 500 B", 463, kFloat, "[001 Table 2]"),
    measured("ncube.float.F.1000B", "F, 1000 B", 767, kFloat, "[001 Table 2]"),
    measured("ncube.float.F.1500B", "F, 1500 B", 1071, kFloat, "[001 Table 2]"),
    measured("ncube.float.F.2000B", "F, 2000 B", 1377, kFloat, "[001 Table 2]"),
    measured("ncube.float.U.16B", "U, 16 B", 112, kFloat, "[001 Table 2]"),
    measured("ncube.float.U.500B", "U, 500 B", 428, kFloat, "[001 Table 2]"),
    measured("ncube.float.U.1000B", "U, 1000 B", 734, kFloat, "[001 Table 2]"),
    measured("ncube.float.U.1500B", "U, 1500 B", 1036, kFloat, "[001 Table 2]"),
    measured("ncube.float.U.2000B", "U, 2000 B", 1335, kFloat, "[001 Table 2]"),
    measured("ncube.float.A.16B", "A, 16 B", 148, kFloat, "[001 Table 2]"),
    measured("ncube.float.A.500B", "A, 500 B", 126, kFloat, "[001 Table 2]"),
    measured("ncube.float.A.1000B", "A, 1000 B", 123, kFloat, "[001 Table 2]"),
    measured("ncube.float.A.1500B", "A, 1500 B", 128, kFloat, "[001 Table 2]"),
    measured("ncube.float.A.2000B", "A, 2000 B", 129, kFloat, "[001 Table 2]"),
    sum("ncube.R_S.16B", "R + S, 16 B", 330),
    sum("ncube.R_S.500B", "R + S, 500 B", 357),
    sum("ncube.R_S.1000B", "R + S, 1000 B", 386),
    sum("ncube.R_S.1500B", "R + S, 1500 B", 416),
    sum("ncube.R_S.2000B", "R + S, 2000 B", 436),
    sum("ncube.F_S.16B", "F + S, 16 B", 321),
    sum("ncube.F_S.500B", "F + S, 500 B", 622),
    sum("ncube.F_S.1000B", "F + S, 1000 B", 929),
    sum("ncube.F_S.1500B", "F + S, 1500 B", 1203),
    sum("ncube.F_S.2000B", "F + S, 2000 B", 1547),
    sum("ncube.F_E_U.16B", "F + E + U, 16 B", 548),
    sum("ncube.F_E_U.500B", "F + E + U, 500 B", 1758),
    sum("ncube.F_E_U.1000B", "F + E + U, 1000 B", 3016),
    sum("ncube.F_E_U.1500B", "F + E + U, 1500 B", 4257),
    sum("ncube.F_E_U.2000B", "F + E + U, 2000 B", 5507),
    sum("ncube.A_U.16B", "A + U, 16 B", 259),
    sum("ncube.A_U.500B", "A + U, 500 B", 553),
    sum("ncube.A_U.1000B", "A + U, 1000 B", 859),
    sum("ncube.A_U.1500B", "A + U, 1500 B", 1169),
    sum("ncube.A_U.2000B", "A + U, 2000 B", 1469),
    line("ncube.line.E.base", "E at 0 B", 220, "us"),
    line("ncube.line.E.slope", "E per byte", 1.285, "us/byte"),
    line("ncube.line.R.base", "R at 0 B", 180, "us"),
    line("ncube.line.R.slope", "R per byte", 0.04, "us/byte"),
    line("ncube.line.S.base", "S at 0 B", 150, "us"),
    line("ncube.line.S.slope", "S per byte", 0.01, "us/byte"),
    line("ncube.line.F.base", "F at 0 B", 160, "us"),
    line("ncube.line.F.slope", "F per byte", 0.6, "us/byte"),
    line("ncube.line.U.base", "U at 0 B", 130, "us"),
    line("ncube.line.U.slope", "U per byte", 0.61, "us/byte"),
    line("ncube.line.A.base", "A at 0 B", 120, "us"),
    line("ncube.line.A.slope", "A per byte", 0.0, "us/byte"),
    measured("ncube.channels2.time", "time per message of each sender, 2 channels active", 2800, kThrough, "[001 5.2]"),
    PublishedRow{"ncube.channels2.slowdown", "computation over its time without messages, 2 channels active", 1.2, "",
                 "measured", kThrough, "[001 5.2]", ""},
    measured("ncube.channels4.time", "time per message of each sender, 4 channels active", 2830, kThrough, "[001 5.2]"),
    PublishedRow{"ncube.channels4.slowdown", "computation over its time without messages, 4 channels active", 1.61, "",
                 "measured", kThrough, "[001 5.2]", ""},
    measured("ncube.channels6.time", "time per message of each sender, 6 channels active", 3070, kThrough, "[001 5.2]"),
    PublishedRow{"ncube.channels6.slowdown", "computation over its time without messages, 6 channels active", 3.78, "",
                 "measured", kThrough, "[001 5.2]", ""},
    PublishedRow{"ncube.idle_gain", "reduction of E when no node computes", 2.5, "us", "measured", "one to four",
                 "[001 5.1]", "the middle of the observed range"},
    PublishedRow{"ncube.unbuffered.send", "F + S of 2000 B without copying", 400, "us", "claim", "less than", "[001 6]",
                 ""},
    PublishedRow{"ncube.unbuffered.receive", "A + U + R of 2000 B without copying", 400, "us", "claim", "less than",
                 "[001 6]", "with the report's own lines A + U + R is 510 us"},
};

}  // namespace

std::span<const PublishedRow> published_ncube() { return kNcubeRows; }

}  // namespace ringmesh::lab
