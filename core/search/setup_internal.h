// SPDX-License-Identifier: Apache-2.0
// Inside core/search: the two halves of preparing a search.
#pragma once

#include "core/search/setup.h"

namespace foresight {

// Fills target, options, space and gpu of `prepared`.
Result<void> prepareRecorded(const SearchRequest& request, const std::optional<FoundProblem>& found,
                             PreparedSearch& prepared);
Result<void> prepareLocal(const SearchRequest& request, const FoundProblem& found, PreparedSearch& prepared,
                          std::stop_token stop);

Result<std::string> dataFolderOf(const SearchRequest& request);
// The plan of a configuration, computed once per index and kept.
std::function<Result<KernelPlan>(std::uint32_t)>
planMaker(std::shared_ptr<const Family> family, Problem problem, std::shared_ptr<const ConfigSpace> space);

} // namespace foresight
