// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error{code, message, hint}. Every fallible function of core returns one; exceptions
// stop at library edges. An Error's message says what failed and why, its hint what the user can do about it.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace foresight {

enum class ErrorCode {
    Cancelled,       // asked to stop; not a failure
    InvalidArgument, // the caller's or the user's input is wrong
    NotFound,
    Unsupported, // valid, but this build, machine or file cannot do it
    ParseError,
    IoError,
    Corrupt, // a file of ours that cannot be what it claims to be
    Busy,    // somebody else holds the lock
    ResourceLimit,
    Timeout,
    ProcessFailed,
    CompileFailed,
    GpuError,
    Internal,
};

// Stable name used in JSON output, e.g. "invalid_argument".
std::string_view errorCodeName(ErrorCode code);

struct [[nodiscard]] Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string hint;

    bool isCancelled() const { return code == ErrorCode::Cancelled; }
    // "message (hint)" for logs and terminals.
    std::string toString() const;
    // The same error seen from further out: "context: message".
    Error within(std::string_view context) const;
};

inline Error makeError(ErrorCode code, std::string message, std::string hint = {})
{
    return Error{code, std::move(message), std::move(hint)};
}

template <typename T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { assert(ok()); return *std::get_if<0>(&m_state); }
    const T& value() const& { assert(ok()); return *std::get_if<0>(&m_state); }
    T&& value() && { assert(ok()); return std::move(*std::get_if<0>(&m_state)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const& { assert(!ok()); return *std::get_if<1>(&m_state); }
    Error&& error() && { assert(!ok()); return std::move(*std::get_if<1>(&m_state)); }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)) {}

    bool ok() const { return !m_error.has_value(); }
    explicit operator bool() const { return ok(); }
    const Error& error() const& { assert(!ok()); return *m_error; }
    Error&& error() && { assert(!ok()); return std::move(*m_error); }

private:
    std::optional<Error> m_error;
};

} // namespace foresight

// FS_TRY(name, expression): binds the value or returns the error from the enclosing function.
#define FS_CONCAT_(a, b) a##b
#define FS_CONCAT(a, b) FS_CONCAT_(a, b)
#define FS_TRY(name, expression)                                                                             \
    auto FS_CONCAT(fsResult_, __LINE__) = (expression);                                                      \
    if (!FS_CONCAT(fsResult_, __LINE__))                                                                     \
        return std::move(FS_CONCAT(fsResult_, __LINE__)).error();                                            \
    auto name = std::move(FS_CONCAT(fsResult_, __LINE__)).value()
// FS_CHECK(expression): for Result<void>; returns the error from the enclosing function.
#define FS_CHECK(expression)                                                                                 \
    do {                                                                                                     \
        auto fsStatus_ = (expression);                                                                       \
        if (!fsStatus_)                                                                                      \
            return std::move(fsStatus_).error();                                                             \
    } while (false)
