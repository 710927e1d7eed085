// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

namespace foresight {

std::string_view errorCodeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::InvalidArgument:
        return "invalid_argument";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::ParseError:
        return "parse_error";
    case ErrorCode::IoError:
        return "io_error";
    case ErrorCode::Corrupt:
        return "corrupt";
    case ErrorCode::Busy:
        return "busy";
    case ErrorCode::ResourceLimit:
        return "resource_limit";
    case ErrorCode::Timeout:
        return "timeout";
    case ErrorCode::ProcessFailed:
        return "process_failed";
    case ErrorCode::CompileFailed:
        return "compile_failed";
    case ErrorCode::GpuError:
        return "gpu_error";
    case ErrorCode::Internal:
        return "internal";
    }
    return "internal";
}

std::string Error::toString() const
{
    return hint.empty() ? message : message + " (" + hint + ")";
}

Error Error::within(std::string_view context) const
{
    Error outer = *this;
    outer.message = std::string(context) + ": " + message;
    return outer;
}

} // namespace foresight
