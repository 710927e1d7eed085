// SPDX-License-Identifier: Apache-2.0
// Builds the records of an imagined process for tests: ranges nest as they are opened, kernels follow each
// other on one stream.
#pragma once

#include "core/profile/probe_records.h"

#include <string>
#include <vector>

namespace foresight::test {

class RecordBuilder
{
public:
    ProbeRecords records;

    RecordBuilder& open(const std::string& text)
    {
        ProbeRange range;
        range.id = ++m_lastId;
        range.parent = m_open.empty() ? 0 : m_open.back();
        range.startNs = m_hostNs += 10;
        range.text = text;
        m_open.push_back(range.id);
        records.ranges.push_back(range);
        return *this;
    }
    RecordBuilder& close()
    {
        records.ranges[m_open.back() - 1].endNs = m_hostNs += 10;
        m_open.pop_back();
        return *this;
    }
    RecordBuilder& kernel(const std::string& name, std::uint64_t durationNs, std::uint64_t gapNs = 0,
                          bool matched = true)
    {
        std::uint32_t id = 0;
        for (const auto& [key, text] : records.names)
            id = text == name ? key : id;
        if (id == 0) {
            id = static_cast<std::uint32_t>(records.names.size() + 1);
            records.names[id] = name;
        }
        wire::Kernel kernel;
        kernel.name = id;
        m_gpuNs += gapNs;
        kernel.startNs = m_gpuNs;
        kernel.endNs = m_gpuNs += durationNs;
        kernel.correlation = ++m_correlation;
        kernel.grid[0] = 8;
        kernel.grid[1] = kernel.grid[2] = kernel.block[1] = kernel.block[2] = 1;
        kernel.block[0] = 256;
        kernel.registers = 32;
        records.kernels.push_back(kernel);
        wire::Launch launch;
        launch.correlation = m_correlation;
        launch.startNs = m_hostNs;
        records.launches.push_back(launch);
        if (!m_open.empty() && matched) {
            wire::External external;
            external.correlation = m_correlation;
            external.range = m_open.back();
            records.externals.push_back(external);
        }
        return *this;
    }
    // An operator with one kernel.
    RecordBuilder& op(const std::string& text, std::uint64_t durationNs)
    {
        return open(text).kernel("k", durationNs).close();
    }
    RecordBuilder& mark(const std::string& text)
    {
        records.marks.push_back({m_hostNs, 0, text});
        return *this;
    }
    ProbeRecords finished()
    {
        records.counts.received = records.kernels.size();
        records.finalCounts = true;
        return records;
    }

private:
    std::vector<std::uint64_t> m_open;
    std::uint64_t m_lastId = 0, m_hostNs = 1000, m_gpuNs = 2000;
    std::uint32_t m_correlation = 0;
};

} // namespace foresight::test
