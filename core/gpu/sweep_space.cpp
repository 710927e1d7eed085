// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/sweep_space.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace foresight {

namespace {

double median(std::vector<double> values)
{
    if (values.empty())
        return 0;
    const std::size_t middle = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
    if (values.size() % 2 == 1)
        return values[middle];
    const double upper = values[middle];
    return (*std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle)) + upper) /
           2;
}

bool succeeded(const GpuReply& reply)
{
    return reply.outcome == Outcome::Ok && reply.timing && reply.timing->candidateNs > 0;
}

void shuffle(std::vector<std::int64_t>& items, Random& random)
{
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[random.below(i)]);
}

std::vector<double> scaled(std::vector<double> samples, double factor)
{
    for (double& sample : samples)
        sample *= factor;
    return samples;
}

std::size_t fractionOf(std::size_t count, double fraction)
{
    return static_cast<std::size_t>(std::ceil(static_cast<double>(count) * fraction));
}

} // namespace

std::vector<std::int64_t> sweepOrder(std::size_t configurations, std::size_t limit, std::uint64_t seed,
                                     std::int64_t anchorIndex)
{
    std::vector<std::int64_t> order(configurations);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    Random random(seed);
    shuffle(order, random);
    if (limit == 0 || limit >= configurations)
        return order;
    // A part of a space must still hold its anchor.
    const auto anchor = std::find(order.begin(), order.end(), anchorIndex);
    if (anchor != order.end() && anchor - order.begin() >= static_cast<std::ptrdiff_t>(limit))
        std::swap(*anchor, order[limit - 1]);
    order.resize(limit);
    return order;
}

SweepTable::SweepTable(const SweepOptions& options, const std::vector<SweepRecord>& records)
    : m_options(options)
{
    for (const SweepRecord& record : records) {
        switch (record.kind) {
        case SweepRecord::Kind::Main:
            m_main[record.index] = &record.reply;
            break;
        case SweepRecord::Kind::Again:
            m_again[record.index] = &record.reply;
            break;
        case SweepRecord::Kind::Anchor:
            if (succeeded(record.reply)) {
                m_anchors.push_back(record.reply.timing->anchorNs);
                m_anchors.push_back(record.reply.timing->candidateNs); // it is the anchor too
            }
            break;
        }
    }
    m_anchorNs = median(m_anchors);
}

std::optional<double> SweepTable::estimateNs(std::int64_t index) const
{
    const auto first = m_main.find(index), again = m_again.find(index);
    const GpuReply* reply = again != m_again.end()  ? again->second
                            : first != m_main.end() ? first->second
                                                    : nullptr;
    if (reply == nullptr || !succeeded(*reply))
        return std::nullopt;
    return m_anchorNs * std::exp(-reply->timing->lnRatio);
}

std::size_t SweepTable::failures() const
{
    return static_cast<std::size_t>(std::count_if(
        m_main.begin(), m_main.end(), [](const auto& entry) { return !succeeded(*entry.second); }));
}

std::vector<std::int64_t> SweepTable::sortedValid() const
{
    std::vector<std::int64_t> valid;
    for (const auto& [index, reply] : m_main)
        if (succeeded(*reply))
            valid.push_back(index);
    std::stable_sort(valid.begin(), valid.end(), [this](std::int64_t a, std::int64_t b) {
        return m_main.at(a)->timing->lnRatio > m_main.at(b)->timing->lnRatio;
    });
    return valid;
}

std::optional<std::int64_t> SweepTable::best() const
{
    std::optional<std::int64_t> found;
    for (const auto& [index, reply] : m_main)
        if (const auto time = estimateNs(index); time && (!found || *time < *estimateNs(*found)))
            found = index;
    return found;
}

std::vector<std::int64_t> SweepTable::randomRows() const
{
    std::vector<std::int64_t> valid = sortedValid();
    std::sort(valid.begin(), valid.end());
    Random random(m_options.seed ^ 0x616761696e21ull);
    const std::size_t count = fractionOf(valid.size(), m_options.againRandom);
    shuffle(valid, random);
    valid.resize(std::min(valid.size(), count));
    return valid;
}

std::vector<std::int64_t> SweepTable::chosenForAgain() const
{
    std::vector<std::int64_t> valid = sortedValid();
    const std::size_t top = std::max(fractionOf(valid.size(), m_options.againTop),
                                     static_cast<std::size_t>(std::max(0, m_options.againTopAtLeast)));
    valid.resize(std::min(valid.size(), top));
    std::set<std::int64_t> chosen(valid.begin(), valid.end());
    for (const std::int64_t index : randomRows())
        chosen.insert(index);
    std::vector<std::int64_t> order(chosen.begin(), chosen.end());
    Random random(m_options.seed ^ 0x6f72646572ull);
    shuffle(order, random);
    return order;
}

std::vector<std::int64_t> SweepTable::overtaken() const
{
    double bestAgain = 0;
    for (const auto& [index, reply] : m_again)
        if (const auto time = estimateNs(index); time && (bestAgain == 0 || *time < bestAgain))
            bestAgain = *time;
    std::vector<std::int64_t> rows;
    for (const auto& [index, reply] : m_main)
        if (const auto time = estimateNs(index); time && *time < bestAgain && !m_again.contains(index))
            rows.push_back(index);
    return rows;
}

double SweepTable::noiseFloor() const
{
    const auto differences = [this](const std::vector<std::int64_t>& rows) {
        std::vector<double> found;
        for (const std::int64_t index : rows) {
            const auto first = m_main.find(index), second = m_again.find(index);
            if (first != m_main.end() && second != m_again.end() && succeeded(*first->second) &&
                succeeded(*second->second))
                found.push_back(second->second->timing->lnRatio - first->second->timing->lnRatio);
        }
        return found;
    };
    // The random rows are not selected by their luck. With too few of them all repeated rows must do.
    std::vector<double> deltas = differences(randomRows());
    if (deltas.size() < 8) {
        std::vector<std::int64_t> all;
        for (const auto& [index, reply] : m_again)
            all.push_back(index);
        deltas = differences(all);
    }
    if (deltas.empty())
        return 0;
    double squares = 0;
    for (const double delta : deltas)
        squares += delta * delta;
    // A difference of two measurements has twice the variance of one.
    return std::sqrt(squares / static_cast<double>(deltas.size()) / 2);
}

std::string SweepTable::driftNote() const
{
    if (m_anchors.empty())
        return "the anchor was never measured alone";
    const auto [low, high] = std::minmax_element(m_anchors.begin(), m_anchors.end());
    const auto percent = [this](double value) {
        const double rounded = std::round((value / m_anchorNs - 1) * 1000) / 10;
        std::string text = std::to_string(rounded);
        return (rounded >= 0 ? "+" : "") + text.substr(0, text.find('.') + 2) + " %";
    };
    std::string text = "anchor measured alone " + std::to_string(m_anchors.size() / 2) + " times: median " +
                       std::to_string(std::llround(m_anchorNs)) + " ns, range " + percent(*low) + " to " +
                       percent(*high) + "; its drift is divided out of every time. In order, ns:";
    for (std::size_t i = 0; i < m_anchors.size(); i += 2)
        text += " " + std::to_string(std::llround(m_anchors[i]));
    return text;
}

RecordedRow SweepTable::row(std::int64_t index) const
{
    RecordedRow row;
    const auto first = m_main.find(index);
    if (first == m_main.end())
        return row;
    const GpuReply& reply = *first->second;
    row.outcome = reply.outcome;
    row.message = reply.message;
    row.resources = reply.resources;
    row.costs = reply.costs;
    if (reply.verification) {
        row.maxAbsError = reply.verification->maxAbsError;
        row.maxRelError = reply.verification->maxRelError;
    }
    const auto again = m_again.find(index);
    if (again != m_again.end() && !succeeded(*again->second)) {
        row.outcome = again->second->outcome == Outcome::Ok ? Outcome::Internal : again->second->outcome;
        row.message = "succeeded at first, failed when it was measured again: " + again->second->message;
    }
    if (row.outcome != Outcome::Ok)
        return row;
    const Timing& timing = *reply.timing;
    const auto drift = [this](const Timing& t) { return t.anchorNs > 0 ? m_anchorNs / t.anchorNs : 1; };
    row.samplesNs = scaled(timing.candidateSamplesNs, drift(timing));
    if (again != m_again.end())
        row.sampleSets.push_back(
            scaled(again->second->timing->candidateSamplesNs, drift(*again->second->timing)));
    // A row that was measured again counts by that: the first number is what it was chosen for.
    const Timing& counted = again != m_again.end() ? *again->second->timing : timing;
    row.timeNs = *estimateNs(index);
    row.anchorNs = counted.anchorNs;
    row.lnRatio = counted.lnRatio;
    row.lnLow = counted.lnLow;
    row.lnHigh = counted.lnHigh;
    row.look = counted.look;
    row.truncated = counted.truncated;
    row.nearLimit = counted.nearLimit;
    row.regime = counted.regime;
    return row;
}

} // namespace foresight
