// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/source_view.h"

#include "widgets/cuda_highlighter.h"
#include "widgets/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>
#include <memory>

namespace foresight {

class LineNumberArea : public QWidget
{
public:
    explicit LineNumberArea(SourceView* view) : QWidget(view), m_view(view) {}
    QSize sizeHint() const override { return {m_view->lineNumberWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { m_view->paintLineNumbers(event); }

private:
    SourceView* m_view;
};

namespace {

constexpr qsizetype kTextLimit = 2 * 1024 * 1024;
constexpr qsizetype kLineLimit = 20000;

// Lays out only what a window can: long lines and long texts end with a note. Sets `cut` when something was
// left out.
QString shownText(const QString& text, bool* cut)
{
    *cut = false;
    QString shown = text;
    if (shown.size() > kTextLimit) {
        shown = shown.left(kTextLimit);
        *cut = true;
    }
    qsizetype start = 0;
    QString result;
    while (start < shown.size()) {
        qsizetype end = shown.indexOf(QLatin1Char('\n'), start);
        if (end < 0)
            end = shown.size();
        const qsizetype lineLength = end - start;
        if (lineLength > kLineLimit) {
            result += QStringView(shown).mid(start, kLineLimit);
            result += SourceView::tr(" … (line cut; %n more character(s))", nullptr,
                                     static_cast<int>(lineLength - kLineLimit));
            *cut = true;
        } else {
            result += QStringView(shown).mid(start, lineLength);
        }
        if (end < shown.size())
            result += QLatin1Char('\n');
        start = end + 1;
    }
    if (text.size() > kTextLimit)
        result +=
            QLatin1Char('\n') +
            SourceView::tr("… (text cut after %1 MB; Copy All copies everything)").arg(kTextLimit >> 20);
    return result;
}

} // namespace

SourceView::SourceView(QWidget* parent)
    : QPlainTextEdit(parent), m_lineNumbers(new LineNumberArea(this)),
      m_highlighter(new CudaHighlighter(document()))
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setAccessibleName(tr("Source"));
    updateFont();
    connect(this, &QPlainTextEdit::blockCountChanged, this,
            [this] { setViewportMargins(lineNumberWidth(), 0, 0, 0); });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_lineNumbers->scroll(0, dy);
        else
            m_lineNumbers->update(0, rect.y(), m_lineNumbers->width(), rect.height());
    });
    connect(this, &QPlainTextEdit::cursorPositionChanged, this, &SourceView::updateSelections);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &SourceView::updateSelections);
    updateSelections();
}

void SourceView::updateFont()
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(std::max(6.0, fixed.pointSizeF() + m_fontStep));
    document()->setDefaultFont(fixed);
    setTabStopDistance(4 * QFontMetricsF(fixed).horizontalAdvance(QLatin1Char(' ')));
    m_lineNumbers->setFont(fixed);
    setViewportMargins(lineNumberWidth(), 0, 0, 0);
    m_lineNumbers->setGeometry(contentsRect().left(), contentsRect().top(), lineNumberWidth(),
                               contentsRect().height());
}

void SourceView::setSource(const QString& text, SourceLanguage language)
{
    m_marked.clear();
    static_cast<CudaHighlighter*>(m_highlighter)->setEnabled(language == SourceLanguage::Cuda);
    if (text != m_source || document()->isEmpty()) {
        m_source = text;
        setPlainText(shownText(text, &m_cut));
    } else {
        m_highlighter->rehighlight();
    }
    updateSelections();
}

void SourceView::goToLine(int line)
{
    const QTextBlock block = document()->findBlockByNumber(std::max(line, 1) - 1);
    if (!block.isValid())
        return;
    setTextCursor(QTextCursor(block));
    centerCursor();
}

void SourceView::setMarkedLines(const QList<int>& lines)
{
    m_marked = lines;
    updateSelections();
    m_lineNumbers->update();
}

int SourceView::lineNumberWidth() const
{
    const int digits = std::max(3, static_cast<int>(QString::number(blockCount()).size()));
    const QFontMetrics metrics(document()->defaultFont());
    return metrics.horizontalAdvance(QLatin1Char('9')) * (digits + 2) + 4;
}

void SourceView::paintLineNumbers(QPaintEvent* event)
{
    const Theme& theme = currentTheme();
    QPainter painter(m_lineNumbers);
    painter.fillRect(event->rect(), theme.color(ColorRole::Window));
    painter.setFont(document()->defaultFont());
    const int advance = painter.fontMetrics().horizontalAdvance(QLatin1Char('9'));
    const int width = m_lineNumbers->width() - advance;
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        if (block.isVisible() && top + height >= event->rect().top()) {
            const int line = block.blockNumber() + 1;
            const bool marked = m_marked.contains(line);
            painter.setPen(theme.color(marked ? ColorRole::Bad : ColorRole::TextDisabled));
            painter.drawText(QRectF(0, top, width, height), Qt::AlignRight | Qt::AlignVCenter,
                             QString::number(line));
            if (marked)
                painter.drawText(QRectF(2, top, advance * 2, height), Qt::AlignLeft | Qt::AlignVCenter,
                                 QStringLiteral("▸"));
        }
        top += height;
        block = block.next();
    }
}

void SourceView::updateSelections()
{
    const Theme& theme = currentTheme();
    QList<QTextEdit::ExtraSelection> selections;
    const auto add = [&](const QTextCursor& cursor, const QColor& color) {
        QTextEdit::ExtraSelection selection;
        selection.format.setBackground(color);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.cursor = cursor;
        selection.cursor.clearSelection();
        selections.append(selection);
    };
    add(textCursor(), theme.color(ColorRole::CurrentLine));
    for (int line : m_marked) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (block.isValid())
            add(QTextCursor(block), theme.fill(ColorRole::Bad, 0.16));
    }
    setExtraSelections(selections);
}

void SourceView::copyAll() const
{
    QGuiApplication::clipboard()->setText(m_source);
}

bool SourceView::findText(const QString& text, bool backwards)
{
    const QTextDocument::FindFlags flags =
        backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (text.isEmpty())
        return false;
    if (find(text, flags))
        return true;
    // Once around.
    const QTextCursor before = textCursor();
    moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    if (find(text, flags))
        return true;
    setTextCursor(before);
    return false;
}

void SourceView::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect area = contentsRect();
    m_lineNumbers->setGeometry(area.left(), area.top(), lineNumberWidth(), area.height());
}

void SourceView::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        updateFont();
}

void SourceView::contextMenuEvent(QContextMenuEvent* event)
{
    const std::unique_ptr<QMenu> menu(createStandardContextMenu(event->pos()));
    menu->addSeparator();
    menu->addAction(themedIcon(QStringLiteral("copy")), tr("Copy All"), this, &SourceView::copyAll);
    menu->exec(event->globalPos());
}

void SourceView::wheelEvent(QWheelEvent* event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QPlainTextEdit::wheelEvent(event);
        return;
    }
    m_fontStep = std::clamp(m_fontStep + (event->angleDelta().y() > 0 ? 1 : -1), -4, 24);
    updateFont();
    event->accept();
}

} // namespace foresight
