// SPDX-License-Identifier: Apache-2.0
// Parts of the recorded-space reader and writer; nothing outside core/gpu/recorded_* includes this.
#pragma once

#include "core/base/json_fwd.h"
#include "core/base/result.h"
#include "core/gpu/recorded_space.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace foresight::recorded {

inline constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;
inline constexpr std::size_t kMaxRows = 2'000'000;

// By content (magic bytes), never by name. More than `maxBytes` of text is a ResourceLimit error, or, with
// `prefixOnly`, simply cut there.
Result<std::string> decompress(std::string_view data, std::size_t maxBytes, bool prefixOnly = false);
// No time stamps inside: the same text gives the same bytes.
Result<std::string> compressGzip(std::string_view text);
Result<std::string> compressZstd(std::string_view text);

// Collects rows into a ConfigSpace. Parameters keep the order and the values they are declared with; values
// met only in rows are appended. A configuration met twice keeps its first row.
class SpaceBuilder
{
public:
    // Declares a parameter; a second time is ignored.
    void declare(TuningParameter parameter);
    // `configuration` must name every parameter; unknown names are declared while no row exists yet.
    Result<void> add(const std::vector<std::pair<std::string, Value>>& configuration, RecordedRow row);
    std::size_t rows() const { return m_rows.size(); }
    std::size_t duplicates() const { return m_duplicates; }
    // Moves everything into `space`.
    void finish(RecordedSpace& space);

private:
    Result<std::uint16_t> codeOf(std::size_t parameter, const Value& value);

    std::vector<TuningParameter> m_parameters;
    std::map<std::string, std::size_t, std::less<>> m_places;
    std::vector<std::unordered_map<std::string, std::uint16_t>> m_codesByText;
    std::vector<std::uint16_t> m_codes;
    std::unordered_map<std::string, std::size_t> m_seen;
    std::vector<RecordedRow> m_rows;
    std::size_t m_duplicates = 0;
};

// One pass over JSON text that need not be complete.
struct JsonOutline
{
    std::vector<std::string> keys; // of objects two levels deep, in order
    std::size_t completeEnd = 0;   // just behind the last complete value three levels deep
    std::string closing;           // what is needed behind it to close the text
};
JsonOutline outlineJson(std::string_view text);
// NaN and Infinity, which Python writes and JSON does not know, become null.
std::string withoutNonFinite(std::string_view text);

// Numbers, bools and strings as they are; anything else as its JSON text.
Value valueFromJson(const Json& json);
// Finite number or `otherwise`.
double numberOr(const Json& object, const char* key, double otherwise);
std::string textOr(const Json& object, const char* key, std::string otherwise = {});
std::vector<double> numbersOf(const Json& array);
// The outcome behind an error text of a foreign tuner.
Outcome outcomeOfText(std::string_view text);

// `keyOrder`: the keys of "cache" as they stand in the file (a Json object is sorted).
Result<RecordedSpace> fromKernelTuner(const Json& root, const std::vector<std::string>& keyOrder);
Result<RecordedSpace> fromT4(const Json& root);
Result<RecordedSpace> fromKtt(const Json& root);
std::string toT4(const RecordedSpace& space);
// The `metadata` object of one of our files.
Result<RecordedSpaceHeader> headerFromMetadata(const Json& metadata);

} // namespace foresight::recorded
