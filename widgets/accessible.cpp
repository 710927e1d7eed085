// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot_widget.h"
#include "widgets/tree_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace foresight {

namespace {

// Painted widgets have no children a screen reader could walk; their value is the description in words.
class AccessiblePlot : public QAccessibleWidget
{
public:
    explicit AccessiblePlot(PlotWidget* plot) : QAccessibleWidget(plot, QAccessible::Chart) {}
    QString text(QAccessible::Text kind) const override
    {
        if (kind == QAccessible::Value ||
            (kind == QAccessible::Description && widget()->accessibleDescription().isEmpty()))
            return static_cast<const PlotWidget*>(widget())->describe();
        return QAccessibleWidget::text(kind);
    }
};

class AccessibleTree : public QAccessibleWidget
{
public:
    explicit AccessibleTree(TreeCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::Tree) {}
    QString text(QAccessible::Text kind) const override
    {
        const auto* canvas = static_cast<const TreeCanvas*>(widget());
        if (kind == QAccessible::Value)
            return canvas->selected() >= 0 ? canvas->describeNode(canvas->selected()) : canvas->describe();
        if (kind == QAccessible::Description && widget()->accessibleDescription().isEmpty())
            return canvas->describe();
        return QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    if (auto* plot = qobject_cast<PlotWidget*>(object))
        return new AccessiblePlot(plot);
    if (auto* canvas = qobject_cast<TreeCanvas*>(object))
        return new AccessibleTree(canvas);
    return nullptr;
}

} // namespace

void installAccessibleFactory()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace foresight
