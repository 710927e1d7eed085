// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/plan.h"

#include "core/base/hash.h"
#include "core/base/json.h"

namespace foresight {

namespace {

// Line ends and trailing blanks do not change a kernel.
std::string normalised(std::string_view source)
{
    std::string out, line;
    std::size_t at = 0;
    while (at < source.size()) {
        std::size_t end = source.find('\n', at);
        if (end == std::string_view::npos)
            end = source.size();
        std::string_view text = source.substr(at, end - at);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
            text.remove_suffix(1);
        out += text;
        out += '\n';
        at = end + 1;
    }
    while (out.size() >= 2 && out.ends_with("\n\n"))
        out.pop_back();
    return out;
}

} // namespace

std::string KernelPlan::contentHash() const
{
    KernelPlan copy = *this;
    copy.source = normalised(source);
    copy.family.clear();
    for (PlanRequirement& requirement : copy.requirements)
        requirement.message.clear(); // wording does not change the kernel
    return sha256Hex(canonicalJson(planToJson(copy)));
}

} // namespace foresight
