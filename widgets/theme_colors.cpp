// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <algorithm>
#include <cmath>

namespace foresight {

namespace {

struct RoleColors
{
    ColorRole role;
    QRgb light, dark;
};

// tst_theme holds every pair to its contrast; change a value here and it says what became unreadable.
constexpr RoleColors kRoleColors[] = {
    {ColorRole::Window, 0xf3f4f6, 0x22262b},        {ColorRole::Base, 0xffffff, 0x16191d},
    {ColorRole::AlternateBase, 0xf6f8fa, 0x1b1f24}, {ColorRole::Text, 0x1a1d21, 0xe6e9ed},
    {ColorRole::TextSecondary, 0x4a5260, 0xb0b8c3}, {ColorRole::TextDisabled, 0x666d7a, 0x8f98a5},
    {ColorRole::Link, 0x0b5cad, 0x79b8ff},          {ColorRole::Border, 0x868d98, 0x6f7884},
    {ColorRole::Grid, 0xe1e4e9, 0x2f353c},          {ColorRole::Axis, 0x5b6472, 0x9aa3af},
    {ColorRole::Accent, 0x1b66c9, 0x6aa9f5},        {ColorRole::AccentText, 0xffffff, 0x0d1117},
    {ColorRole::Measured, 0x0b5cad, 0x6cb6ff},      {ColorRole::Forecast, 0x7a3db8, 0xc79bff},
    {ColorRole::Recalibrated, 0x0f766e, 0x4fd1c0},  {ColorRole::Estimated, 0x8a5a00, 0xe3b341},
    {ColorRole::Recorded, 0x4b5563, 0xb0b8c3},      {ColorRole::Ghost, 0x7b838f, 0x8b94a0},
    {ColorRole::Failed, 0xc0362c, 0xff8278},        {ColorRole::Running, 0x0e7490, 0x56d4e8},
    {ColorRole::Incumbent, 0xb3730f, 0xf2c14e},     {ColorRole::BestPath, 0xb3730f, 0xf2c14e},
    {ColorRole::Audit, 0xa21caf, 0xf08bf5},         {ColorRole::Edge, 0x868d98, 0x6f7884},
    {ColorRole::Threshold, 0xb42318, 0xff9a8f},     {ColorRole::Reference, 0x5b6472, 0x9aa3af},
    {ColorRole::Good, 0x1a7f37, 0x5fd27a},          {ColorRole::Warning, 0x8a5a00, 0xe3b341},
    {ColorRole::Bad, 0xc0362c, 0xff8278},           {ColorRole::Neutral, 0x5b6472, 0x9aa3af},
    {ColorRole::Bar, 0x3f7fc9, 0x5a9be6},           {ColorRole::Match, 0xa21caf, 0xf08bf5},
    {ColorRole::SyntaxKeyword, 0x7a3db8, 0xc79bff}, {ColorRole::SyntaxType, 0x0f6b74, 0x5fd3dd},
    {ColorRole::SyntaxString, 0x1a7f37, 0x7ddc90},  {ColorRole::SyntaxNumber, 0x0b5cad, 0x79b8ff},
    {ColorRole::SyntaxComment, 0x5f6875, 0x98a1ad}, {ColorRole::SyntaxPreprocessor, 0x8a5a00, 0xe3b341},
    {ColorRole::SyntaxBuiltin, 0xb42318, 0xff9a8f}, {ColorRole::CurrentLine, 0xeef2f8, 0x20262e},
};
static_assert(std::size(kRoleColors) == kColorRoleCount);

// From slower over equal to faster. Every stop keeps 3:1 against Base, so that nodes without outline stay
// visible.
constexpr std::array<QRgb, 5> kDivergingLight{0x943800, 0xc65a11, 0x868b93, 0x2f7fc4, 0x084a91};
constexpr std::array<QRgb, 5> kDivergingDark{0xffbd78, 0xe08a3c, 0x7c828c, 0x4f9be0, 0x9bd1ff};
constexpr std::array<QRgb, 2> kSequentialLight{0x5f86bd, 0x16306b};
constexpr std::array<QRgb, 2> kSequentialDark{0x58779a, 0xd6ecff};
constexpr std::array<QRgb, 8> kSeriesLight{0x0b5cad, 0xb34700, 0x0f766e, 0xa21caf,
                                           0x8a5a00, 0x4b5563, 0xc0362c, 0x3f7fc9};
constexpr std::array<QRgb, 8> kSeriesDark{0x6cb6ff, 0xffa657, 0x4fd1c0, 0xf08bf5,
                                          0xe3b341, 0xb0b8c3, 0xff8278, 0xc79bff};

template <std::size_t N> QColor interpolate(const std::array<QRgb, N>& stops, double t)
{
    const double position = std::clamp(t, 0.0, 1.0) * static_cast<double>(N - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(position), N - 2);
    const double f = position - static_cast<double>(i);
    const auto mix = [f](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * f)); };
    return QColor(mix(qRed(stops[i]), qRed(stops[i + 1])), mix(qGreen(stops[i]), qGreen(stops[i + 1])),
                  mix(qBlue(stops[i]), qBlue(stops[i + 1])));
}

double luminance(const QColor& color)
{
    const auto linear = [](double v) {
        return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

Theme::Theme(bool dark, const std::array<QColor, kColorRoleCount>& colors) : m_dark(dark), m_colors(colors) {}

Theme Theme::makeLight()
{
    std::array<QColor, kColorRoleCount> colors;
    for (const RoleColors& c : kRoleColors)
        colors[static_cast<std::size_t>(c.role)] = QColor(c.light);
    return Theme(false, colors);
}

Theme Theme::makeDark()
{
    std::array<QColor, kColorRoleCount> colors;
    for (const RoleColors& c : kRoleColors)
        colors[static_cast<std::size_t>(c.role)] = QColor(c.dark);
    return Theme(true, colors);
}

const Theme& Theme::light()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme = makeDark();
    return theme;
}

QColor Theme::fill(ColorRole role, double alpha) const
{
    QColor c = color(role);
    c.setAlphaF(static_cast<float>(alpha));
    return c;
}

QColor Theme::diverging(double log2Speedup, double limit) const
{
    if (std::isnan(log2Speedup))
        return color(ColorRole::Ghost);
    const double t = 0.5 + 0.5 * std::clamp(log2Speedup / limit, -1.0, 1.0);
    return interpolate(m_dark ? kDivergingDark : kDivergingLight, t);
}

QColor Theme::sequential(double t) const
{
    if (std::isnan(t))
        return color(ColorRole::Ghost);
    return interpolate(m_dark ? kSequentialDark : kSequentialLight, t);
}

QColor Theme::series(int index) const
{
    const auto& colors = m_dark ? kSeriesDark : kSeriesLight;
    return QColor(colors[static_cast<std::size_t>(std::max(index, 0)) % colors.size()]);
}

QColor Theme::textOn(const QColor& background) const
{
    return contrastRatio(Qt::white, background) >= contrastRatio(Qt::black, background) ? QColor(Qt::white)
                                                                                        : QColor(Qt::black);
}

QPalette Theme::palette() const
{
    QPalette p;
    const auto set = [&p, this](QPalette::ColorRole to, ColorRole from) { p.setColor(to, color(from)); };
    set(QPalette::Window, ColorRole::Window);
    set(QPalette::WindowText, ColorRole::Text);
    set(QPalette::Base, ColorRole::Base);
    set(QPalette::AlternateBase, ColorRole::AlternateBase);
    set(QPalette::Text, ColorRole::Text);
    set(QPalette::ButtonText, ColorRole::Text);
    set(QPalette::ToolTipBase, ColorRole::Base);
    set(QPalette::ToolTipText, ColorRole::Text);
    set(QPalette::PlaceholderText, ColorRole::TextDisabled);
    set(QPalette::Highlight, ColorRole::Accent);
    set(QPalette::HighlightedText, ColorRole::AccentText);
    set(QPalette::Link, ColorRole::Link);
    set(QPalette::LinkVisited, ColorRole::Forecast);
    set(QPalette::BrightText, ColorRole::Bad);
    // Fusion derives outlines and gradients from Button and the shades below.
    const QColor button = QColor(QRgb(m_dark ? 0x2d3238 : 0xebedf0));
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::Light, QColor(QRgb(m_dark ? 0x3b4148 : 0xffffff)));
    p.setColor(QPalette::Midlight, QColor(QRgb(m_dark ? 0x343a41 : 0xf3f4f6)));
    p.setColor(QPalette::Mid, QColor(QRgb(m_dark ? 0x4a515a : 0xb9bfc8)));
    p.setColor(QPalette::Dark, QColor(QRgb(m_dark ? 0x0f1215 : 0x9aa1ab)));
    p.setColor(QPalette::Shadow, QColor(QRgb(m_dark ? 0x000000 : 0x5b6472)));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, color(ColorRole::TextDisabled));
    p.setColor(QPalette::Disabled, QPalette::Highlight, color(ColorRole::Border));
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, color(ColorRole::Base));
    return p;
}

} // namespace foresight
