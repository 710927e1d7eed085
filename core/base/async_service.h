// SPDX-License-Identifier: Apache-2.0
// The shape of every slow service of a search (generator, forecaster, GPU): submit returns at once, replies reach
// one sink. A live service calls the sink from its own threads. A recorded service calls it only from inside
// `submit` or `advance`, on the caller's thread, in the order of its virtual clock, which makes searches on
// recorded data deterministic.
#pragma once

#include "core/base/ids.h"

#include <functional>

namespace foresight {

template <typename Request, typename Reply>
class AsyncService {
public:
    using Sink = std::function<void(JobId, Reply)>;
    virtual ~AsyncService() = default;

    // Must be called once, before the first submit. The sink must be safe to call from any thread.
    virtual void setSink(Sink sink) = 0;
    virtual JobId submit(Request request) = 0;
    // The reply may still arrive (as cancelled or finished); exactly one reply per job is guaranteed.
    virtual void cancel(JobId job) = 0;
    // Recorded services deliver their next reply in virtual-clock order and return true; live services return
    // false (their replies come by themselves) and so does a recorded one with nothing pending.
    virtual bool advance() { return false; }
};

} // namespace foresight
