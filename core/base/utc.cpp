// SPDX-License-Identifier: Apache-2.0
#include "core/base/utc.h"

namespace foresight {

std::string utcText(std::time_t secondsSinceEpoch)
{
    std::tm utc{};
    ::gmtime_r(&secondsSinceEpoch, &utc);
    char text[32];
    return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

std::string utcNowText()
{
    return utcText(std::time(nullptr));
}

} // namespace foresight
