// SPDX-License-Identifier: Apache-2.0
// What a range's or mark's text says: PyTorch's emit_nvtx format, the hook's compact JSON (marked "fs"), or a
// user's own text. Never fails: what is not recognised is User text.
#pragma once

#include "core/kernels/family.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace foresight {

struct RangeText
{
    enum class Kind { Op, Module, Step, User } kind = Kind::User;
    std::string name; // op, module class, or the text itself
    // Op
    std::int64_t opId = 0;
    std::vector<std::vector<std::int64_t>> sizes;
    std::vector<std::pair<std::int64_t, int>> inputOps; // producer's op id (0: unknown), its output's number
    // Module
    std::string path;
    bool leaf = false;
    OperatorDescription description; // of a module: inputs and attributes
    // Step
    bool plain = false; // recorded without operator ranges, for undisturbed host timing
};
RangeText parseRangeText(const std::string& text);

// A message of the hook.
struct HookMessage
{
    enum class Kind { None, Ops, Info, Disturbed, Note } kind = Kind::None;
    struct Op
    {
        std::int64_t opId = 0;
        OperatorDescription description;
    };
    std::vector<Op> ops;                                   // dtypes, strides and scalars by op id
    std::vector<std::pair<std::string, std::string>> info; // torch, cuda, python, ...
    std::string text;                                      // who disturbed, or what to tell the user
};
HookMessage parseHookMessage(const std::string& text);

} // namespace foresight
