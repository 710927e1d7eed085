// SPDX-License-Identifier: Apache-2.0
// Everything one process's probe sent, as plain values in arrival order (which is not time order).
#pragma once

#include "core/probe/wire.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace foresight {

struct ProbeRange
{
    std::uint64_t id = 0, parent = 0;
    std::uint64_t startNs = 0, endNs = 0; // endNs 0: never closed
    std::uint32_t thread = 0;
    std::string text;
};

struct ProbeMark
{
    std::uint64_t timestampNs = 0;
    std::uint32_t thread = 0;
    std::string text;
};

struct ProbeStatus
{
    wire::Severity severity = wire::Severity::Info;
    int cuptiResult = 0;
    std::string message, advice;
};

struct ProbeDevice
{
    wire::Device values;
    std::string name;
};

struct ProbeRecords
{
    wire::Hello hello; // pid 0: the process never introduced itself
    std::string command, cuptiPath;
    std::unordered_map<std::uint32_t, std::string> names;
    std::vector<wire::Kernel> kernels;
    std::vector<wire::Memory> memory;
    std::vector<wire::External> externals;
    std::vector<wire::Launch> launches;
    std::vector<ProbeRange> ranges;
    std::vector<ProbeMark> marks;
    std::vector<ProbeStatus> statuses;
    std::vector<ProbeDevice> devices;
    wire::Counts counts;
    bool finalCounts = false; // the process said goodbye
    std::uint64_t missingBatches = 0, badRecords = 0, unknownRecords = 0, truncatedBytes = 0;
};

} // namespace foresight
