// SPDX-License-Identifier: Apache-2.0
// What the compile child and its parent say to one another: one JSON line of sizes and facts, then raw bytes
// (source one way, log and CUBIN the other), so that any bytes survive. Uses core/base only: it is part of
// the worker.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace foresight {

struct CompileJob
{
    std::string library;            // path of libnvrtc, or a name for the dynamic loader
    std::string name = "kernel.cu"; // as it appears in messages
    std::string source;             // empty: only report version and architectures
    std::vector<std::string> options;
};

struct CompileAnswer
{
    enum class Status { Ok, SourceRejected, LibraryMissing, LibraryFailed } status = Status::LibraryFailed;
    std::string message; // for anything but Ok
    int versionMajor = 0, versionMinor = 0;
    std::vector<int> archs; // 75, 80, ...
    double seconds = 0;     // of nvrtcCompileProgram
    std::string log, cubin;
};

std::string encodeCompileJob(const CompileJob& job);
Result<CompileJob> decodeCompileJob(std::string_view bytes);
std::string encodeCompileAnswer(const CompileAnswer& answer);
Result<CompileAnswer> decodeCompileAnswer(std::string_view bytes);

// Entry point of `foresight-worker --compile`: a job on stdin, an answer on stdout.
int compileMain(int argc, char** argv);

} // namespace foresight
