// SPDX-License-Identifier: GPL-3.0-or-later
// What a panel shows while it has nothing: an icon, what would fill it, and the action that does.
// EmptyStateStack switches between that and the real content. GUI thread.
#pragma once

#include <QStackedWidget>
#include <QWidget>

class QLabel;
class QPushButton;

namespace foresight {

class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    EmptyState(const QString& iconName, const QString& title, const QString& text, const QString& action = {},
               QWidget* parent = nullptr);

    void setIconName(const QString& name); // of themedIcon
    void setTitle(const QString& title);
    void setText(const QString& text);
    void setAction(const QString& text); // empty: no button
    QPushButton* button() const { return m_button; }
    QString text() const;

signals:
    void actionTriggered();

protected:
    void changeEvent(QEvent* event) override;

private:
    void updateIcon();

    QString m_iconName;
    QLabel* m_icon = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QPushButton* m_button = nullptr;
};

class EmptyStateStack : public QStackedWidget
{
    Q_OBJECT
public:
    // Takes both; shows the empty state first.
    EmptyStateStack(QWidget* content, EmptyState* empty, QWidget* parent = nullptr);
    void setHasContent(bool has);
    bool hasContent() const { return currentIndex() == 0; }
    EmptyState* emptyState() const { return m_empty; }

private:
    EmptyState* m_empty = nullptr;
};

} // namespace foresight
