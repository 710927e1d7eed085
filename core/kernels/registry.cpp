// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/kernels/family.h"

namespace foresight {

Result<FamilyRegistry> FamilyRegistry::load(const std::string& dataFolder, const std::string& userFolder)
{
    FamilyRegistry registry;
    const std::string shipped = joinPath(dataFolder, "resources/kernels");
    FS_TRY(names, listFolder(shipped));
    for (const std::string& name : names) {
        const std::string folder = joinPath(shipped, name);
        if (!fileExists(joinPath(folder, "family.json")))
            continue;
        FS_TRY(family, Family::load(folder));
        if (registry.find(family->name()))
            return makeError(ErrorCode::Corrupt, "two shipped families are called '" + family->name() + "'");
        registry.m_families.push_back(family);
    }
    if (userFolder.empty() || !folderExists(userFolder))
        return registry;
    FS_TRY(own, listFolder(userFolder));
    for (const std::string& name : own) {
        const std::string folder = joinPath(userFolder, name);
        if (!fileExists(joinPath(folder, "family.json")))
            continue;
        auto family = Family::load(folder);
        if (!family)
            registry.m_problems.push_back(family.error());
        else if (registry.find((*family)->name()))
            registry.m_problems.push_back(
                makeError(ErrorCode::InvalidArgument,
                          folder + ": there is already a family called '" + (*family)->name() + "'",
                          "Give your family another name."));
        else
            registry.m_families.push_back(*family);
    }
    return registry;
}

std::shared_ptr<const Family> FamilyRegistry::find(std::string_view name) const
{
    for (const auto& family : m_families)
        if (family->name() == name)
            return family;
    return nullptr;
}

std::vector<FamilyRegistry::Match> FamilyRegistry::match(const OperatorDescription& op) const
{
    std::vector<Match> matches;
    for (const auto& family : m_families)
        if (auto problem = family->match(op))
            matches.push_back({family, std::move(*problem)});
    return matches;
}

} // namespace foresight
