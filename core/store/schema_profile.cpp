// SPDX-License-Identifier: Apache-2.0
#include "core/store/schema.h"

namespace foresight {

std::string_view profileSchemaV1()
{
    // The descriptor is the operator's description as JSON (kind, name, inputs, scalars, attributes). Times
    // are in nanoseconds, per recorded window unless the column says otherwise.
    return R"sql(
CREATE TABLE profile_meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE profile_operator(
    id INTEGER PRIMARY KEY,
    descriptor TEXT NOT NULL,
    module_path TEXT NOT NULL,
    module_paths TEXT NOT NULL,
    calls INTEGER NOT NULL,
    gpu_ns REAL NOT NULL,
    mean_ns REAL NOT NULL,
    min_ns REAL NOT NULL,
    max_ns REAL NOT NULL,
    p50_ns REAL NOT NULL,
    p95_ns REAL NOT NULL,
    floor_ns REAL NOT NULL,
    floor_kind INTEGER NOT NULL,
    bytes REAL NOT NULL,
    flops REAL NOT NULL,
    headroom_ns REAL NOT NULL,
    share REAL NOT NULL,
    overlaps_with INTEGER NOT NULL);
CREATE TABLE profile_kernel(
    operator INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    calls INTEGER NOT NULL,
    gpu_ns REAL NOT NULL,
    grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
    block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
    registers INTEGER NOT NULL,
    static_shared INTEGER NOT NULL,
    dynamic_shared INTEGER NOT NULL,
    PRIMARY KEY(operator, position)) WITHOUT ROWID;
)sql";
}

} // namespace foresight
