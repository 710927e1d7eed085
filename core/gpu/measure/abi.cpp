// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/measure.h"

#include "core/base/json.h"
#include "core/gpu/measure/session.h"
#include "core/gpu/protocol_json.h"

#include <cstdlib>
#include <cstring>
#include <exception>

using foresight::Error;
using foresight::Json;
using foresight::measure::Session;

struct fsm_session
{
    std::unique_ptr<Session> session;
};

namespace {

char* copyText(const std::string& text)
{
    auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy)
        std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

std::string errorText(const Error& error)
{
    return foresight::canonicalJson(Json{
        {"code", foresight::errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint}});
}

} // namespace

int fsm_version(void)
{
    return foresight::protocol::kVersion;
}

fsm_session* fsm_open(const char* options, char** error)
{
    const auto refuse = [error](const Error& failure) -> fsm_session* {
        if (error)
            *error = copyText(errorText(failure));
        return nullptr;
    };
    try {
        const auto parsed = foresight::parseJson(options ? options : "{}", "the options");
        if (!parsed)
            return refuse(parsed.error());
        auto opened = Session::open(static_cast<int>(foresight::protocol::integer(*parsed, "device", 0)),
                                    foresight::protocol::text(*parsed, "cacheFolder"));
        if (!opened)
            return refuse(opened.error());
        return new fsm_session{std::move(opened).value()};
    } catch (const std::exception& exception) {
        return refuse(foresight::makeError(foresight::ErrorCode::Internal, exception.what()));
    }
}

void fsm_close(fsm_session* session)
{
    delete session;
}

char* fsm_call(fsm_session* session, const char* json, size_t json_bytes, const void* binary,
               size_t binary_bytes, int* fatal)
{
    bool lost = false;
    char* reply = nullptr;
    try {
        reply = copyText(session->session->call(
            std::string_view(json, json_bytes),
            binary_bytes ? std::string_view(static_cast<const char*>(binary), binary_bytes)
                         : std::string_view(),
            &lost));
    } catch (const std::exception& exception) {
        // Out of memory or a value of the wrong kind in a request: the session's state is unknown.
        lost = true;
        const Error error = foresight::makeError(foresight::ErrorCode::Internal, exception.what());
        reply = copyText("{\"error\":" + errorText(error) + ",\"fatal\":true,\"ok\":false}");
    }
    if (fatal)
        *fatal = lost;
    return reply;
}

void fsm_free(char* text)
{
    std::free(text);
}

void* fsm_stream(fsm_session* session)
{
    return session->session->stream();
}

uint64_t fsm_tensor_address(fsm_session* session, const char* name)
{
    return session->session->tensorAddress(name);
}

void fsm_baseline_callback(fsm_session* session, fsm_enqueue enqueue, void* user)
{
    foresight::measure::TimedWork work;
    if (enqueue)
        work.enqueue = [enqueue, user](CUstream stream) -> foresight::Result<void> {
            if (const int status = enqueue(user, stream); status != 0)
                return foresight::makeError(foresight::ErrorCode::InvalidArgument,
                                            "The baseline failed with status " + std::to_string(status) +
                                                ".");
            return {};
        };
    session->session->setBaseline(std::move(work));
}

void fsm_baseline_graph(fsm_session* session, void* graph)
{
    foresight::measure::TimedWork work;
    work.graph = static_cast<CUgraph>(graph);
    session->session->setBaseline(std::move(work));
}
