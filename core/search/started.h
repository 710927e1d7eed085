// SPDX-License-Identifier: Apache-2.0
// The payload of search_started: everything needed to run the same search again. Pure.
#pragma once

#include "core/search/engine.h"

#include <string>
#include <string_view>

namespace foresight {

struct StartedPayload
{
    SearchOptions options;
    std::string operatorName, problemKey;
    std::string gpu; // GpuInfo::description
    bool recorded = false;
    std::string baseline; // what a speedup of 1 is: options.baselineName, or "first successful measurement"
    std::string family, layout; // of the problem, when there is one
    DType dtype = DType::Unknown;
    Symbols symbols;
    std::size_t configurations = 0;
    std::string spaceHash; // sha256 over all configurations, in order
};
std::string encodePayload(const StartedPayload& payload);
Result<StartedPayload> decodeStarted(std::string_view payload);

std::string searchOptionsToJson(const SearchOptions& options);
Result<SearchOptions> searchOptionsFromJson(std::string_view json);
// InvalidArgument when a value cannot be meant.
Result<void> checkSearchOptions(const SearchOptions& options);

std::string spaceHash(const ConfigSpace& space);

} // namespace foresight
