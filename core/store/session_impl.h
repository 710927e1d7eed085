// SPDX-License-Identifier: Apache-2.0
// The inside of a Session, shared by its three .cpp files only.
#pragma once

#include "core/store/database.h"
#include "core/store/session.h"
#include "core/store/writer_lock.h"

#include <map>
#include <optional>

namespace foresight {

struct Session::Impl
{
    std::string path;
    // Before `database`: the lock is given back only after the connection is closed.
    WriterLock lock;
    std::unique_ptr<Database> database;
    bool readOnly = false;
    std::string readOnlyReason;
    std::map<std::int64_t, std::int64_t> lastSeq; // of the searches written to
    std::optional<Statement> insertEvent, insertText;

    Result<void> mayWrite() const;
    Result<void> prepareWriting();
    Result<std::int64_t> lastSeqOf(std::int64_t search);
    ~Impl();
};

} // namespace foresight
