// SPDX-License-Identifier: GPL-3.0-or-later
// foresight: the window. With --report it runs without anybody watching: opens the session, searches, writes
// report.html with pictures of the panels and exits.
#include "app/heartbeat.h"
#include "app/language.h"
#include "app/main_window.h"
#include "app/report.h"
#include "app/settings.h"
#include "core/base/version.h"
#include "widgets/theme.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

#include <cstdio>

using namespace foresight;

namespace {

constexpr QSize kReportSize(1600, 1000); // of the window, unless --size says otherwise
constexpr int kReportTimeoutMs = 10 * 60 * 1000;

ThemeMode themeMode(const QString& name)
{
    if (name == QLatin1String("light"))
        return ThemeMode::Light;
    if (name == QLatin1String("dark"))
        return ThemeMode::Dark;
    return ThemeMode::System;
}

ThemeMode storedTheme()
{
    switch (Settings::theme()) {
    case Settings::ThemeChoice::Light: return ThemeMode::Light;
    case Settings::ThemeChoice::Dark: return ThemeMode::Dark;
    case Settings::ThemeChoice::System: break;
    }
    return ThemeMode::System;
}

// "1600x1000"; invalid otherwise.
QSize sizeFromText(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    return size.width() >= 200 && size.height() >= 200 && size.width() <= 16000 && size.height() <= 16000 ? size : QSize();
}

int fail(const QString& text)
{
    std::fprintf(stderr, "foresight: %s\n", qPrintable(text));
    return 1;
}

// Opens, searches when asked to, writes the report. Returns the program's exit code.
int runReport(MainWindow& window, const QString& session, bool search, const QString& folder)
{
    Heartbeat heartbeat;
    int code = 0;
    const auto finish = [&] {
        heartbeat.stop();
        const Result<QString> written = writeReport(window, folder, search ? &heartbeat : nullptr);
        if (!written)
            code = fail(QString::fromStdString(written.error().toString()));
        else
            std::printf("%s\n", qPrintable(*written));
        QApplication::exit(code);
    };
    QObject::connect(&window, &MainWindow::sessionFailed, &window, [](const QString& text) { QApplication::exit(fail(text)); });
    QObject::connect(&window, &MainWindow::sessionOpened, &window, [&] {
        if (!search)
            QTimer::singleShot(0, &window, finish);
        else
            heartbeat.start();
    });
    QObject::connect(&window.searchController(), &SearchController::ended, &window, [&](bool succeeded) {
        if (!succeeded)
            code = 1;
        QTimer::singleShot(0, &window, finish);
    });
    QObject::connect(&window, &MainWindow::nothingToResume, &window, [](const QString& text) { QApplication::exit(fail(text)); });
    QTimer::singleShot(kReportTimeoutMs, &window, [] { QApplication::exit(fail(QStringLiteral("the search did not end in ten minutes"))); });
    window.openSession(session);
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("foresight"));
    QApplication::setApplicationName(QStringLiteral("foresight"));
    QApplication::setApplicationVersion(QLatin1String(kVersion));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.foresight.Foresight"));

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("A debugger for GPU kernel search.\n\nExample: foresight profiles/sessions/vae_decoder_fp16.fsight --search-top"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("session"), QStringLiteral("Session to open (.fsight)."), QStringLiteral("[session]"));
    const QCommandLineOption searchTop(QStringLiteral("search-top"), QStringLiteral("Start a search on the searchable operator with the largest headroom."));
    const QCommandLineOption measurements(QStringLiteral("measurements"), QStringLiteral("Budget of that search (default: the last one used)."), QStringLiteral("N"));
    const QCommandLineOption report(QStringLiteral("report"), QStringLiteral("Write report.html with pictures into FOLDER and exit."), QStringLiteral("FOLDER"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light, dark or system (default: the setting)."), QStringLiteral("THEME"));
    const QCommandLineOption language(QStringLiteral("language"), QStringLiteral("en, de or zh_CN (default: the setting, then the system's)."), QStringLiteral("CODE"));
    const QCommandLineOption resume(QStringLiteral("resume"), QStringLiteral("Go on with the session's interrupted search."));
    const QCommandLineOption pace(QStringLiteral("pace"), QStringLiteral("At least so many seconds per measurement, so that a search over recorded measurements can be watched."), QStringLiteral("SECONDS"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the window, e.g. 1600x1000."), QStringLiteral("WxH"));
    parser.addOptions({searchTop, measurements, resume, pace, report, size, theme, language});
    parser.process(app);

    installTranslations(app, parser.isSet(language) ? parser.value(language) : Settings::language());
    qRegisterMetaType<LoadedSession>();
    ThemeManager::instance().setMode(parser.isSet(theme) ? themeMode(parser.value(theme)) : storedTheme());
    ThemeManager::instance().install();

    int budget = Settings::measurementBudget();
    if (parser.isSet(measurements)) {
        bool ok = false;
        budget = parser.value(measurements).toInt(&ok);
        if (!ok || budget < 1)
            return fail(QStringLiteral("--measurements needs a number of at least 1, not \"%1\"").arg(parser.value(measurements))) + 1;
    }
    double secondsPerMeasurement = 0;
    if (parser.isSet(pace)) {
        bool ok = false;
        secondsPerMeasurement = parser.value(pace).toDouble(&ok);
        if (!ok || !(secondsPerMeasurement >= 0 && secondsPerMeasurement <= 3600))
            return fail(QStringLiteral("--pace needs a number of seconds, not \"%1\"").arg(parser.value(pace))) + 1;
    }
    const QSize wanted = parser.isSet(size) ? sizeFromText(parser.value(size)) : kReportSize;
    if (!wanted.isValid())
        return fail(QStringLiteral("--size needs a width and a height, e.g. 1600x1000, not \"%1\"").arg(parser.value(size))) + 1;
    const QString session = parser.positionalArguments().value(0);
    const bool search = parser.isSet(searchTop) || parser.isSet(resume);
    if (session.isEmpty() && (search || parser.isSet(report)))
        return fail(QStringLiteral("--search-top, --resume and --report need a session to open")) + 1;
    if (parser.isSet(searchTop) && parser.isSet(resume))
        return fail(QStringLiteral("--search-top starts a new search, --resume goes on with the last: choose one")) + 1;

    MainWindow window;
    window.setPace(secondsPerMeasurement);
    if (parser.isSet(searchTop))
        window.searchTopWhenOpen(budget);
    if (parser.isSet(resume))
        window.resumeWhenOpen();
    if (parser.isSet(report) || parser.isSet(size))
        window.resize(wanted); // whatever the screen, if there is one
    window.show();
    if (parser.isSet(report))
        return runReport(window, session, search, parser.value(report));
    if (!session.isEmpty())
        window.openSession(session);
    return QApplication::exec();
}
