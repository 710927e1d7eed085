// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/filter_bar.h"

#include "widgets/number_format.h"
#include "widgets/theme.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStyle>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace foresight {

namespace {

constexpr int kTypingPauseMs = 120;
constexpr int kCountPauseMs = 50;

QToolButton* makeToggle(QWidget* parent, const QString& icon, const QString& toolTip)
{
    auto* button = new QToolButton(parent);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setIcon(themedIcon(icon));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

// Rows a person could see: all levels when the proxy filters recursively, else the top level.
qint64 countRows(const QAbstractItemModel* model, const QModelIndex& parent, bool recursive)
{
    const int rows = model->rowCount(parent);
    qint64 count = rows;
    if (recursive) {
        for (int row = 0; row < rows; ++row) {
            const QModelIndex child = model->index(row, 0, parent);
            if (!(model->flags(child) & Qt::ItemNeverHasChildren))
                count += countRows(model, child, true);
        }
    }
    return count;
}

} // namespace

FilterBar::FilterBar(QWidget* parent)
    : QWidget(parent), m_edit(new QLineEdit(this)),
      m_regexButton(makeToggle(this, QStringLiteral("regex"), tr("Regular expression"))),
      m_caseButton(makeToggle(this, QStringLiteral("case"), tr("Match case"))), m_count(new QLabel(this)),
      m_errorLabel(new QLabel(this)), m_timer(new QTimer(this)), m_countTimer(new QTimer(this))
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(2);
    outer->addLayout(line);
    outer->addWidget(m_errorLabel);
    line->addWidget(m_edit, 1);
    line->addWidget(m_regexButton);
    line->addWidget(m_caseButton);
    line->addSpacing(4);
    line->addWidget(m_count);

    m_edit->setClearButtonEnabled(true);
    m_edit->setPlaceholderText(tr("Filter"));
    m_edit->setAccessibleName(tr("Filter"));
    m_edit->addAction(themedIcon(QStringLiteral("filter"), ColorRole::TextSecondary),
                      QLineEdit::LeadingPosition);
    m_edit->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    m_count->hide();
    m_errorLabel->hide();
    m_errorLabel->setWordWrap(true);
    m_errorLabel->setTextFormat(Qt::PlainText);
    setFocusProxy(m_edit);

    m_timer->setSingleShot(true);
    m_timer->setInterval(kTypingPauseMs);
    m_countTimer->setSingleShot(true);
    m_countTimer->setInterval(kCountPauseMs);
    connect(m_countTimer, &QTimer::timeout, this, &FilterBar::updateCounts);
    connect(m_timer, &QTimer::timeout, this, &FilterBar::apply);
    connect(m_edit, &QLineEdit::textChanged, m_timer, qOverload<>(&QTimer::start));
    connect(m_edit, &QLineEdit::returnPressed, this, &FilterBar::apply);
    connect(m_regexButton, &QToolButton::toggled, this, &FilterBar::apply);
    connect(m_caseButton, &QToolButton::toggled, this, &FilterBar::apply);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &FilterBar::updateLook);
    updateLook();
}

QString FilterBar::text() const
{
    return m_edit->text();
}

void FilterBar::setText(const QString& text)
{
    m_edit->setText(text);
    apply();
}

void FilterBar::setPlaceholder(const QString& text)
{
    m_edit->setPlaceholderText(text);
    m_edit->setAccessibleName(text);
}

bool FilterBar::regexMode() const
{
    return m_regexButton->isChecked();
}

void FilterBar::setRegexMode(bool on)
{
    m_regexButton->setChecked(on);
}

bool FilterBar::caseSensitive() const
{
    return m_caseButton->isChecked();
}

void FilterBar::setCaseSensitive(bool on)
{
    m_caseButton->setChecked(on);
}

void FilterBar::apply()
{
    m_timer->stop();
    const QString text = m_edit->text();
    QRegularExpression expression(regexMode() ? text : QRegularExpression::escape(text),
                                  caseSensitive() ? QRegularExpression::NoPatternOption
                                                  : QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        m_error = tr("Not a valid expression at character %1: %2. The last valid filter stays in force.")
                      .arg(expression.patternErrorOffset() + 1)
                      .arg(expression.errorString());
        updateLook();
        return;
    }
    m_error.clear();
    updateLook();
    if (expression == m_expression)
        return;
    m_expression = expression;
    if (m_proxy)
        m_proxy->setFilterRegularExpression(expression);
    updateCounts();
    emit filterChanged(expression);
}

void FilterBar::setCounts(qint64 shown, qint64 total)
{
    m_count->setVisible(total >= 0);
    m_count->setText(tr("%1 of %2", "rows shown of all rows").arg(formatCount(shown), formatCount(total)));
}

void FilterBar::setProxy(QSortFilterProxyModel* proxy)
{
    if (m_proxy)
        m_proxy->disconnect(this);
    m_proxy = proxy;
    if (!proxy)
        return;
    proxy->setFilterRegularExpression(m_expression);
    connect(proxy, &QAbstractProxyModel::sourceModelChanged, this, &FilterBar::watchSource);
    // The proxy alone says nothing about rows it hides.
    connect(proxy, &QAbstractItemModel::rowsInserted, this, &FilterBar::countSoon);
    connect(proxy, &QAbstractItemModel::rowsRemoved, this, &FilterBar::countSoon);
    connect(proxy, &QAbstractItemModel::modelReset, this, &FilterBar::countSoon);
    watchSource();
    updateCounts();
}

void FilterBar::watchSource()
{
    if (m_source)
        m_source->disconnect(this);
    m_source = m_proxy ? m_proxy->sourceModel() : nullptr;
    if (!m_source)
        return;
    connect(m_source, &QAbstractItemModel::rowsInserted, this, &FilterBar::countSoon);
    connect(m_source, &QAbstractItemModel::rowsRemoved, this, &FilterBar::countSoon);
    connect(m_source, &QAbstractItemModel::modelReset, this, &FilterBar::countSoon);
    countSoon();
}

// Rows stream in by the thousand; counting all levels again for each would cost more than showing them.
void FilterBar::countSoon()
{
    if (!m_countTimer->isActive())
        m_countTimer->start();
}

void FilterBar::updateCounts()
{
    if (!m_proxy || !m_proxy->sourceModel())
        return;
    const bool recursive = m_proxy->isRecursiveFilteringEnabled();
    setCounts(countRows(m_proxy, {}, recursive), countRows(m_proxy->sourceModel(), {}, recursive));
}

void FilterBar::updateLook()
{
    const Theme& theme = currentTheme();
    QPalette p = QApplication::palette();
    m_errorLabel->setVisible(!m_error.isEmpty());
    m_errorLabel->setText(m_error.isEmpty() ? QString() : QChar(0x26A0) + QStringLiteral(" ") + m_error);
    m_edit->setToolTip(m_error);
    m_edit->setAccessibleDescription(m_error);
    if (!m_error.isEmpty())
        p.setColor(QPalette::Text, theme.color(ColorRole::Bad));
    m_edit->setPalette(p);
    QPalette errorPalette = QApplication::palette();
    errorPalette.setColor(QPalette::WindowText, theme.color(ColorRole::Bad));
    m_errorLabel->setPalette(errorPalette);
    QPalette countPalette = QApplication::palette();
    countPalette.setColor(QPalette::WindowText, theme.color(ColorRole::TextSecondary));
    m_count->setPalette(countPalette);
}

void FilterBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        m_edit->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
}

void FilterBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_edit->text().isEmpty()) {
        m_edit->clear();
        apply();
        event->accept();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace foresight
