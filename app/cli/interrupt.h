// SPDX-License-Identifier: Apache-2.0
// Ctrl-C and SIGTERM as a stop token: the first one asks the command to end cleanly, a second one ends the
// program at once. Make it before any thread starts, so that every thread leaves the signals to this one.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace foresight::cli {

class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    std::stop_token token() const { return m_source.get_token(); }

private:
    sigset_t m_signals{};
    std::stop_source m_source;
    std::thread m_thread;
};

} // namespace foresight::cli
