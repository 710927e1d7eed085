// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cuda_highlighter.h"

#include "widgets/theme.h"

#include <QSet>

#include <algorithm>

namespace foresight {

namespace {

const QSet<QString>& keywords()
{
    static const QSet<QString> set = [] {
        QSet<QString> words;
        const QString all = QStringLiteral(
            "alignas alignof asm auto break case catch class concept const consteval constexpr constinit "
            "const_cast "
            "continue co_await co_return co_yield decltype default delete do dynamic_cast else enum explicit "
            "export "
            "extern false final for friend goto if inline mutable namespace new noexcept nullptr operator "
            "override "
            "private protected public register reinterpret_cast requires return sizeof static static_assert "
            "static_cast struct switch template this throw true try typedef typename union using virtual "
            "volatile "
            "while");
        for (const QString& word : all.split(QLatin1Char(' ')))
            words.insert(word);
        return words;
    }();
    return set;
}

const QSet<QString>& types()
{
    static const QSet<QString> set = [] {
        QSet<QString> words;
        const QString all = QStringLiteral("bool char char8_t char16_t char32_t double float int long short "
                                           "signed unsigned void wchar_t size_t "
                                           "ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t "
                                           "uint32_t uint64_t intptr_t uintptr_t half half2 "
                                           "__half __half2 __nv_bfloat16 __nv_bfloat162 nv_bfloat16 "
                                           "nv_bfloat162 float2 float3 float4 double2 int2 "
                                           "int3 int4 uint2 uint3 uint4 char2 char4 uchar4 short2 short4 "
                                           "longlong2 ulonglong2 dim3 cudaStream_t");
        for (const QString& word : all.split(QLatin1Char(' ')))
            words.insert(word);
        return words;
    }();
    return set;
}

const QSet<QString>& builtins()
{
    static const QSet<QString> set = [] {
        QSet<QString> words;
        const QString all = QStringLiteral(
            "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ "
            "__launch_bounds__ "
            "__forceinline__ __noinline__ __cluster_dims__ __grid_constant__ threadIdx blockIdx blockDim "
            "gridDim "
            "warpSize __syncthreads __syncwarp __shfl_sync __shfl_down_sync __shfl_up_sync __shfl_xor_sync "
            "__ballot_sync __any_sync __all_sync __activemask __ldg __ldcs __stcs __expf __fdividef rsqrtf "
            "__threadfence __threadfence_block __reduce_add_sync atomicAdd atomicMax atomicMin atomicCAS");
        for (const QString& word : all.split(QLatin1Char(' ')))
            words.insert(word);
        return words;
    }();
    return set;
}

bool isWordStart(QChar c)
{
    return c.isLetter() || c == QLatin1Char('_');
}

bool isWordPart(QChar c)
{
    return c.isLetterOrNumber() || c == QLatin1Char('_');
}

ColorRole roleOf(SourceToken token)
{
    switch (token) {
    case SourceToken::Keyword:
        return ColorRole::SyntaxKeyword;
    case SourceToken::Type:
        return ColorRole::SyntaxType;
    case SourceToken::Builtin:
        return ColorRole::SyntaxBuiltin;
    case SourceToken::Number:
        return ColorRole::SyntaxNumber;
    case SourceToken::String:
        return ColorRole::SyntaxString;
    case SourceToken::Comment:
        return ColorRole::SyntaxComment;
    case SourceToken::Preprocessor:
        break;
    }
    return ColorRole::SyntaxPreprocessor;
}

// Past the closing quote, or the end of the line.
int skipQuoted(const QString& line, int i)
{
    const int length = static_cast<int>(line.size());
    const QChar quote = line[i++];
    while (i < length && line[i] != quote)
        i += line[i] == QLatin1Char('\\') ? 2 : 1;
    return std::min(i + 1, length);
}

} // namespace

int scanCudaLine(const QString& line, int state, QVector<SourceSpan>* spans)
{
    const int length = static_cast<int>(line.size());
    const auto add = [spans](int start, int end, SourceToken token) {
        if (end > start)
            spans->append({start, end - start, token});
    };
    int i = 0;
    bool directive = state == 2;
    if (state == 1) {
        const int close = static_cast<int>(line.indexOf(QLatin1String("*/")));
        if (close < 0) {
            add(0, length, SourceToken::Comment);
            return 1;
        }
        i = close + 2;
        add(0, i, SourceToken::Comment);
    } else if (!directive) {
        int first = 0;
        while (first < length && line[first].isSpace())
            ++first;
        directive = first < length && line[first] == QLatin1Char('#');
    }
    int plainFrom = i; // of a directive: everything that is nothing else
    const auto flush = [&](int end) {
        if (directive)
            add(plainFrom, end, SourceToken::Preprocessor);
    };
    while (i < length) {
        const QChar c = line[i];
        const QStringView rest = QStringView(line).mid(i);
        if (rest.startsWith(QLatin1String("//"))) {
            flush(i);
            add(i, length, SourceToken::Comment);
            return 0;
        }
        if (rest.startsWith(QLatin1String("/*"))) {
            flush(i);
            const int close = static_cast<int>(line.indexOf(QLatin1String("*/"), i + 2));
            const int end = close < 0 ? length : close + 2;
            add(i, end, SourceToken::Comment);
            if (close < 0)
                return 1;
            i = plainFrom = end;
            continue;
        }
        if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            flush(i);
            const int end = skipQuoted(line, i);
            add(i, end, SourceToken::String);
            i = plainFrom = end;
            continue;
        }
        if (isWordStart(c)) {
            int end = i + 1;
            while (end < length && isWordPart(line[end]))
                ++end;
            if (!directive) {
                const QString word = line.mid(i, end - i);
                if (keywords().contains(word))
                    add(i, end, SourceToken::Keyword);
                else if (types().contains(word))
                    add(i, end, SourceToken::Type);
                else if (builtins().contains(word))
                    add(i, end, SourceToken::Builtin);
            }
            i = end;
            continue;
        }
        const bool point = c == QLatin1Char('.') && i + 1 < length && line[i + 1].isDigit();
        if (c.isDigit() || point) {
            int end = i + 1;
            while (end < length &&
                   (isWordPart(line[end]) || line[end] == QLatin1Char('.') ||
                    line[end] == QLatin1Char('\'') ||
                    ((line[end] == QLatin1Char('+') || line[end] == QLatin1Char('-')) &&
                     (line[end - 1] == QLatin1Char('e') || line[end - 1] == QLatin1Char('E')) &&
                     !QStringView(line).mid(i, 2).startsWith(QLatin1String("0x")))))
                ++end;
            if (!directive)
                add(i, end, SourceToken::Number);
            i = end;
            continue;
        }
        ++i;
    }
    flush(length);
    return directive && line.endsWith(QLatin1Char('\\')) ? 2 : 0;
}

CudaHighlighter::CudaHighlighter(QTextDocument* document) : QSyntaxHighlighter(document)
{
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &QSyntaxHighlighter::rehighlight);
}

void CudaHighlighter::setEnabled(bool on)
{
    m_enabled = on;
}

void CudaHighlighter::highlightBlock(const QString& text)
{
    if (!m_enabled)
        return;
    QVector<SourceSpan> spans;
    setCurrentBlockState(scanCudaLine(text, std::max(previousBlockState(), 0), &spans));
    const Theme& theme = currentTheme();
    for (const SourceSpan& span : spans) {
        QTextCharFormat format;
        format.setForeground(theme.color(roleOf(span.token)));
        if (span.token == SourceToken::Comment)
            format.setFontItalic(true);
        setFormat(span.start, span.length, format);
    }
}

} // namespace foresight
