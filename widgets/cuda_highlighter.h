// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA C++ colours for a text document, by a hand-written scanner (no regular expressions: linear on any
// input). GUI thread; owned by the document.
#pragma once

#include <QSyntaxHighlighter>

namespace foresight {

enum class SourceToken : quint8 { Keyword, Type, Builtin, Number, String, Comment, Preprocessor };

struct SourceSpan
{
    int start = 0, length = 0;
    SourceToken token = SourceToken::Keyword;
};

// State carried from line to line: 0 code, 1 inside a block comment, 2 inside a continued preprocessor line.
int scanCudaLine(const QString& line, int state, QVector<SourceSpan>* spans);

class CudaHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
public:
    explicit CudaHighlighter(QTextDocument* document);
    void setEnabled(bool on);

protected:
    void highlightBlock(const QString& text) override;

private:
    bool m_enabled = true;
};

} // namespace foresight
