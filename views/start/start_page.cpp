// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/start/start_page.h"

#include "widgets/status_label.h"
#include "widgets/theme.h"

#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace foresight {

namespace {

void clear(QVBoxLayout* column)
{
    while (QLayoutItem* item = column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
}

// The home folder as ~, the middle left out when it is long: the name of the session matters more.
QString shortFolder(QString folder)
{
    constexpr int kLongest = 60;
    if (folder.startsWith(QDir::homePath() + QLatin1Char('/')))
        folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    return folder.size() <= kLongest ? folder : folder.left(kLongest / 3) + QStringLiteral("…") + folder.right(kLongest * 2 / 3);
}

QVBoxLayout* addSection(QVBoxLayout* page, const QString& title)
{
    auto* heading = new QLabel(title);
    QFont font = heading->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    font.setBold(true);
    heading->setFont(font);
    page->addWidget(heading);
    auto* section = new QVBoxLayout;
    section->setSpacing(2);
    page->addLayout(section);
    page->addSpacing(12);
    return section;
}

} // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent)
{
    auto* body = new QWidget;
    auto* title = new QLabel(tr("Foresight"), body);
    QFont font = title->font();
    font.setPointSizeF(font.pointSizeF() * 2);
    font.setBold(true);
    title->setFont(font);
    auto* subtitle = new QLabel(tr("Find out where a model's GPU time can be won back, watch the search for faster kernels, and know which results to trust."), body);
    subtitle->setWordWrap(true);
    auto* open = new QPushButton(themedIcon(QStringLiteral("open")), tr("Open a session…"), body);
    open->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(open, &QPushButton::clicked, this, &StartPage::openDialog);

    auto* left = new QVBoxLayout;
    m_shipped = addSection(left, tr("Recorded sessions"));
    m_recent = addSection(left, tr("Recent"));
    left->addStretch(1);
    auto* right = new QVBoxLayout;
    m_capabilities = addSection(right, tr("What can be done here"));
    right->addStretch(1);
    auto* columns = new QHBoxLayout;
    columns->addLayout(left, 1);
    columns->addSpacing(32);
    columns->addLayout(right, 1);

    auto* page = new QVBoxLayout(body);
    page->setContentsMargins(32, 24, 32, 24);
    page->addWidget(title);
    page->addWidget(subtitle);
    page->addSpacing(8);
    page->addWidget(open);
    page->addSpacing(20);
    page->addLayout(columns, 1);

    // Lines as long as a screen is wide do not read well: a column in the middle.
    body->setMaximumWidth(fontMetrics().averageCharWidth() * 150);
    auto* middle = new QWidget;
    auto* across = new QHBoxLayout(middle);
    across->setContentsMargins(0, 0, 0, 0);
    across->addStretch(1);
    across->addWidget(body, 100);
    across->addStretch(1);

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(middle);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);
    setRecent({});
}

void StartPage::fill(QVBoxLayout* column, const QStringList& paths, const QString& description, const QString& none)
{
    clear(column);
    if (paths.isEmpty()) {
        auto* label = new QLabel(none);
        label->setWordWrap(true);
        column->addWidget(label);
        return;
    }
    for (const QString& path : paths) {
        const QFileInfo info(path);
        auto* button = new QCommandLinkButton(info.completeBaseName(), description.isEmpty() ? shortFolder(info.absolutePath()) : description);
        button->setIcon(themedIcon(QStringLiteral("operators")));
        button->setToolTip(info.absoluteFilePath());
        button->setAccessibleName(tr("Open %1").arg(info.fileName()));
        connect(button, &QCommandLinkButton::clicked, this, [this, path] { emit openFile(path); });
        column->addWidget(button);
    }
}

void StartPage::setRecent(const QStringList& paths)
{
    fill(m_recent, paths, {}, tr("Sessions you open appear here."));
}

void StartPage::setShipped(const QStringList& paths)
{
    fill(m_shipped, paths, tr("Shipped with Foresight; opened read-only"), tr("None found: the program's data folder is missing. Reinstall, or set FORESIGHT_DATA."));
}

void StartPage::setCapabilities(const QVector<Capability>& capabilities)
{
    clear(m_capabilities);
    for (const Capability& capability : capabilities) {
        const StatusKind kind = capability.state == Capability::State::Ok        ? StatusKind::Good
                                : capability.state == Capability::State::Warning ? StatusKind::Warning
                                                                                 : StatusKind::Neutral;
        auto* label = new StatusLabel(kind, capability.detail.isEmpty() ? capability.title
                                                                        : capability.title + QStringLiteral(" – ") + capability.detail);
        label->setWordWrap(true);
        m_capabilities->addWidget(label);
    }
}

} // namespace foresight
