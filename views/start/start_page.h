// SPDX-License-Identifier: GPL-3.0-or-later
// What one sees without a session: recent files, the recorded sessions shipped with the program, and what this machine
// can do. Everything is a button: keyboard and screen readers reach all of it.
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace foresight {

struct Capability {
    enum class State { Ok, Warning, Absent } state = State::Ok;
    QString title, detail; // detail says what to do unless Ok
};

class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    void setRecent(const QStringList& paths);
    void setShipped(const QStringList& paths);
    void setCapabilities(const QVector<Capability>& capabilities);

signals:
    void openFile(const QString& path);
    void openDialog();

private:
    void fill(QVBoxLayout* column, const QStringList& paths, const QString& description, const QString& none);

    QVBoxLayout* m_recent;
    QVBoxLayout* m_shipped;
    QVBoxLayout* m_capabilities;
};

} // namespace foresight
