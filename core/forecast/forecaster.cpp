// SPDX-License-Identifier: Apache-2.0
#include "core/forecast/forecaster.h"

#include "core/forecast/gp_forecaster.h"

namespace foresight {

Result<std::unique_ptr<Forecaster>> makeForecaster(std::string_view name, ForecasterContext context)
{
    if (!context.space || context.space->size() == 0)
        return makeError(ErrorCode::InvalidArgument,
                         "a forecaster needs a space with at least one configuration");
    if (name == "gp")
        return makeGpForecaster(std::move(context));
    if (name == "roofline")
        return makeRooflineForecaster(std::move(context));
    return makeError(ErrorCode::InvalidArgument, "unknown forecaster '" + std::string(name) + "'",
                     "Known forecasters: gp, roofline.");
}

} // namespace foresight
