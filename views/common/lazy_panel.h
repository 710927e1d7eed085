// SPDX-License-Identifier: GPL-3.0-or-later
// Base of all panels: a hidden panel does not refresh; it catches up once when shown. Several requests in one turn of
// the event loop become one refresh. GUI thread only.
#pragma once

#include <QWidget>

namespace foresight {

class LazyPanel : public QWidget {
    Q_OBJECT
public:
    explicit LazyPanel(QWidget* parent = nullptr) : QWidget(parent) {}

    // Refreshes at the next turn of the event loop, or when the panel is shown.
    void scheduleRefresh();
    // At once, also when hidden: before a picture is taken.
    void refreshNow();

protected:
    virtual void refresh() = 0;
    void showEvent(QShowEvent* event) override;

private:
    bool m_dirty = false;
    bool m_queued = false;
};

} // namespace foresight
