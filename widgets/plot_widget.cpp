// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_widget.h"

#include "widgets/theme.h"

#include <QAccessible>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace foresight {

PlotWidget::PlotWidget(QWidget* parent) : QWidget(parent)
{
    installAccessibleFactory();
    setFocusPolicy(Qt::StrongFocus);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &PlotWidget::themeChanged);
}

void PlotWidget::themeChanged()
{
    update();
}

void PlotWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        themeChanged();
}

void PlotWidget::dataChanged()
{
    update();
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, describe());
        QAccessible::updateAccessibility(&event);
    }
}

QString PlotWidget::exportTo(const QString& path, double scale)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QSize paper = size().expandedTo(minimumSizeHint());
    QSaveFile file(path);
    const auto fail = [&file, &path]() {
        return tr("Cannot write %1: %2. Choose another folder or free some space.")
            .arg(path, file.errorString());
    };
    if (suffix != QLatin1String("png") && suffix != QLatin1String("svg") && suffix != QLatin1String("pdf"))
        return tr("Cannot export to \"%1\": the name must end in .png, .svg or .pdf.").arg(path);
    if (!file.open(QIODevice::WriteOnly))
        return fail();
    const auto paintOn = [this, &paper](QPainter& painter) {
        painter.setFont(font());
        render(&painter, paper);
    };
    if (suffix == QLatin1String("png")) {
        QImage image(paper * scale, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(scale);
        image.fill(currentTheme().color(ColorRole::Base));
        QPainter painter(&image);
        paintOn(painter);
        painter.end();
        if (!image.save(&file, "PNG"))
            return fail();
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(paper);
        generator.setViewBox(QRect(QPoint(), paper));
        generator.setTitle(accessibleName());
        generator.setDescription(describe());
        QPainter painter(&generator);
        paintOn(painter);
    } else {
        QPdfWriter writer(&file);
        const int dpi = std::max(logicalDpiX(), 1);
        writer.setResolution(dpi);
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(QSizeF(paper) * 72.0 / dpi, QPageSize::Point));
        writer.setTitle(accessibleName());
        QPainter painter(&writer);
        painter.fillRect(QRect(QPoint(), paper), currentTheme().color(ColorRole::Base));
        paintOn(painter);
    }
    return file.commit() ? QString() : fail();
}

void PlotWidget::copyCsv() const
{
    QGuiApplication::clipboard()->setText(toCsv());
}

void PlotWidget::addPlotActions(QMenu* menu)
{
    menu->addAction(themedIcon(QStringLiteral("copy")), tr("Copy Data as CSV"), this, &PlotWidget::copyCsv);
    menu->addAction(tr("Copy Picture"), this, [this] { QGuiApplication::clipboard()->setPixmap(grab()); });
    menu->addAction(tr("Copy Description"), this,
                    [this] { QGuiApplication::clipboard()->setText(describe()); });
    menu->addAction(themedIcon(QStringLiteral("export")), tr("Export Picture…"), this,
                    &PlotWidget::chooseAndExport);
}

void PlotWidget::chooseAndExport()
{
    QString selectedFilter;
    const QString base = m_exportName.isEmpty() ? QStringLiteral("plot") : m_exportName;
    QString path = QFileDialog::getSaveFileName(
        this, tr("Export Picture"), base + QStringLiteral(".svg"),
        tr("SVG drawing (*.svg);;PNG picture (*.png);;PDF document (*.pdf)"), &selectedFilter);
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty()) {
        path += selectedFilter.contains(QLatin1String("*.png"))   ? QStringLiteral(".png")
                : selectedFilter.contains(QLatin1String("*.pdf")) ? QStringLiteral(".pdf")
                                                                  : QStringLiteral(".svg");
    }
    const QString error = exportTo(path);
    if (!error.isEmpty())
        emit exportFailed(error);
}

void PlotWidget::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    emit contextMenuAboutToShow(&menu);
    if (!menu.isEmpty())
        menu.addSeparator();
    addPlotActions(&menu);
    menu.exec(event->globalPos());
}

void PlotWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlotWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlotWidget::drawFocusFrame(QPainter* painter) const
{
    if (!hasFocus())
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(currentTheme().color(ColorRole::Accent), 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    painter->restore();
}

} // namespace foresight
