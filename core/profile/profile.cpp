// SPDX-License-Identifier: Apache-2.0
#include "core/profile/profile.h"

#include <cmath>

namespace foresight {

namespace {

std::string percent(double share)
{
    const double value = share * 100;
    const double rounded = value < 10 ? std::round(value * 10) / 10 : std::round(value);
    std::string text = std::to_string(rounded);
    text.erase(text.find('.') + 2);
    if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0)
        text.erase(text.size() - 2);
    return text + " %";
}

} // namespace

std::string Profile::distrust() const
{
    if (!records.disturbedBy.empty())
        return "Disturbed by " + records.disturbedBy +
               ": it took over the GPU's activity records, so part of the work is missing. Record again "
               "without it.";
    double workCount = 0;
    for (const auto& op : operators) {
        if (!op.overlapsWith.valid()) {
            for (const auto& kernel : op.kernels)
                workCount += static_cast<double>(kernel.calls);
        }
    }
    if (workCount == 0 && records.untimed == 0)
        return "No GPU work was recorded.";
    const auto share = [](std::int64_t part, double whole) { return static_cast<double>(part) / whole; };
    if (const double all = static_cast<double>(records.received + records.dropped);
        all > 0 && share(records.dropped, all) > 0.01)
        return percent(share(records.dropped, all)) +
               " of the records were dropped: the counts are too low. Record "
               "fewer steps, or on a less busy machine.";
    const double launches = workCount + static_cast<double>(records.untimed);
    if (share(records.untimed, launches) > 0.01)
        return percent(share(records.untimed, launches)) +
               " of the kernels came without times: CUPTI's device buffer was too small.";
    if (share(records.unmatched, launches) > 0.10)
        return percent(share(records.unmatched, launches)) +
               " of the GPU work could not be matched to an operator: it is shown by kernel name only.";
    return {};
}

} // namespace foresight
