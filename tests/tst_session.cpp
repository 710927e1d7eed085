// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/base/subprocess.h"
#include "core/store/database.h"
#include "core/store/schema.h"
#include "core/store/session.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <sys/wait.h>
#include <unistd.h>

using namespace foresight;

namespace {

EventRow makeEvent(std::int64_t seq)
{
    EventRow event;
    event.seq = seq;
    event.kind = static_cast<std::int32_t>(1 + seq % 19);
    event.node = seq / 2;
    event.parent = seq / 4 - 1;
    event.a = std::sin(static_cast<double>(seq));
    event.b = 1. / static_cast<double>(seq);
    event.flags = static_cast<std::uint32_t>(seq % 8);
    event.timeNs = 1'700'000'000'000'000'000 + seq;
    if (seq % 3 != 0)
        event.payload = "{\"seq\":" + std::to_string(seq) + "}";
    if (seq % 5 == 0)
        event.annex = std::string(static_cast<std::size_t>(seq * 7 % 5000), 'l') + std::to_string(seq);
    return event;
}

std::vector<EventRow> makeEvents(std::int64_t from, std::int64_t to)
{
    std::vector<EventRow> events;
    for (std::int64_t seq = from; seq <= to; ++seq)
        events.push_back(makeEvent(seq));
    return events;
}

bool sameEvent(const EventRow& a, const EventRow& b)
{
    return a.seq == b.seq && a.kind == b.kind && a.version == b.version && a.node == b.node &&
           a.parent == b.parent && a.a == b.a && a.b == b.b && a.flags == b.flags && a.payload == b.payload &&
           a.annex == b.annex && a.timeNs == b.timeNs;
}

} // namespace

class TestSession : public QObject
{
    Q_OBJECT
private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void createsOnlyOnce();
    void eventsRoundTrip();
    void eventsMustFollow();
    void specialNumbers();
    void metaSearchesAndVerdicts();
    void blobs();
    void snapshots();
    void closedSessionIsOneFile();
    void oneWriter();
    void staleLockIsTakenOver();
    void lockOfAnotherHost();
    void readerBesideAWriter();
    void readOnlyFolder();
    void saveAs();
    void workingCopies();
    void migrations();
    void killedWriterLeavesAGaplessPrefix();

private:
    std::string path(const char* name = "s.fsight") const
    {
        return joinPath(m_folder->path().toStdString(), name);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestSession::createsOnlyOnce()
{
    QVERIFY(Session::create(path()).ok());
    const auto again = Session::create(path());
    QVERIFY(!again);
    QCOMPARE(again.error().code, ErrorCode::InvalidArgument);
    QVERIFY(Session::open(path()).ok());
    QVERIFY(!Session::create(path("no/such/folder.fsight")));
    QCOMPARE(Session::open(path("absent.fsight")).error().code, ErrorCode::NotFound);
    QVERIFY(!fileExists(path("absent.fsight")));
    // Names with a meaning in URIs.
    for (const char* name : {"a b?mode=memory#x%41.fsight", "\xc3\xa4.fsight"}) {
        QVERIFY(Session::create(path(name)).ok());
        QVERIFY(fileExists(path(name)));
        QVERIFY(Session::open(path(name)).ok());
    }
}

void TestSession::eventsRoundTrip()
{
    const auto events = makeEvents(1, 3000);
    std::int64_t search = 0;
    {
        auto session = *Session::create(path());
        search = *session->addSearch({});
        QVERIFY(session->appendEvents(search, std::span(events).first(1000)).ok());
        for (std::size_t i = 1000; i < 1010; ++i)
            QVERIFY(session->appendEvents(search, std::span(events).subspan(i, 1)).ok());
        QVERIFY(session->appendEvents(search, {}).ok());
    }
    auto session = *Session::open(path());
    // A new connection continues where the old one stopped.
    QVERIFY(session->appendEvents(search, std::span(events).subspan(1010)).ok());
    std::vector<EventRow> read;
    QVERIFY(session
                ->readEvents(search, 0, std::numeric_limits<std::int64_t>::max(), true,
                             [&read](EventRow&& event) {
                                 read.push_back(std::move(event));
                                 return true;
                             })
                .ok());
    QCOMPARE(read.size(), events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
        QVERIFY(sameEvent(read[i], events[i]));
    // A range without texts, ended by the reader.
    read.clear();
    QVERIFY(session
                ->readEvents(search, 10, 20, false,
                             [&read](EventRow&& event) {
                                 read.push_back(std::move(event));
                                 return read.size() < 5;
                             })
                .ok());
    QCOMPARE(read.size(), std::size_t{5});
    QCOMPARE(read.front().seq, std::int64_t{11});
    QVERIFY(read.front().payload.empty() && read.front().annex.empty());
    QVERIFY(sameEvent(*session->readEvent(search, 2999), events[2998]));
    QCOMPARE(session->readEvent(search, 3001).error().code, ErrorCode::NotFound);
}

void TestSession::eventsMustFollow()
{
    auto session = *Session::create(path());
    const auto search = *session->addSearch({});
    const auto other = *session->addSearch({});
    auto events = makeEvents(1, 10);
    QVERIFY(session->appendEvents(search, events).ok());
    QCOMPARE(session->appendEvents(search, events).error().code, ErrorCode::InvalidArgument);
    events = makeEvents(11, 20);
    events[5].seq = 99;
    QVERIFY(!session->appendEvents(search, events));
    QCOMPARE((*session->searches())[0].events, std::int64_t{10}); // nothing of the refused batch is there
    QVERIFY(session->appendEvents(search, makeEvents(11, 20)).ok());
    QVERIFY(session->appendEvents(other, makeEvents(1, 3)).ok());
    QCOMPARE(session->appendEvents(77, makeEvents(1, 1)).error().code, ErrorCode::NotFound);
    QCOMPARE((*session->searches())[0].events, std::int64_t{20});
    QCOMPARE((*session->searches())[1].events, std::int64_t{3});
}

void TestSession::specialNumbers()
{
    auto session = *Session::create(path());
    const auto search = *session->addSearch({});
    EventRow event = makeEvent(1);
    event.a = std::numeric_limits<double>::quiet_NaN();
    event.b = -std::numeric_limits<double>::infinity();
    event.node = std::numeric_limits<std::int64_t>::max();
    event.flags = std::numeric_limits<std::uint32_t>::max();
    event.payload = std::string("zero\0byte", 9);
    QVERIFY(session->appendEvents(search, std::span(&event, 1)).ok());
    const auto read = *session->readEvent(search, 1);
    QVERIFY(std::isnan(read.a));
    QCOMPARE(read.b, event.b);
    QCOMPARE(read.node, event.node);
    QCOMPARE(read.flags, event.flags);
    QCOMPARE(read.payload, event.payload);
}

void TestSession::metaSearchesAndVerdicts()
{
    auto session = *Session::create(path());
    QVERIFY(!session->meta("title").has_value());
    QVERIFY(session->setMeta("title", "one").ok());
    QVERIFY(session->setMeta("title", "it's \"two\"").ok());
    QCOMPARE(*session->meta("title"), std::string("it's \"two\""));
    SearchRecord record;
    record.operatorId = 7;
    record.operatorName = "aten::_softmax";
    record.problemKey = "softmax[C=1] f16";
    record.optionsJson = "{\"seed\":1}";
    record.space = "softmax.t4.json.zst";
    QCOMPARE(*session->addSearch(record), std::int64_t{1});
    const auto searches = *session->searches();
    QCOMPARE(searches.size(), std::size_t{1});
    QCOMPARE(searches[0].operatorId, std::int64_t{7});
    QCOMPARE(searches[0].operatorName, record.operatorName);
    QCOMPARE(searches[0].problemKey, record.problemKey);
    QCOMPARE(searches[0].optionsJson, record.optionsJson);
    QCOMPARE(searches[0].space, record.space);
    QCOMPARE(searches[0].created.size(), std::size_t{20});
    QVERIFY(session->putVerdict({0, 1, 7, "fall back", "no gain", "{}", ""}).ok());
    QVERIFY(session->putVerdict({0, 1, 7, "deploy", "", "{\"lo\":1.1}", "2026-11-29T00:00:00Z"}).ok());
    const auto verdicts = *session->verdicts();
    QCOMPARE(verdicts.size(), std::size_t{2});
    QCOMPARE(verdicts[0].decision, std::string("fall back"));
    QCOMPARE(verdicts[1].evidenceJson, std::string("{\"lo\":1.1}"));
    QCOMPARE(verdicts[1].created, std::string("2026-11-29T00:00:00Z"));
}

void TestSession::blobs()
{
    auto session = *Session::create(path());
    Random random(5);
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{300'000}}) {
        std::string data;
        for (std::size_t i = 0; i < size; ++i)
            data += static_cast<char>(random.below(i % 3 == 0 ? 256 : 4));
        const auto hash = session->putBlob(data);
        QCOMPARE(*hash, sha256Hex(data));
        QCOMPARE(*session->putBlob(data), *hash);
        QCOMPARE(*session->blob(*hash), data);
    }
    QCOMPARE(*session->database().integer("SELECT count(*) FROM blob"), std::int64_t{4});
    QCOMPARE(session->blob("00").error().code, ErrorCode::NotFound);
    // Swapped content is noticed.
    const auto hash = *session->putBlob("a");
    QVERIFY(session->database()
                .execute("UPDATE blob SET data = (SELECT data FROM blob WHERE hash = '" + sha256Hex("") +
                         "') WHERE hash = '" + hash + "'")
                .ok());
    QCOMPARE(session->blob(hash).error().code, ErrorCode::Corrupt);
}

void TestSession::snapshots()
{
    auto session = *Session::create(path());
    QVERIFY(!session->snapshot(1, 100).has_value());
    QVERIFY(session->putSnapshot(1, 10, "ten").ok());
    QVERIFY(session->putSnapshot(1, 20, "twenty").ok());
    QVERIFY(session->putSnapshot(2, 15, "other").ok());
    QVERIFY(!session->snapshot(1, 9).has_value());
    QCOMPARE(session->snapshot(1, 10)->second, std::string("ten"));
    QCOMPARE(session->snapshot(1, 19)->first, std::int64_t{10});
    QCOMPARE(session->snapshot(1, 99)->second, std::string("twenty"));
}

void TestSession::closedSessionIsOneFile()
{
    {
        auto session = *Session::create(path());
        QVERIFY(fileExists(path() + ".lock"));
        QVERIFY(session->setMeta("a", "b").ok());
        QCOMPARE(*session->database().text("PRAGMA journal_mode"), std::string("wal"));
    }
    QCOMPARE(*listFolder(m_folder->path().toStdString()), std::vector<std::string>{"s.fsight"});
    // Bytes 18 and 19 of the header: 1 = rollback journal, which an immutable reader can open.
    const auto data = *readFile(path());
    QCOMPARE(int(data[18]), 1);
    QCOMPARE(int(data[19]), 1);
}

void TestSession::oneWriter()
{
    auto writer = *Session::create(path());
    QVERIFY(!writer->readOnly());
    const auto second = Session::open(path(), Session::Mode::ReadWrite);
    QVERIFY(!second);
    QCOMPARE(second.error().code, ErrorCode::Busy);
    QVERIFY(second.error().message.find(std::to_string(::getpid())) != std::string::npos);
    auto reader = *Session::open(path());
    QVERIFY(reader->readOnly());
    QVERIFY(reader->readOnlyReason().find("being written") != std::string::npos);
    QCOMPARE(reader->setMeta("a", "b").error().code, ErrorCode::Unsupported);
    QVERIFY(!reader->addSearch({}));
    QVERIFY(!reader->putBlob("x"));
    reader.reset();
    writer.reset();
    QVERIFY(!(*Session::open(path()))->readOnly());
}

void TestSession::staleLockIsTakenOver()
{
    Session::create(path()).ok();
    char host[256]{};
    QCOMPARE(::gethostname(host, sizeof host - 1), 0);
    const pid_t dead = ::fork();
    if (dead == 0)
        ::_exit(0);
    QCOMPARE(::waitpid(dead, nullptr, 0), dead);
    QVERIFY(writeFileAtomically(path() + ".lock", canonicalJson({{"pid", dead}, {"host", host}})).ok());
    QVERIFY(!(*Session::open(path(), Session::Mode::ReadWrite))->readOnly());
    // A living process whose start differs from the one in the file has only inherited the number.
    QVERIFY(writeFileAtomically(path() + ".lock",
                                canonicalJson({{"pid", 1}, {"started", 123456789}, {"host", host}}))
                .ok());
    QVERIFY(Session::open(path(), Session::Mode::ReadWrite).ok());
    // A living one is respected, even where flock told us nothing.
    QVERIFY(writeFileAtomically(path() + ".lock", canonicalJson({{"pid", ::getpid()}, {"host", host}})).ok());
    QCOMPARE(Session::open(path(), Session::Mode::ReadWrite).error().code, ErrorCode::Busy);
    // Cut off while it was being written: nobody holds it.
    QVERIFY(writeFileAtomically(path() + ".lock", "{\"pid\":").ok());
    QVERIFY(Session::open(path(), Session::Mode::ReadWrite).ok());
}

void TestSession::lockOfAnotherHost()
{
    Session::create(path()).ok();
    QVERIFY(writeFileAtomically(
                path() + ".lock",
                canonicalJson({{"pid", 1}, {"host", "another.example"}, {"program", "foresight"}}))
                .ok());
    const auto busy = Session::open(path(), Session::Mode::ReadWrite);
    QVERIFY(!busy);
    QCOMPARE(busy.error().code, ErrorCode::Busy);
    QVERIFY(busy.error().message.find("another.example") != std::string::npos);
    QVERIFY(busy.error().hint.find(".lock") != std::string::npos);
    QVERIFY(fileExists(path() + ".lock"));
}

void TestSession::readerBesideAWriter()
{
    auto writer = *Session::create(path());
    const auto search = *writer->addSearch({});
    QVERIFY(writer->appendEvents(search, makeEvents(1, 100)).ok());
    auto reader = *Session::open(path(), Session::Mode::ReadOnly);
    QCOMPARE((*reader->searches())[0].events, std::int64_t{100});
    QVERIFY(writer->appendEvents(search, makeEvents(101, 250)).ok());
    QCOMPARE((*reader->searches())[0].events, std::int64_t{250});
    // The writer closes first: the file stays readable, for this reader and for later ones.
    writer.reset();
    QCOMPARE((*reader->searches())[0].events, std::int64_t{250});
    reader.reset();
    QCOMPARE((*(*Session::open(path(), Session::Mode::ReadOnly))->searches())[0].events, std::int64_t{250});
}

void TestSession::readOnlyFolder()
{
    {
        auto session = *Session::create(path());
        QVERIFY(session->setMeta("title", "shipped").ok());
    }
    const QString folder = m_folder->path();
    constexpr auto kReadable = QFile::ReadOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup |
                               QFile::ReadOther | QFile::ExeOther;
    QVERIFY(QFile::setPermissions(folder, kReadable));
    // In a child, because root may write anywhere: it becomes somebody else first.
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (::getuid() == 0 && ::setresuid(kNobody, kNobody, kNobody) != 0)
            ::_exit(10);
        if (::access(folder.toUtf8().constData(), W_OK) == 0)
            ::_exit(11);
        if (Session::open(path(), Session::Mode::ReadWrite).ok())
            ::_exit(12);
        const auto session = Session::open(path());
        if (!session) {
            qWarning("%s", session.error().toString().c_str());
            ::_exit(13);
        }
        if (!(*session)->readOnly() || (*session)->readOnlyReason().empty())
            ::_exit(14);
        if ((*session)->meta("title") != "shipped")
            ::_exit(15);
        ::_exit(0);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    const auto entries = listFolder(folder.toStdString());
    QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY(WIFEXITED(status));
    if (WEXITSTATUS(status) == 10)
        QSKIP("this container's root may not become another user");
    QCOMPARE(WEXITSTATUS(status), 0);
    QCOMPARE(entries->size(), std::size_t{1}); // no journals, no lock
}

void TestSession::saveAs()
{
    auto session = *Session::create(path());
    const auto search = *session->addSearch({});
    QVERIFY(session->appendEvents(search, makeEvents(1, 500)).ok());
    QVERIFY(session->saveAs(path("copy.fsight")).ok());
    QVERIFY(session->appendEvents(search, makeEvents(501, 600)).ok());
    {
        auto copy = *Session::open(path("copy.fsight"));
        QCOMPARE((*copy->searches())[0].events, std::int64_t{500});
        // In use as a session elsewhere: not replaced under its writer.
        QCOMPARE(session->saveAs(path("copy.fsight")).error().code, ErrorCode::Busy);
    }
    QVERIFY(session->saveAs(path("copy.fsight")).ok());
    QCOMPARE((*(*Session::open(path("copy.fsight")))->searches())[0].events, std::int64_t{600});
    QCOMPARE(session->saveAs(path()).error().code, ErrorCode::InvalidArgument);
    QVERIFY(!session->saveAs(path("no/such/folder/x.fsight")));
    session.reset();
    QCOMPARE(*listFolder(m_folder->path().toStdString()),
             (std::vector<std::string>{"copy.fsight", "s.fsight"}));
}

void TestSession::workingCopies()
{
    {
        auto session = *Session::create(path());
        QVERIFY(session->setMeta("title", "original").ok());
    }
    auto original = *Session::open(path(), Session::Mode::ReadOnly);
    const std::string folder = path("copies/deep");
    const auto first = *original->makeWorkingCopy(folder);
    const auto second = *original->makeWorkingCopy(folder);
    QCOMPARE(first, joinPath(folder, "s.fsight"));
    QCOMPARE(second, joinPath(folder, "s-2.fsight"));
    auto copy = *Session::open(first, Session::Mode::ReadWrite);
    QCOMPARE(*copy->meta("title"), std::string("original"));
    QVERIFY(copy->setMeta("title", "changed").ok());
    QCOMPARE(*original->meta("title"), std::string("original"));
    copy.reset();
    QCOMPARE(listFolder(folder)->size(), std::size_t{2});
}

void TestSession::migrations()
{
    auto database = *Database::inMemory();
    const std::vector<Migration> steps = {{1, "CREATE TABLE t(a)"},
                                          {2, "ALTER TABLE t ADD COLUMN b; INSERT INTO t VALUES(1, 2)"},
                                          {3, "UPDATE t SET a = b * 10"}};
    QVERIFY(migrate(*database, std::span(steps).first(1)).ok());
    QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{1});
    QVERIFY(migrate(*database, steps).ok());
    QVERIFY(migrate(*database, steps).ok());
    QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{3});
    QCOMPARE(*database->integer("SELECT sum(a) FROM t"), std::int64_t{20});
    // A step that fails takes everything back with it.
    const std::vector<Migration> broken = {{4, "INSERT INTO t VALUES(5, 5)"}, {5, "no sql"}};
    QVERIFY(!migrate(*database, broken));
    QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{3});
    QCOMPARE(*database->integer("SELECT count(*) FROM t"), std::int64_t{1});
    QCOMPARE(schemaMigrations().back().version, currentSchemaVersion());
}

void TestSession::killedWriterLeavesAGaplessPrefix()
{
    {
        QVERIFY((*Session::create(path()))->addSearch({}).ok());
    }
    for (int round = 0; round < 4; ++round) {
        const std::int64_t before =
            (*(*Session::open(path(), Session::Mode::ReadOnly))->searches())[0].events;
        int pipe[2];
        QCOMPARE(::pipe(pipe), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            auto session = Session::open(path(), Session::Mode::ReadWrite);
            if (!session)
                ::_exit(1);
            // One by one and in batches, for ever; each acknowledged once it is in the log.
            for (std::int64_t seq = before + 1;;) {
                const std::int64_t batch = seq % 7 == 0 ? 5 : 1;
                if (!(*session)->appendEvents(1, makeEvents(seq, seq + batch - 1)))
                    ::_exit(1);
                seq += batch;
                const std::int64_t done = seq - 1;
                if (::write(pipe[1], &done, sizeof done) != sizeof done)
                    ::_exit(1);
            }
        }
        ::close(pipe[1]);
        std::int64_t acknowledged = 0;
        const std::int64_t enough = before + 300 * (round + 1);
        while (acknowledged < enough &&
               ::read(pipe[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged) {
        }
        ::kill(child, SIGKILL);
        while (::read(pipe[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged) {
        }
        ::close(pipe[0]);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status));
        auto session = Session::open(path(), Session::Mode::ReadWrite);
        QVERIFY2(session.ok(), session.ok() ? "" : session.error().toString().c_str());
        std::int64_t count = 0;
        bool same = true;
        QVERIFY((*session)
                    ->readEvents(1, 0, std::numeric_limits<std::int64_t>::max(), true,
                                 [&](EventRow&& event) {
                                     same = same && sameEvent(event, makeEvent(++count));
                                     return true;
                                 })
                    .ok());
        QVERIFY(same);
        QVERIFY(acknowledged >= enough);
        QVERIFY(count >= acknowledged); // nothing that was acknowledged is lost
        QVERIFY((*session)->appendEvents(1, makeEvents(count + 1, count + 1)).ok());
    }
}

QTEST_APPLESS_MAIN(TestSession)
#include "tst_session.moc"
