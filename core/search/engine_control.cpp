// SPDX-License-Identifier: Apache-2.0
// The controls, from any thread: they leave a note in the mailbox and wake the engine.
#include "core/search/engine_impl.h"

namespace foresight {

void Engine::pause()
{
    m->mailbox->change([box = m->mailbox.get()] { box->paused = true; });
}

void Engine::resume()
{
    m->mailbox->change([box = m->mailbox.get()] {
        box->paused = box->gateEvents = false;
        box->expansionSteps = box->eventSteps = 0;
    });
}

void Engine::stepExpansion()
{
    m->mailbox->change([box = m->mailbox.get()] {
        box->paused = true;
        box->gateEvents = false;
        ++box->expansionSteps;
    });
}

void Engine::stepEvent()
{
    m->mailbox->change([box = m->mailbox.get()] {
        box->paused = box->gateEvents = true;
        ++box->eventSteps;
    });
}

void Engine::finish(std::string reason)
{
    m->mailbox->change([box = m->mailbox.get(), &reason] { box->finish = std::move(reason); });
}

void Engine::requestAction(UserActionKind action, NodeId node)
{
    m->mailbox->change([&, box = m->mailbox.get()] { box->actions.push_back({action, node}); });
}

} // namespace foresight
