// SPDX-License-Identifier: GPL-3.0-or-later
// A filter box: plain text or regular expression, with an error state that says what is wrong, and "n of m".
// Emits after a short pause in typing (120 ms) or at once on Return. GUI thread.
#pragma once

#include <QPointer>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace foresight {

class FilterBar : public QWidget
{
    Q_OBJECT
public:
    explicit FilterBar(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    void setPlaceholder(const QString& text);
    bool regexMode() const;
    void setRegexMode(bool on);
    bool caseSensitive() const;
    void setCaseSensitive(bool on);
    // False while the text is no valid expression; the last valid filter stays in force.
    bool isValid() const { return m_error.isEmpty(); }
    QString errorText() const { return m_error; }
    QRegularExpression expression() const { return m_expression; }
    // "shown of total"; negative total hides it.
    void setCounts(qint64 shown, qint64 total);
    // Drives a proxy and keeps the counts of top-level rows (or of all rows when it filters recursively).
    void setProxy(QSortFilterProxyModel* proxy);
    QLineEdit* lineEdit() const { return m_edit; }

signals:
    // An empty pattern means: show all.
    void filterChanged(const QRegularExpression& expression);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void apply();
    void updateCounts();
    void countSoon();
    void watchSource();
    void updateLook();

    QLineEdit* m_edit = nullptr;
    QToolButton* m_regexButton = nullptr;
    QToolButton* m_caseButton = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_errorLabel = nullptr;
    QTimer* m_timer = nullptr;
    QTimer* m_countTimer = nullptr;
    QPointer<QSortFilterProxyModel> m_proxy;
    QPointer<QAbstractItemModel> m_source;
    QRegularExpression m_expression;
    QString m_error;
};

} // namespace foresight
