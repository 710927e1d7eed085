// SPDX-License-Identifier: Apache-2.0
// Files that are not sessions, or no longer: each must give a clear error or a working session, never a
// crash.
#include "core/base/file.h"
#include "core/base/random.h"
#include "core/store/compress.h"
#include "core/store/database.h"
#include "core/store/session.h"

#include <QTemporaryDir>
#include <QtTest>

#include <limits>
#include <sqlite3.h>

using namespace foresight;

namespace {

// Everything a reader and a writer would do.
void exercise(const std::string& path)
{
    auto opened = Session::open(path);
    if (!opened)
        return;
    auto& session = **opened;
    session.meta("title");
    static_cast<void>(session.verdicts());
    session.snapshot(1, 1000);
    if (const auto searches = session.searches())
        for (const auto& search : *searches)
            static_cast<void>(session.readEvents(search.id, 0, std::numeric_limits<std::int64_t>::max(), true,
                                                 [](EventRow&&) { return true; }));
    static_cast<void>(session.setMeta("title", "changed"));
    EventRow event;
    event.seq = 201;
    static_cast<void>(session.appendEvents(1, std::span(&event, 1)));
    static_cast<void>(session.putBlob("more"));
}

} // namespace

class TestSessionDamage : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void notASession();
    void foreignDatabase();
    void newerVersion();
    void cutOff();
    void missingTableOrColumn();
    void triggersAreRefused();
    void gapInTheLog();
    void randomDamage();
    void compressedValues();

private:
    std::string path(const char* name) const { return joinPath(m_folder.path().toStdString(), name); }
    // The valid session with `sql` run on it by somebody without our defences.
    std::string changed(const std::string& sql) const;
    QTemporaryDir m_folder;
    std::string m_valid;
};

void TestSessionDamage::initTestCase()
{
    {
        auto session = *Session::create(path("valid.fsight"));
        QVERIFY(session->setMeta("title", "valid").ok());
        const auto search = *session->addSearch({});
        std::vector<EventRow> events(200);
        for (std::size_t i = 0; i < events.size(); ++i) {
            events[i].seq = static_cast<std::int64_t>(i) + 1;
            events[i].kind = 3;
            events[i].payload = "{\"i\":" + std::to_string(i) + "}";
            events[i].annex = std::string(i * 20, 'x');
        }
        QVERIFY(session->appendEvents(search, events).ok());
        QVERIFY(session->putBlob(std::string(20'000, 'b')).ok());
        QVERIFY(session->putSnapshot(search, 100, "snapshot").ok());
        QVERIFY(session->putVerdict({0, 1, 1, "deploy", "", "{}", ""}).ok());
    }
    m_valid = *readFile(path("valid.fsight"));
}

std::string TestSessionDamage::changed(const std::string& sql) const
{
    const std::string file = path("changed.fsight");
    static_cast<void>(writeFileAtomically(file, m_valid));
    sqlite3* handle = nullptr;
    if (sqlite3_open(file.c_str(), &handle) != SQLITE_OK ||
        sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        qWarning("cannot prepare the test file: %s", sqlite3_errmsg(handle));
    sqlite3_close(handle);
    return file;
}

void TestSessionDamage::notASession()
{
    const std::string file = path("x");
    QVERIFY(writeFileAtomically(file, "").ok());
    QCOMPARE(Session::open(file).error().code, ErrorCode::Corrupt);
    QVERIFY(writeFileAtomically(file, "{\"traceEvents\": []}").ok());
    const auto json = Session::open(file);
    QCOMPARE(json.error().code, ErrorCode::InvalidArgument);
    QVERIFY(json.error().message.find("not a Foresight session") != std::string::npos);
    QVERIFY(!Session::open(m_folder.path().toStdString()));
    QCOMPARE(*readFile(file), std::string("{\"traceEvents\": []}")); // untouched
}

void TestSessionDamage::foreignDatabase()
{
    const std::string file = path("foreign.db");
    sqlite3* handle = nullptr;
    QCOMPARE(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    QCOMPARE(sqlite3_exec(handle, "CREATE TABLE meta(key, value)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(handle);
    const auto before = *readFile(file);
    const auto opened = Session::open(file);
    QCOMPARE(opened.error().code, ErrorCode::InvalidArgument);
    QVERIFY(opened.error().message.find("another program") != std::string::npos);
    QVERIFY(*readFile(file) == before);
}

void TestSessionDamage::newerVersion()
{
    const auto opened = Session::open(changed("PRAGMA user_version=99"));
    QCOMPARE(opened.error().code, ErrorCode::Unsupported);
    QVERIFY(opened.error().message.find("newer version") != std::string::npos);
    QCOMPARE(Session::open(changed("PRAGMA user_version=0")).error().code, ErrorCode::Corrupt);
}

void TestSessionDamage::cutOff()
{
    for (std::size_t size = 1; size < m_valid.size(); size += size < 200 ? 13 : 3001) {
        const std::string file = path("cut.fsight");
        QVERIFY(writeFileAtomically(file, m_valid.substr(0, size)).ok());
        for (auto mode : {Session::Mode::ReadOnly, Session::Mode::ReadWriteOrReadOnly}) {
            const auto opened = Session::open(file, mode);
            QVERIFY(!opened);
            QVERIFY(opened.error().code == ErrorCode::Corrupt ||
                    opened.error().code == ErrorCode::InvalidArgument);
        }
        QVERIFY(!fileExists(file + ".lock"));
    }
}

void TestSessionDamage::missingTableOrColumn()
{
    for (const char* sql :
         {"DROP TABLE verdict", "ALTER TABLE search DROP COLUMN space", "DROP TABLE profile_operator"}) {
        const auto opened = Session::open(changed(sql));
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Corrupt);
    }
    // More than we know of is no damage.
    QVERIFY(Session::open(changed("CREATE TABLE extra(a); ALTER TABLE search ADD COLUMN extra")).ok());
}

void TestSessionDamage::triggersAreRefused()
{
    for (const char* sql : {"CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM verdict; END",
                            "CREATE VIEW v AS SELECT * FROM meta"})
        QCOMPARE(Session::open(changed(sql)).error().code, ErrorCode::Corrupt);
}

void TestSessionDamage::gapInTheLog()
{
    auto session = *Session::open(changed("DELETE FROM search_event WHERE seq = 50"));
    int read = 0;
    const auto result = session->readEvents(1, 0, 1000, true, [&read](EventRow&&) {
        ++read;
        return true;
    });
    QCOMPARE(result.error().code, ErrorCode::Corrupt);
    QCOMPARE(read, 49);
}

void TestSessionDamage::randomDamage()
{
    Random random(20261129);
    const std::string file = path("damaged.fsight");
    int refused = 0;
    constexpr int kRounds = 200;
    for (int round = 0; round < kRounds; ++round) {
        std::string data = m_valid;
        for (std::uint64_t i = 0, n = 1 + random.below(20); i < n; ++i) {
            // Half of the changes where the structure is: headers of pages and cells.
            const std::size_t page = random.below(data.size() / 4096) * 4096;
            const std::size_t at = random.coin(.5) ? page + random.below(120) : random.below(data.size());
            data[at] = static_cast<char>(random.below(256));
        }
        if (random.coin(.1))
            data.resize(random.below(data.size()));
        QVERIFY(writeFileAtomically(file, data).ok());
        if (const auto opened = Session::open(file, Session::Mode::ReadOnly); !opened) {
            ++refused;
            QVERIFY(!opened.error().message.empty());
            QVERIFY(opened.error().code != ErrorCode::Internal);
        }
        exercise(file);
        for (const char* suffix : {"-wal", "-shm", "-journal"})
            QFile::remove(QString::fromStdString(file + suffix));
    }
    QVERIFY(refused > kRounds / 4 && refused < kRounds);
}

void TestSessionDamage::compressedValues()
{
    const std::string data = std::string(5000, 'a') + "tail";
    const std::string frame = compressValue(data);
    QVERIFY(frame.size() < 100);
    QCOMPARE(*decompressValue(frame), data);
    QCOMPARE(*decompressValue(compressValue("")), std::string());
    QCOMPARE(decompressValue(frame, 5003).error().code, ErrorCode::ResourceLimit);
    QCOMPARE(decompressValue(frame + "x").error().code, ErrorCode::Corrupt);
    QCOMPARE(decompressValue("").error().code, ErrorCode::Corrupt);
    for (std::size_t size = 0; size < frame.size(); ++size)
        QVERIFY(!decompressValue(frame.substr(0, size)));
    Random random(9);
    for (int round = 0; round < 2000; ++round) {
        std::string changedFrame = frame;
        changedFrame[random.below(frame.size())] = static_cast<char>(random.below(256));
        static_cast<void>(decompressValue(changedFrame, 1 << 20));
    }
}

QTEST_APPLESS_MAIN(TestSessionDamage)
#include "tst_session_damage.moc"
