// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "core/base/file.h"

#include <charconv>

namespace foresight::cli {
namespace {

Value parseValue(const std::string& text)
{
    if (text == "true" || text == "false")
        return text == "true";
    const char* end = text.data() + text.size();
    std::int64_t integer = 0;
    if (const auto parsed = std::from_chars(text.data(), end, integer);
        parsed.ec == std::errc{} && parsed.ptr == end)
        return integer;
    double real = 0;
    if (const auto parsed = std::from_chars(text.data(), end, real);
        parsed.ec == std::errc{} && parsed.ptr == end)
        return real;
    return text;
}

} // namespace

Result<Symbols> parseAssignments(Output& output, const std::vector<std::string>& words,
                                 const std::string& option)
{
    Symbols symbols;
    for (const std::string& word : words) {
        for (std::size_t from = 0; from <= word.size();) {
            const std::size_t to = std::min(word.find(',', from), word.size());
            const std::string part = word.substr(from, to - from);
            from = to + 1;
            const auto equals = part.find('=');
            if (equals == 0 || equals == std::string::npos || equals + 1 == part.size())
                return output.usage(option + ": \"" + part + "\" is not of the form name=value",
                                    "write for example " + option + " N=1 C=128");
            const std::string name = part.substr(0, equals);
            if (!symbols.emplace(name, parseValue(part.substr(equals + 1))).second)
                return output.usage(option + ": " + name + " is given twice");
        }
    }
    return symbols;
}

Result<DType> parseDtype(Output& output, const std::string& name)
{
    const DType type = dtypeFromName(name);
    if (type == DType::Unknown)
        return output.usage("--dtype: \"" + name + "\" is not a data type", "for example f32, f16 or bf16");
    return type;
}

Result<LoadedFamilies> loadFamilies(Output& output)
{
    FS_TRY(folder, dataFolder());
    FS_TRY(registry, FamilyRegistry::load(folder, joinPath(userDataFolder(), "kernels")));
    for (const Error& problem : registry.problems())
        output.note("skipped a family: " + problem.toString());
    return LoadedFamilies{folder, std::move(registry)};
}

Result<std::shared_ptr<const Family>> findFamily(Output& output, const FamilyRegistry& registry,
                                                 const std::string& name)
{
    if (auto family = registry.find(name))
        return family;
    std::string names;
    for (const auto& family : registry.families())
        names += (names.empty() ? "" : ", ") + family->name();
    return output.usage("there is no family \"" + name + "\"", "the families are: " + names);
}

Result<Problem> makeProblem(Output& output, const Family& family, const ProblemArguments& arguments)
{
    FS_TRY(symbols, parseAssignments(output, arguments.shape, "--shape"));
    FS_TRY(dtype, parseDtype(output, arguments.dtype));
    auto problem = family.makeProblem(dtype, arguments.layout, symbols);
    if (!problem)
        return output.usage(problem.error().message, problem.error().hint);
    return problem;
}

} // namespace foresight::cli
