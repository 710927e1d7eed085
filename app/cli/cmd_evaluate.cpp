// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/utc.h"
#include "core/base/version.h"
#include "core/search/evaluate_spaces.h"
#include "core/search/started.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace foresight::cli {
namespace {

struct Options
{
    EvaluationOptions evaluation;
    std::string mode = "mean";
};

std::string budgetText(const BudgetScore& score)
{
    return fmt::format("{:.3f} ({:.3f}){}", score.mean, score.random, score.belowRandom ? " !" : "");
}

void print(Output& output, const Evaluation& evaluation)
{
    std::vector<Column> columns = {{"space"}, {"search"}, {"policy"}, {"forecaster"}};
    if (!evaluation.aggregate.empty())
        for (const auto& budget : evaluation.aggregate.front().budgets)
            columns.push_back({fmt::format("at {}", budget.n), true});
    std::vector<std::vector<std::string>> rows;
    auto add = [&rows](const std::string& name, const SearchScore& score) {
        std::vector<std::string> row = {name, score.search, score.policy, score.forecaster};
        for (const auto& budget : score.budgets)
            row.push_back(budgetText(budget));
        rows.push_back(std::move(row));
    };
    for (const auto& space : evaluation.spaces)
        for (const auto& score : space.policies)
            add(fmt::format("{} ({} of {} valid{})", fileName(space.file), space.valid, space.configurations,
                            space.claimable ? "" : ", not claimable"),
                score);
    for (const auto& score : evaluation.aggregate)
        add("all", score);
    output.table(columns, rows);
    output.line(
        "Fraction of the optimum after so many unique measurements, and in brackets what random search is "
        "expected to reach; ! is below random.");
}

Result<void> check(Output& output, const EvaluationOptions& options)
{
    if (std::any_of(options.budgets.begin(), options.budgets.end(), [](int n) { return n <= 0; }))
        return output.usage("--budgets: every budget must be at least 1");
    for (const auto& search : options.searches)
        for (const auto& policy : options.policies) {
            SearchOptions combination = options.base;
            combination.search = search;
            combination.policy.name = policy;
            if (auto valid = checkSearchOptions(combination); !valid)
                return output.usage(valid.error().message, valid.error().hint);
        }
    return {};
}

Result<void> run(Invocation& invocation, const Options& options)
{
    Output& output = invocation.output;
    EvaluationOptions evaluation = options.evaluation;
    FS_CHECK(check(output, evaluation));
    if (options.mode != "mean" && options.mode != "noisy")
        return output.usage("--mode: \"" + options.mode + "\" is unknown", "choose mean or noisy");
    evaluation.mode = options.mode == "noisy" ? RecordedMode::Noisy : RecordedMode::Mean;
    std::sort(evaluation.budgets.begin(), evaluation.budgets.end());
    // A shell's FOLDER/* also names the licence files that lie beside the shipped spaces.
    std::erase_if(evaluation.files, [](const std::string& file) { return file.ends_with(".license"); });
    if (evaluation.files.empty())
        return output.usage("no recorded space is named", "name T4 files or Kernel Tuner cachefiles");
    std::unique_ptr<Progress> progress;
    auto result = evaluateSpaces(
        evaluation,
        [&](std::int64_t done, std::int64_t total) {
            if (!progress)
                progress = std::make_unique<Progress>(output, "searches", total);
            progress->update(done);
        },
        invocation.stop);
    progress.reset();
    if (!result)
        return result.error();
    print(output, *result);
    Json json = evaluationToJson(*result);
    json["date"] = utcNowText();
    json["revision"] = kRevision;
    json["seeds"] = evaluation.seeds;
    json["first_seed"] = evaluation.firstSeed;
    json["mode"] = options.mode;
    output.result(json);
    return {};
}

} // namespace

void addEvaluate(CLI::App& root, Commands& commands)
{
    auto options = std::make_shared<Options>();
    EvaluationOptions& evaluation = options->evaluation;
    evaluation.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    CLI::App* group = root.add_subcommand("evaluate", "Judge searches on recorded data");
    group->require_subcommand(1);
    group->footer(
        "Example:\n  foresight-cli evaluate spaces profiles/spaces/* --budgets 25,50,100,200 --seeds 20");
    CLI::App* app =
        group->add_subcommand("spaces", "Best found over the optimum after n measurements, against random");
    app->add_option("FILE", evaluation.files, "Recorded spaces (T4 or Kernel Tuner cachefiles)")->required();
    app->add_option("--search", evaluation.searches,
                    "Searches: puct, puct-paper, uct, ei, random, greedy, evolve")
        ->delimiter(',')
        ->capture_default_str();
    app->add_option("--policies", evaluation.policies, "Policies: improvement, all, top, confidence, risk")
        ->delimiter(',')
        ->capture_default_str();
    app->add_option("--forecaster", evaluation.base.forecaster, "gp or roofline")->capture_default_str();
    app->add_option("--budgets", evaluation.budgets, "Unique measurements, e.g. 25,50,100,200")
        ->delimiter(',')
        ->required();
    app->add_option("--seeds", evaluation.seeds, "Number of seeds")->check(CLI::PositiveNumber)->required();
    app->add_option("--first-seed", evaluation.firstSeed, "The first of the seeds")->capture_default_str();
    app->add_option("--mode", options->mode, "mean or noisy (draws one stored sample set per measurement)")
        ->capture_default_str();
    app->add_option("--threads", evaluation.threads, "Searches at a time")->check(CLI::PositiveNumber);
    app->footer(
        "Example:\n  foresight-cli evaluate spaces profiles/spaces/* --budgets 25,50,100,200 --seeds 20");
    commands.push_back({app, [options](Invocation& invocation) { return run(invocation, *options); }});
}

} // namespace foresight::cli
