// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/device_figures.h"

#include "core/base/json.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace foresight {

namespace {

using namespace std::chrono_literals;

constexpr auto kSpecTimeout = 60s;

// CUDA_VISIBLE_DEVICES renumbers devices: two processes that both see "device 0" may mean different ones.
std::string systemName(int device)
{
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    std::string_view list = visible != nullptr ? visible : "";
    for (int i = 0; !list.empty(); ++i) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (i == device)
            return std::string(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return std::to_string(device);
}

} // namespace

Result<DeviceFigures> readDevice(WorkerClient& worker, int device, std::stop_token stop)
{
    FS_TRY(text, worker.callSimple("spec", kSpecTimeout, stop));
    FS_TRY(json, parseJson(text, "the worker's device description"));
    const auto spec = json.find("spec");
    if (spec == json.end())
        return makeError(ErrorCode::Corrupt, "The worker's device description has no spec.");
    DeviceFigures figures;
    FS_TRY(parsed, gpuSpecFromJson(*spec, "the worker's device description"));
    figures.spec = std::move(parsed);
    const auto uuid = json.find("uuid");
    figures.lockName = uuid != json.end() && uuid->is_string() && !uuid->get<std::string>().empty()
                           ? uuid->get<std::string>()
                           : systemName(device);
    return figures;
}

} // namespace foresight
