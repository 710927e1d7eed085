// SPDX-License-Identifier: Apache-2.0
// Development program: records a profile into a session with nothing but the profile and store libraries, for
// machines where the command line program is not installed.
//   record_profile [--out S.fsight] [--raw STREAM] [--title T] [--warmup N] [--plain N] [--steps N] [--probe
//   LIB]
//                  [--data FOLDER] -- COMMAND...
//   record_profile --from STREAM --out S.fsight [--title T] [--driver V]
// The second form makes a session of a stream that --raw has kept: profiles are a pure function of it.
#include "core/base/file.h"
#include "core/base/version.h"
#include "core/kernels/tensor.h"
#include "core/profile/profile_builder.h"
#include "core/profile/recorder.h"
#include "core/profile/wire_parser.h"
#include "core/store/session.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

std::string operatorLine(const foresight::ProfiledOperator& op)
{
    std::string line = op.description.name;
    for (const auto& input : op.description.inputs) {
        if (input.dtype == foresight::DType::Unknown && input.shape.empty())
            continue;
        line += " " + std::string(foresight::dtypeName(input.dtype)) + "[";
        for (std::size_t i = 0; i < input.shape.size(); ++i)
            line += (i ? "," : "") + std::to_string(input.shape[i]);
        line += "]";
    }
    return line;
}

void print(const foresight::Profile& profile)
{
    std::printf("%s: %s, driver %s, torch %s, %lld steps, wall %.3f ms, gpu %.3f ms, launch-bound %.3f ms, "
                "probe %.3f ms\n",
                profile.title.c_str(), profile.gpuName.c_str(), profile.driver.c_str(), profile.torch.c_str(),
                static_cast<long long>(profile.steps), profile.wallNs / 1e6, profile.gpuNs / 1e6,
                profile.launchBoundNs / 1e6, profile.probeOverheadNs / 1e6);
    std::printf(
        "records: received %lld dropped %lld untimed %lld unmatched %lld\n",
        static_cast<long long>(profile.records.received), static_cast<long long>(profile.records.dropped),
        static_cast<long long>(profile.records.untimed), static_cast<long long>(profile.records.unmatched));
    long long launches = 0;
    for (const auto& op : profile.operators) {
        for (const auto& kernel : op.kernels)
            launches += op.overlapsWith.valid() ? 0 : kernel.calls;
    }
    std::printf("launches %lld gpu_ns %.0f\n", launches, profile.gpuNs);
    for (const auto& note : profile.notes)
        std::printf("note: %s\n", note.c_str());
    if (const auto why = profile.distrust(); !why.empty())
        std::printf("distrust: %s\n", why.c_str());
    int shown = 0;
    for (const auto& op : profile.operators) {
        if (shown++ == 25)
            break;
        std::printf("%4lld %6lld x %10.1f us  floor %9.1f us%s  headroom %10.1f us %5.1f %%%s  %s\n",
                    static_cast<long long>(op.id.value), static_cast<long long>(op.calls), op.meanNs / 1e3,
                    op.floorNs / 1e3, op.floorKind == foresight::FloorKind::Estimate ? "?" : " ",
                    op.headroomNs / 1e3, op.share * 100, op.overlapsWith.valid() ? " (overlaps)" : "",
                    operatorLine(op).c_str());
    }
}

foresight::Result<foresight::Profile> profileFromStream(const std::string& stream,
                                                        foresight::ProfileBuildOptions build,
                                                        const foresight::RecordOptions& options)
{
    FS_TRY(bytes, foresight::readFile(stream));
    foresight::WireParser parser;
    FS_CHECK(parser.feed(bytes));
    parser.finish();
    FS_TRY(data, foresight::dataFolder());
    FS_TRY(families, foresight::FamilyRegistry::load(data));
    build.serve = foresight::servedBy(families);
    build.revision = foresight::kRevision;
    if (!parser.records().devices.empty()) {
        if (auto spec = foresight::findGpuSpec(data, parser.records().devices.front().name))
            build.gpu = std::move(spec).value();
    }
    auto profile = foresight::buildProfile(parser.records(), build);
    if (!options.out.empty()) {
        FS_TRY(session, foresight::Session::create(options.out));
        FS_CHECK(foresight::saveProfile(*session, profile));
    }
    return profile;
}

} // namespace

int main(int argc, char** argv)
{
    foresight::RecordOptions options;
    foresight::ProfileBuildOptions build;
    std::string from;
    int at = 1;
    for (; at + 1 < argc && std::string(argv[at]) != "--"; at += 2) {
        const std::string name = argv[at], value = argv[at + 1];
        if (name == "--out")
            options.out = value;
        else if (name == "--raw")
            options.rawOut = value;
        else if (name == "--title")
            options.title = value;
        else if (name == "--warmup")
            options.warmup = std::atoi(value.c_str());
        else if (name == "--plain")
            options.plainSteps = std::atoi(value.c_str());
        else if (name == "--steps")
            options.steps = std::atoi(value.c_str());
        else if (name == "--probe")
            options.probeLibrary = value;
        else if (name == "--data")
            options.dataFolder = value;
        else if (name == "--from")
            from = value;
        else if (name == "--driver")
            build.driver = value;
        else
            break;
    }
    if (!from.empty()) {
        build.title = options.title;
        const auto profile = profileFromStream(from, build, options);
        if (!profile) {
            std::fprintf(stderr, "record_profile: %s\n", profile.error().toString().c_str());
            return 1;
        }
        print(*profile);
        return 0;
    }
    if (at >= argc || std::string(argv[at]) != "--") {
        std::fprintf(stderr, "usage: record_profile [options] -- COMMAND...\n");
        return 2;
    }
    options.command.assign(argv + at + 1, argv + argc);
    const auto profile = foresight::recordProfile(
        options, [](const foresight::RecordProgress& now) { std::fputs(now.output.c_str(), stderr); });
    if (!profile) {
        std::fprintf(stderr, "record_profile: %s\n", profile.error().toString().c_str());
        return 1;
    }
    print(*profile);
    return 0;
}
