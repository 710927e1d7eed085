// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compile_wire.h"

#include "core/base/json.h"

#include <array>

namespace foresight {

namespace {

constexpr std::array<std::string_view, 4> kStatusNames{"ok", "source_rejected", "library_missing",
                                                       "library_failed"};

// Splits "{...}\n<bytes>" and parses the first part.
Result<Json> takeHeader(std::string_view& bytes, const char* what)
{
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos)
        return makeError(ErrorCode::Corrupt, std::string(what) + " has no header");
    auto header = parseJson(bytes.substr(0, end), what);
    bytes.remove_prefix(end + 1);
    if (header && !header->is_object())
        return makeError(ErrorCode::Corrupt, std::string(what) + " has a header that is not an object");
    return header;
}

Result<std::string> takeBytes(std::string_view& bytes, const Json& header, const char* key, const char* what)
{
    FS_TRY(size, jsonInteger(header, key, what));
    if (size < 0 || static_cast<std::uint64_t>(size) > bytes.size())
        return makeError(ErrorCode::Corrupt, std::string(what) + " is cut off");
    std::string taken(bytes.substr(0, static_cast<std::size_t>(size)));
    bytes.remove_prefix(static_cast<std::size_t>(size));
    return taken;
}

} // namespace

std::string encodeCompileJob(const CompileJob& job)
{
    // Options go as raw lines too: an include path may hold any bytes.
    std::string options;
    for (const std::string& option : job.options) {
        options += option;
        options += '\0';
    }
    const Json header{{"library", job.library.size()},
                      {"name", job.name.size()},
                      {"options", options.size()},
                      {"source", job.source.size()}};
    return canonicalJson(header) + "\n" + job.library + job.name + options + job.source;
}

Result<CompileJob> decodeCompileJob(std::string_view bytes)
{
    constexpr const char* kWhat = "the compile job";
    FS_TRY(header, takeHeader(bytes, kWhat));
    CompileJob job;
    FS_TRY(library, takeBytes(bytes, header, "library", kWhat));
    FS_TRY(name, takeBytes(bytes, header, "name", kWhat));
    FS_TRY(options, takeBytes(bytes, header, "options", kWhat));
    FS_TRY(source, takeBytes(bytes, header, "source", kWhat));
    job.library = std::move(library);
    job.name = std::move(name);
    job.source = std::move(source);
    for (std::size_t at = 0; at < options.size();) {
        const std::size_t end = options.find('\0', at);
        if (end == std::string::npos)
            return makeError(ErrorCode::Corrupt, "the compile job's options are cut off");
        job.options.push_back(options.substr(at, end - at));
        at = end + 1;
    }
    return job;
}

std::string encodeCompileAnswer(const CompileAnswer& answer)
{
    const Json header{{"status", std::string(kStatusNames[static_cast<std::size_t>(answer.status)])},
                      {"version", {answer.versionMajor, answer.versionMinor}},
                      {"archs", answer.archs},
                      {"seconds", answer.seconds},
                      {"message", answer.message.size()},
                      {"log", answer.log.size()},
                      {"cubin", answer.cubin.size()}};
    return canonicalJson(header) + "\n" + answer.message + answer.log + answer.cubin;
}

Result<CompileAnswer> decodeCompileAnswer(std::string_view bytes)
{
    constexpr const char* kWhat = "the compile answer";
    FS_TRY(header, takeHeader(bytes, kWhat));
    CompileAnswer answer;
    FS_TRY(status, jsonString(header, "status", kWhat));
    bool known = false;
    for (std::size_t i = 0; i < kStatusNames.size(); ++i)
        if (kStatusNames[i] == status) {
            answer.status = static_cast<CompileAnswer::Status>(i);
            known = true;
        }
    if (!known)
        return makeError(ErrorCode::Corrupt, "the compile answer has an unknown status");
    const auto version = header.find("version");
    const auto archs = header.find("archs");
    const auto integers = [](const Json& list) {
        for (const Json& item : list)
            if (!item.is_number_integer())
                return false;
        return true;
    };
    if (version == header.end() || !version->is_array() || version->size() != 2 || !integers(*version) ||
        archs == header.end() || !archs->is_array() || !integers(*archs))
        return makeError(ErrorCode::Corrupt, "the compile answer has no version");
    answer.versionMajor = version->at(0).get<int>();
    answer.versionMinor = version->at(1).get<int>();
    for (const Json& arch : *archs)
        answer.archs.push_back(arch.get<int>());
    FS_TRY(seconds, jsonNumber(header, "seconds", kWhat));
    answer.seconds = seconds;
    FS_TRY(message, takeBytes(bytes, header, "message", kWhat));
    FS_TRY(log, takeBytes(bytes, header, "log", kWhat));
    FS_TRY(cubin, takeBytes(bytes, header, "cubin", kWhat));
    answer.message = std::move(message);
    answer.log = std::move(log);
    answer.cubin = std::move(cubin);
    return answer;
}

} // namespace foresight
