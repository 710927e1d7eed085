// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/gpu.h"

#include <array>
#include <utility>

namespace foresight {

namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 18> kOutcomes{{
    {Outcome::Ok, "ok"},
    {Outcome::BuildFailed, "build_failed"},
    {Outcome::LaunchRejected, "launch_rejected"},
    {Outcome::WrongResult, "wrong_result"},
    {Outcome::NotWritten, "not_written"},
    {Outcome::Replayed, "replayed"},
    {Outcome::Nondeterministic, "nondeterministic"},
    {Outcome::OutOfBounds, "out_of_bounds"},
    {Outcome::InputModified, "input_modified"},
    {Outcome::Escaped, "escaped"},
    {Outcome::Suspect, "suspect"},
    {Outcome::Timeout, "timeout"},
    {Outcome::Crashed, "crashed"},
    {Outcome::OutOfMemory, "out_of_memory"},
    {Outcome::Unknown, "unknown"},
    {Outcome::GpuUnwell, "gpu_unwell"},
    {Outcome::Cancelled, "cancelled"},
    {Outcome::Internal, "internal"},
}};

} // namespace

std::string_view outcomeName(Outcome outcome)
{
    for (const auto& [value, name] : kOutcomes)
        if (value == outcome)
            return name;
    return "internal";
}

Outcome outcomeFromName(std::string_view name)
{
    for (const auto& [value, text] : kOutcomes)
        if (text == name)
            return value;
    return Outcome::Internal;
}

std::string_view stageName(Stage stage)
{
    switch (stage) {
    case Stage::Compile:
        return "compile";
    case Stage::Verify:
        return "verify";
    case Stage::Measure:
        return "measure";
    }
    return "compile";
}

} // namespace foresight
