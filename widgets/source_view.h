// SPDX-License-Identifier: GPL-3.0-or-later
// Read-only source with line numbers and CUDA C++ highlighting. Very large texts (> 2 MB) and lines (> 20,000
// characters) are cut with a note, so that laying them out never blocks the window; copyAll() still has
// everything. GUI thread.
#pragma once

#include <QPlainTextEdit>

class QSyntaxHighlighter;

namespace foresight {

enum class SourceLanguage : quint8 { Plain, Cuda };

class SourceView : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit SourceView(QWidget* parent = nullptr);

    void setSource(const QString& text, SourceLanguage language = SourceLanguage::Cuda);
    const QString& source() const { return m_source; }
    bool isCut() const { return m_cut; }
    void goToLine(int line); // from 1
    // Marks lines (from 1), e.g. of compiler errors.
    void setMarkedLines(const QList<int>& lines);
    int lineNumberWidth() const;

public slots:
    void copyAll() const;
    // Next match of the text; false when there is none.
    bool findText(const QString& text, bool backwards = false);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override; // Ctrl+wheel: font size

private:
    friend class LineNumberArea;
    void paintLineNumbers(QPaintEvent* event);
    void updateSelections();
    void updateFont();

    QString m_source;
    QWidget* m_lineNumbers = nullptr;
    QSyntaxHighlighter* m_highlighter = nullptr;
    QList<int> m_marked;
    int m_fontStep = 0;
    bool m_cut = false;
};

} // namespace foresight
