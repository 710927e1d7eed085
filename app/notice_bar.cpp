// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/notice_bar.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QResizeEvent>
#include <QToolButton>

#include <algorithm>

namespace foresight {

NoticeBar::NoticeBar(QWidget* parent) : QWidget(parent), m_label(new StatusLabel(this)), m_button(new QPushButton(this))
{
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_label->setWordWrap(true);
    layout->addWidget(m_label, 1);
    layout->addWidget(m_button);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    connect(m_button, &QPushButton::clicked, this, [this] {
        const auto action = m_onAction; // dismiss clears it
        dismiss();
        if (action)
            action();
    });
}

void NoticeBar::showNotice(StatusKind kind, const QString& text, const QString& action, std::function<void()> onAction)
{
    m_label->setStatus(kind, text);
    m_button->setVisible(!action.isEmpty());
    m_button->setText(action);
    m_onAction = std::move(onAction);
    updateGeometry();
    emit shownChanged(true);
}

QSize NoticeBar::sizeHint() const
{
    const int least = fontMetrics().averageCharWidth() * 40;
    return {least, layout()->heightForWidth(std::max(width(), least))};
}

QSize NoticeBar::minimumSizeHint() const
{
    return sizeHint();
}

void NoticeBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void NoticeBar::dismiss()
{
    m_onAction = {};
    emit shownChanged(false);
}

QString NoticeBar::text() const
{
    return m_label->text();
}

} // namespace foresight
