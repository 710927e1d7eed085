// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/empty_state.h"

#include "widgets/theme.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace foresight {

EmptyState::EmptyState(QWidget* parent) : EmptyState({}, {}, {}, {}, parent) {}

EmptyState::EmptyState(const QString& iconName, const QString& title, const QString& text,
                       const QString& action, QWidget* parent)
    : QWidget(parent), m_iconName(iconName), m_icon(new QLabel(this)), m_title(new QLabel(this)),
      m_text(new QLabel(this)), m_button(new QPushButton(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(m_icon, 0, Qt::AlignHCenter);
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addSpacing(4);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    for (QLabel* label : {m_title, m_text}) {
        label->setAlignment(Qt::AlignHCenter);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    m_icon->setAccessibleName(QString());
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &EmptyState::updateIcon);
    setTitle(title);
    setText(text);
    setAction(action);
    updateIcon();
}

void EmptyState::setIconName(const QString& name)
{
    m_iconName = name;
    updateIcon();
}

void EmptyState::setTitle(const QString& title)
{
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    setAccessibleName(title);
}

void EmptyState::setText(const QString& text)
{
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    setAccessibleDescription(text);
}

void EmptyState::setAction(const QString& text)
{
    m_button->setText(text);
    m_button->setVisible(!text.isEmpty());
}

QString EmptyState::text() const
{
    return m_text->text();
}

void EmptyState::updateIcon()
{
    const QIcon icon = m_iconName.isEmpty() ? QIcon() : themedIcon(m_iconName, ColorRole::Ghost);
    const int side = fontMetrics().height() * 3;
    m_icon->setVisible(!icon.isNull());
    if (!icon.isNull())
        m_icon->setPixmap(icon.pixmap(QSize(side, side), devicePixelRatioF()));
    QPalette p = m_text->palette();
    p.setColor(QPalette::WindowText, currentTheme().color(ColorRole::TextSecondary));
    m_text->setPalette(p);
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateIcon();
}

EmptyStateStack::EmptyStateStack(QWidget* content, EmptyState* empty, QWidget* parent)
    : QStackedWidget(parent), m_empty(empty)
{
    addWidget(content);
    addWidget(empty);
    setCurrentIndex(1);
}

void EmptyStateStack::setHasContent(bool has)
{
    if (has == hasContent())
        return;
    // The focus must not stay on a widget that went away.
    const bool hadFocus = currentWidget()->isAncestorOf(focusWidget());
    setCurrentIndex(has ? 0 : 1);
    if (hadFocus)
        currentWidget()->setFocus();
}

} // namespace foresight
