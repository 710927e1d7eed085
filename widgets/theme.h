// SPDX-License-Identifier: GPL-3.0-or-later
// The one palette object: every colour of widgets, plots, tree and tables comes from here, in a light and a
// dark set that are contrast-tested (text >= 4.5, graphics >= 3 against the surfaces they are drawn on;
// WCAG 2.1). Theme is an immutable value, safe on any thread. ThemeManager lives on the GUI thread, one per
// process, and tells everyone when the theme changes. Cannot fail: without a desktop portal the application
// palette decides.
#pragma once

#include <QColor>
#include <QIcon>
#include <QObject>
#include <QPalette>
#include <QString>

#include <array>

class QWidget;

namespace foresight {

enum class ThemeMode : quint8 { System, Light, Dark };

enum class ColorRole : quint8 {
    Window,        // panels, margins around plots
    Base,          // surfaces data are drawn on: plots, tables, the tree
    AlternateBase, // every other row
    Text,
    TextSecondary, // captions, units, axis numbers
    TextDisabled,
    Link,
    Border,     // frames of inputs and panels
    Grid,       // grid lines, decoration only
    Axis,       // axis lines and ticks
    Accent,     // focus frames, selection outline, selected tab
    AccentText, // text on Accent
    Measured,
    Forecast,
    Recalibrated,
    Estimated,
    Recorded,
    Ghost,
    Failed,
    Running,
    Incumbent,
    BestPath,
    Audit,
    Edge,      // tree edges
    Threshold, // margins, cut lines
    Reference, // diagonal, 1.0x, exact random
    Good,
    Warning,
    Bad,
    Neutral,
    Bar,   // share and headroom bars behind or beside table text
    Match, // marker of found nodes and filter matches
    SyntaxKeyword,
    SyntaxType,
    SyntaxString,
    SyntaxNumber,
    SyntaxComment,
    SyntaxPreprocessor,
    SyntaxBuiltin, // CUDA qualifiers and built-in variables
    CurrentLine,
};
inline constexpr int kColorRoleCount = static_cast<int>(ColorRole::CurrentLine) + 1;

class Theme
{
public:
    static const Theme& light();
    static const Theme& dark();

    bool isDark() const { return m_dark; }
    QColor color(ColorRole role) const { return m_colors[static_cast<std::size_t>(role)]; }
    // The role's colour, translucent: for bands and fills. alpha in 0..1.
    QColor fill(ColorRole role, double alpha = 0.25) const;

    // Diverging, centred on 1.0x: orange is slower, blue is faster, grey is equal. Saturates at +-limit; NaN
    // gives Ghost.
    QColor diverging(double log2Speedup, double limit = 2.0) const;
    // Sequential for times and depths: t in 0..1, clamped; NaN gives Ghost.
    QColor sequential(double t) const;
    // i-th colour for runs or groups compared; repeats after eight (pair with dash patterns).
    QColor series(int index) const;
    // Black or white (as the theme writes them), whichever reads better on this fill; always >= 4.5.
    QColor textOn(const QColor& fill) const;

    QPalette palette() const;

private:
    Theme(bool dark, const std::array<QColor, kColorRoleCount>& colors);
    static Theme makeLight();
    static Theme makeDark();

    bool m_dark;
    std::array<QColor, kColorRoleCount> m_colors;
};

// WCAG 2.1 contrast ratio, 1..21; alpha is ignored.
double contrastRatio(const QColor& a, const QColor& b);

class ThemeManager : public QObject
{
    Q_OBJECT
public:
    // Made on first use; belongs to the application object.
    static ThemeManager& instance();

    // Takes over style and palette of the QApplication and follows the system from here on. Call once after
    // the QApplication is made and before the first window.
    void install();

    const Theme& theme() const { return *m_theme; }
    ThemeMode mode() const { return m_mode; }
    void setMode(ThemeMode mode);
    bool systemIsDark() const { return m_systemDark; }

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void changed();

private:
    explicit ThemeManager(QObject* parent);
    void readSystemPalette();
    void setSystemDark(bool dark);
    void update();

    const Theme* m_theme;
    ThemeMode m_mode = ThemeMode::System;
    bool m_systemDark = false;
    bool m_portalKnown = false;
    bool m_installed = false;
    bool m_applying = false;
};

// Shorthand for ThemeManager::instance().theme().
const Theme& currentTheme();

// An icon from :/icons/<name>.svg drawn in the theme's colour of that role; follows theme changes by itself.
// An unknown name gives a null icon.
QIcon themedIcon(const QString& name, ColorRole role = ColorRole::Text);

} // namespace foresight
