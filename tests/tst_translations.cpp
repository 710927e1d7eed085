// SPDX-License-Identifier: Apache-2.0
// German and Simplified Chinese are complete, keep their placeholders, and are really loaded.
#include <QTest>

#include "tests/gui/gui_test_main.h"

#include "app/language.h"
#include "views/guard/guard_model.h"

#include <QFile>
#include <QRegularExpression>
#include <QTranslator>
#include <QXmlStreamReader>

using namespace foresight;

class TestTranslations : public QObject {
    Q_OBJECT

    static QStringList placeholders(const QString& text)
    {
        static const QRegularExpression kPlaceholder(QStringLiteral("%(\\d+|n)"));
        QStringList found;
        auto it = kPlaceholder.globalMatch(text);
        while (it.hasNext())
            found << it.next().captured();
        found.sort();
        found.removeDuplicates();
        return found;
    }

private slots:
    void init() { test::failOnQtWarnings(); }

    void areComplete_data()
    {
        QTest::addColumn<QString>("language");
        QTest::newRow("de") << QStringLiteral("de");
        QTest::newRow("zh_CN") << QStringLiteral("zh_CN");
    }

    void areComplete()
    {
        QFETCH(QString, language);
        QFile file(QStringLiteral(FORESIGHT_SOURCE_DIR "/translations/foresight_%1.ts").arg(language));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        int messages = 0;
        QString source;
        QStringList forms;
        bool unfinished = false;
        while (!xml.atEnd()) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == QLatin1String("source")) {
                source = xml.readElementText();
            } else if (xml.isStartElement() && xml.name() == QLatin1String("translation")) {
                unfinished = !xml.attributes().value(QLatin1String("type")).isEmpty();
                forms.clear();
                QString text;
                while (!(xml.isEndElement() && xml.name() == QLatin1String("translation")) && !xml.atEnd()) {
                    xml.readNext();
                    if (xml.isStartElement() && xml.name() == QLatin1String("numerusform"))
                        forms << xml.readElementText();
                    else if (xml.isCharacters())
                        text += xml.text();
                }
                if (forms.isEmpty())
                    forms << text;
                ++messages;
                QVERIFY2(!unfinished, qPrintable(source));
                for (const QString& form : forms) {
                    QVERIFY2(!form.trimmed().isEmpty(), qPrintable(source));
                    for (const QString& used : placeholders(form))
                        QVERIFY2(placeholders(source).contains(used), qPrintable(source + QStringLiteral(" -> ") + form));
                    for (const QString& needed : placeholders(source))
                        QVERIFY2(needed == QLatin1String("%n") || form.contains(needed), qPrintable(source + QStringLiteral(" -> ") + form));
                }
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(messages > 300);
    }

    void areLoaded()
    {
        const QString english = verdictReasonText(QStringLiteral("slower"));
        for (const char* code : {"de", "zh_CN"}) {
            QTranslator translator;
            QVERIFY(translator.load(QLocale(QLatin1String(code)), QStringLiteral("foresight"), QStringLiteral("_"), QStringLiteral(":/i18n")));
            QVERIFY(QCoreApplication::installTranslator(&translator));
            QVERIFY2(verdictReasonText(QStringLiteral("slower")) != english, code);
            QCoreApplication::removeTranslator(&translator);
        }
        QCOMPARE(availableLanguages().size(), 4);
    }
};

FORESIGHT_GUI_TEST_MAIN(TestTranslations)
#include "tst_translations.moc"
