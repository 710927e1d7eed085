// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tree_layout_service.h"

#include <QMetaObject>

namespace foresight {

TreeLayoutService::TreeLayoutService(QObject* receiver, Done done)
    : m_receiver(receiver), m_done(std::move(done)),
      m_thread([this](const std::stop_token& stop) { run(stop); })
{
}

TreeLayoutService::~TreeLayoutService()
{
    m_stopCurrent = true;
    m_thread.request_stop();
    m_thread.join();
}

void TreeLayoutService::request(TreeLayoutInput input, quint64 generation)
{
    const std::lock_guard lock(m_mutex);
    m_input = std::move(input);
    m_generation = generation;
    m_wake.notify_one();
}

void TreeLayoutService::run(const std::stop_token& stop)
{
    while (true) {
        TreeLayoutInput input;
        quint64 generation = 0;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_input.has_value(); }))
                return;
            input = std::move(*m_input);
            m_input.reset();
            generation = m_generation;
        }
        auto layout = std::make_shared<const TreeLayout>(layoutTree(input, &m_stopCurrent));
        if (stop.stop_requested())
            return;
        // Queued to the receiver; Qt drops the call when the receiver goes first.
        QMetaObject::invokeMethod(
            m_receiver, [done = m_done, layout = std::move(layout), generation] { done(layout, generation); },
            Qt::QueuedConnection);
    }
}

} // namespace foresight
