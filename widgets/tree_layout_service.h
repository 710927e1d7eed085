// SPDX-License-Identifier: GPL-3.0-or-later
// Lays trees out on a thread of its own. A new request replaces one that still waits; results come to
// the receiver's thread with the request's number. Joined on destruction; owned by the canvas (GUI thread).
#pragma once

#include "widgets/tree_layout.h"

#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace foresight {

class TreeLayoutService
{
public:
    using Done = std::function<void(std::shared_ptr<const TreeLayout>, quint64 generation)>;

    // `done` is called in receiver's thread; never after the receiver or this is gone.
    TreeLayoutService(QObject* receiver, Done done);
    ~TreeLayoutService();

    void request(TreeLayoutInput input, quint64 generation);

private:
    void run(const std::stop_token& stop);

    QObject* m_receiver;
    Done m_done;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<TreeLayoutInput> m_input;
    quint64 m_generation = 0;
    std::atomic<bool> m_stopCurrent{false};
    std::jthread m_thread;
};

} // namespace foresight
