// SPDX-License-Identifier: Apache-2.0
// A profile in its session: tables profile_meta, profile_operator, profile_kernel
// (core/store/schema_profile.cpp).
#include "core/profile/operator_json.h"
#include "core/profile/profile.h"

#include "core/base/json.h"
#include "core/store/database.h"
#include "core/store/session.h"

namespace foresight {

namespace {

Json metaJson(const Profile& profile)
{
    return Json{{"title", profile.title},
                {"command", profile.command},
                {"gpu_name", profile.gpuName},
                {"driver", profile.driver},
                {"cuda", profile.cuda},
                {"torch", profile.torch},
                {"python", profile.python},
                {"date", profile.date},
                {"revision", profile.revision},
                {"steps", profile.steps},
                {"wall_ns", profile.wallNs},
                {"gpu_ns", profile.gpuNs},
                {"launch_bound_ns", profile.launchBoundNs},
                {"probe_overhead_ns", profile.probeOverheadNs},
                {"notes", profile.notes},
                {"records",
                 {{"received", profile.records.received},
                  {"dropped", profile.records.dropped},
                  {"untimed", profile.records.untimed},
                  {"unmatched", profile.records.unmatched},
                  {"disturbed_by", profile.records.disturbedBy}}},
                {"gpu", profile.gpu.name.empty() ? Json() : gpuSpecToJson(profile.gpu)}};
}

Result<void> metaFromJson(const Json& json, Profile& profile)
{
    constexpr const char* what = "the session's profile";
    const std::pair<const char*, std::string*> texts[] = {
        {"title", &profile.title},   {"command", &profile.command}, {"gpu_name", &profile.gpuName},
        {"driver", &profile.driver}, {"cuda", &profile.cuda},       {"torch", &profile.torch},
        {"python", &profile.python}, {"date", &profile.date},       {"revision", &profile.revision}};
    for (const auto& [key, target] : texts) {
        FS_TRY(value, jsonString(json, key, what));
        *target = std::move(value);
    }
    const std::pair<const char*, double*> numbers[] = {{"wall_ns", &profile.wallNs},
                                                       {"gpu_ns", &profile.gpuNs},
                                                       {"launch_bound_ns", &profile.launchBoundNs},
                                                       {"probe_overhead_ns", &profile.probeOverheadNs}};
    for (const auto& [key, target] : numbers) {
        FS_TRY(value, jsonNumber(json, key, what));
        *target = value;
    }
    FS_TRY(steps, jsonInteger(json, "steps", what));
    profile.steps = steps;
    const auto records = json.find("records");
    if (records == json.end() || !records->is_object())
        return makeError(ErrorCode::Corrupt, "The session's profile has no record counts");
    const std::pair<const char*, std::int64_t*> counts[] = {{"received", &profile.records.received},
                                                            {"dropped", &profile.records.dropped},
                                                            {"untimed", &profile.records.untimed},
                                                            {"unmatched", &profile.records.unmatched}};
    for (const auto& [key, target] : counts) {
        FS_TRY(value, jsonInteger(*records, key, what));
        *target = value;
    }
    FS_TRY(disturbed, jsonString(*records, "disturbed_by", what));
    profile.records.disturbedBy = std::move(disturbed);
    if (const auto notes = json.find("notes"); notes != json.end() && notes->is_array()) {
        for (const auto& note : *notes) {
            if (note.is_string())
                profile.notes.push_back(note.get<std::string>());
        }
    }
    if (const auto gpu = json.find("gpu"); gpu != json.end() && gpu->is_object()) {
        FS_TRY(spec, gpuSpecFromJson(*gpu, what));
        profile.gpu = std::move(spec);
    }
    return {};
}

Result<void> saveOperators(Database& database, const Profile& profile)
{
    FS_TRY(insert,
           database.prepare("INSERT INTO profile_operator(id, descriptor, module_path, module_paths, calls, "
                            "gpu_ns, mean_ns, min_ns, max_ns, p50_ns, p95_ns, floor_ns, floor_kind, bytes, "
                            "flops, headroom_ns, share, overlaps_with) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
                            "?,?,?)"));
    FS_TRY(insertKernel,
           database.prepare("INSERT INTO profile_kernel(operator, position, name, calls, gpu_ns, "
                            "grid_x, grid_y, grid_z, block_x, block_y, block_z, registers, "
                            "static_shared, dynamic_shared) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    for (const auto& op : profile.operators) {
        insert.bind(1, op.id.value)
            .bind(2, std::string_view(canonicalJson(operatorToJson(op.description))))
            .bind(3, std::string_view(op.modulePath))
            .bind(4, std::string_view(canonicalJson(Json(op.modulePaths))))
            .bind(5, op.calls);
        const double values[] = {op.gpuNs, op.meanNs, op.minNs, op.maxNs, op.p50Ns, op.p95Ns, op.floorNs};
        int column = 6;
        for (const double value : values)
            insert.bind(column++, value);
        insert.bind(13, static_cast<std::int64_t>(op.floorKind))
            .bind(14, op.bytes)
            .bind(15, op.flops)
            .bind(16, op.headroomNs)
            .bind(17, op.share)
            .bind(18, op.overlapsWith.value);
        FS_CHECK(insert.run());
        std::int64_t position = 0;
        for (const auto& kernel : op.kernels) {
            insertKernel.bind(1, op.id.value)
                .bind(2, position++)
                .bind(3, std::string_view(kernel.name))
                .bind(4, kernel.calls)
                .bind(5, kernel.gpuNs);
            for (int i = 0; i < 3; ++i)
                insertKernel.bind(6 + i, kernel.grid[i]).bind(9 + i, kernel.block[i]);
            insertKernel.bind(12, static_cast<std::int64_t>(kernel.registers))
                .bind(13, kernel.staticShared)
                .bind(14, kernel.dynamicShared);
            FS_CHECK(insertKernel.run());
        }
    }
    return {};
}

Result<void> loadKernels(const Database& database, Profile& profile)
{
    FS_TRY(select,
           database.prepare("SELECT operator, name, calls, gpu_ns, grid_x, grid_y, grid_z, block_x, block_y, "
                            "block_z, registers, static_shared, dynamic_shared FROM profile_kernel ORDER BY "
                            "operator, position"));
    std::unordered_map<std::int64_t, std::size_t> indexOf;
    for (std::size_t i = 0; i < profile.operators.size(); ++i)
        indexOf[profile.operators[i].id.value] = i;
    for (;;) {
        FS_TRY(row, select.step());
        if (!row)
            return {};
        const auto owner = indexOf.find(select.integer(0));
        if (owner == indexOf.end())
            return makeError(ErrorCode::Corrupt, "The session has a kernel without its operator");
        auto& kernel = profile.operators[owner->second].kernels.emplace_back();
        kernel.name = select.text(1);
        kernel.calls = select.integer(2);
        kernel.gpuNs = select.real(3);
        for (int i = 0; i < 3; ++i) {
            kernel.grid[i] = select.integer(4 + i);
            kernel.block[i] = select.integer(7 + i);
        }
        kernel.registers = static_cast<int>(select.integer(10));
        kernel.staticShared = select.integer(11);
        kernel.dynamicShared = select.integer(12);
    }
}

} // namespace

Result<void> saveProfile(Session& session, const Profile& profile)
{
    if (session.readOnly())
        return makeError(ErrorCode::Unsupported, session.path() + " is open for reading only",
                         "Save a copy first.");
    Database& database = session.database();
    FS_TRY(transaction, Transaction::begin(database));
    FS_CHECK(database.execute(
        "DELETE FROM profile_meta; DELETE FROM profile_operator; DELETE FROM profile_kernel;"));
    FS_TRY(insert, database.prepare("INSERT INTO profile_meta(key, value) VALUES('profile', ?)"));
    insert.bind(1, std::string_view(canonicalJson(metaJson(profile))));
    FS_CHECK(insert.run());
    FS_CHECK(saveOperators(database, profile));
    return transaction.commit();
}

Result<Profile> loadProfile(const Session& session)
{
    // Reading does not change the connection's content; Session hands its database out non-const only.
    const Database& database = const_cast<Session&>(session).database();
    Profile profile;
    {
        FS_TRY(select, database.prepare("SELECT value FROM profile_meta WHERE key = 'profile'"));
        FS_TRY(row, select.step());
        if (!row)
            return makeError(ErrorCode::NotFound, "This session holds no profile",
                             "Record one with `foresight-cli profile -- COMMAND`.");
        FS_TRY(json, parseJson(select.text(0), "the session's profile"));
        FS_CHECK(metaFromJson(json, profile));
    }
    FS_TRY(select, database.prepare(
                       "SELECT id, descriptor, module_path, module_paths, calls, gpu_ns, mean_ns, min_ns, "
                       "max_ns, p50_ns, p95_ns, floor_ns, floor_kind, bytes, flops, headroom_ns, share, "
                       "overlaps_with FROM profile_operator ORDER BY headroom_ns DESC, gpu_ns DESC, id"));
    for (;;) {
        FS_TRY(row, select.step());
        if (!row)
            break;
        ProfiledOperator op;
        op.id = OperatorId(select.integer(0));
        FS_TRY(descriptor, parseJson(select.text(1), "an operator of the session"));
        FS_TRY(description, operatorFromJson(descriptor));
        op.description = std::move(description);
        op.modulePath = select.text(2);
        FS_TRY(paths, parseJson(select.text(3), "an operator's module paths"));
        for (const auto& path : paths) {
            if (path.is_string())
                op.modulePaths.push_back(path.get<std::string>());
        }
        op.calls = select.integer(4);
        double* const values[] = {&op.gpuNs, &op.meanNs, &op.minNs,  &op.maxNs,
                                  &op.p50Ns, &op.p95Ns,  &op.floorNs};
        int column = 5;
        for (double* value : values)
            *value = select.real(column++);
        const std::int64_t kind = select.integer(12);
        if (kind < 0 || kind > static_cast<std::int64_t>(FloorKind::None))
            return makeError(ErrorCode::Corrupt, "The session has an operator with an unknown kind of floor");
        op.floorKind = static_cast<FloorKind>(kind);
        op.bytes = select.real(13);
        op.flops = select.real(14);
        op.headroomNs = select.real(15);
        op.share = select.real(16);
        op.overlapsWith = OperatorId(select.integer(17));
        profile.operators.push_back(std::move(op));
    }
    FS_CHECK(loadKernels(database, profile));
    return profile;
}

} // namespace foresight
