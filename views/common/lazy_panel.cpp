// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/lazy_panel.h"

#include <QTimer>

namespace foresight {

void LazyPanel::scheduleRefresh()
{
    m_dirty = true;
    if (m_queued || !isVisible())
        return;
    m_queued = true;
    QTimer::singleShot(0, this, [this] {
        m_queued = false;
        if (m_dirty && isVisible())
            refreshNow();
    });
}

void LazyPanel::refreshNow()
{
    m_dirty = false;
    refresh();
}

void LazyPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_dirty)
        scheduleRefresh();
}

} // namespace foresight
