// SPDX-License-Identifier: GPL-3.0-or-later
// A line above the panels for what needs attention but must not block: an error with its hint, an interrupted search
// that can be resumed. Stays until read; its text can be selected and copied.
#pragma once

#include "widgets/status_label.h"

#include <QWidget>

#include <functional>

class QPushButton;

namespace foresight {

class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showNotice(StatusKind kind, const QString& text, const QString& action = {}, std::function<void()> onAction = {});
    void dismiss();
    QString text() const;
    QPushButton* button() const { return m_button; }
    // As high as the text needs at the width there is: a tool bar asks for nothing else.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void shownChanged(bool shown);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    StatusLabel* m_label;
    QPushButton* m_button;
    std::function<void()> m_onAction;
};

} // namespace foresight
