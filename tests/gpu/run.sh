#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything that must run on a machine with a GPU: tests/gpu/run.sh [CHECK...], default all. Builds the agent preset
# unless FORESIGHT_BUILD names a build folder with bin/gpu_driver in it. Result files go to $OUT (default: build/gpu-out).
set -u
cd "$(dirname "$0")/../.."
out=${OUT:-build/gpu-out}
mkdir -p "$out"
build=${FORESIGHT_BUILD:-}
if [ -z "$build" ]; then
    build=build/agent
    cmake --preset agent >"$out/configure.log" 2>&1 && cmake --build "$build" --target foresight-worker gpu_driver \
        >"$out/build.log" 2>&1 || { tail -40 "$out/configure.log" "$out/build.log"; exit 1; }
fi
[ $# -gt 0 ] || set -- doctor unit planted same speed torch
export FORESIGHT_DATA="$PWD"
status=0
for check in "$@"; do
    timeout "${CHECK_TIMEOUT:-120}" "$build/bin/gpu_driver" "$PWD" "$out" "$check" 2>&1 | tee "$out/$check.log"
    grep -q "^== $check: 0 failures" "$out/$check.log" || status=1
done
exit $status
