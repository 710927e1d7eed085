// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that never asks for more room than there is: what does not fit is cut with an ellipsis and
// shown in full as the tooltip. GUI thread.
#pragma once

#include <QLabel>

namespace foresight {

class ElidedLabel : public QLabel
{
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace foresight
