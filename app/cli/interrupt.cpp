// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <unistd.h>

namespace foresight::cli {

// SIGUSR1, sent by the destructor, ends the waiting thread.
Interrupt::Interrupt()
{
    sigemptyset(&m_signals);
    for (int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
        sigaddset(&m_signals, number);
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_thread = std::thread([this] {
        for (;;) {
            int number = 0;
            if (sigwait(&m_signals, &number) != 0 || number == SIGUSR1)
                return;
            if (m_source.stop_requested())
                ::_exit(128 + number);
            m_source.request_stop();
        }
    });
}

Interrupt::~Interrupt()
{
    pthread_kill(m_thread.native_handle(), SIGUSR1);
    m_thread.join();
}

} // namespace foresight::cli
