// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/ids.h"
#include "core/base/json.h"
#include "core/base/log.h"
#include "core/base/random.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <sys/stat.h>
#include <thread>

using namespace foresight;

namespace {

Result<int> half(int value)
{
    if (value % 2 != 0)
        return makeError(ErrorCode::InvalidArgument, "odd", "give an even number");
    return value / 2;
}

Result<int> quarter(int value)
{
    FS_TRY(once, half(value));
    FS_TRY(twice, half(once));
    return twice;
}

} // namespace

class TestBase : public QObject
{
    Q_OBJECT
private slots:
    void resultsCarryValuesAndErrors();
    void everyErrorCodeHasItsOwnName();
    void sha256KnownAnswers();
    void sha256InPieces();
    void sha256OfNumbers();
    void fnvKnownAnswers();
    void crcKnownAnswers();
    void randomKnownAnswers();
    void randomDistributions();
    void fileRoundTrip();
    void writeIsAtomic();
    void paths();
    void foldersOfTheUser();
    void dataFolderSaysWhereItLooked();
    void canonicalJsonForm();
    void jsonErrorsNameTheSource();
    void jsonMembers();
    void jsonSurvivesMutations();
    void logSinkReceivesRecords();
};

void TestBase::resultsCarryValuesAndErrors()
{
    QCOMPARE(*quarter(12), 3);
    const auto failed = quarter(6);
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, ErrorCode::InvalidArgument);
    QCOMPARE(failed.error().toString(), std::string("odd (give an even number)"));
    QCOMPARE(failed.error().within("quarter of 6").message, std::string("quarter of 6: odd"));
    QVERIFY(Result<void>().ok());
    QVERIFY(!Result<void>(makeError(ErrorCode::Busy, "x")));
    QVERIFY(!JobId().valid());
    QVERIFY(JobId(0) < JobId(1));
}

void TestBase::everyErrorCodeHasItsOwnName()
{
    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(ErrorCode::Internal); ++code)
        names.insert(errorCodeName(static_cast<ErrorCode>(code)));
    QCOMPARE(names.size(), static_cast<std::size_t>(ErrorCode::Internal) + 1);
}

// FIPS 180-4's examples: the empty message, one block, two blocks, a million letters.
void TestBase::sha256KnownAnswers()
{
    QCOMPARE(sha256Hex(""), std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    QCOMPARE(sha256Hex("abc"),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    QCOMPARE(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
             std::string("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
    QCOMPARE(sha256Hex(std::string(1'000'000, 'a')),
             std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

void TestBase::sha256InPieces()
{
    Random random(7);
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += static_cast<char>(random.below(256));
    for (int round = 0; round < 50; ++round) {
        Sha256 hash;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t take = std::min<std::size_t>(text.size() - at, random.below(150));
            hash.update(std::string_view(text).substr(at, take));
            at += take;
        }
        QCOMPARE(hash.finishHex(), sha256Hex(text));
    }
    // Every length around the padding's edges against Qt's implementation.
    for (int length = 0; length < 260; ++length) {
        const QByteArray data(text.data(), length);
        QCOMPARE(QByteArray::fromStdString(sha256Hex(data.toStdString())),
                 QCryptographicHash::hash(data, QCryptographicHash::Sha256).toHex());
    }
}

void TestBase::sha256OfNumbers()
{
    Sha256 number;
    number.updateU64(0x0102030405060708ull);
    QCOMPARE(number.finishHex(), sha256Hex(std::string("\x08\x07\x06\x05\x04\x03\x02\x01", 8)));
    Sha256 plus, minus;
    plus.updateF64(0.0);
    minus.updateF64(-0.0);
    QCOMPARE(plus.finishHex(), minus.finishHex());
    Sha256 one;
    one.updateF64(1.0); // 0x3ff0000000000000
    QCOMPARE(one.finishHex(), sha256Hex(std::string("\0\0\0\0\0\0\xf0\x3f", 8)));
}

// The FNV-1a page's test vectors (draft-eastlake-fnv, 64 bit).
void TestBase::fnvKnownAnswers()
{
    QCOMPARE(fnv1a64(""), 0xcbf29ce484222325ull);
    QCOMPARE(fnv1a64("a"), 0xaf63dc4c8601ec8cull);
    QCOMPARE(fnv1a64("foobar"), 0x85944171f73967e8ull);
}

void TestBase::crcKnownAnswers()
{
    QCOMPARE(crc32("123456789", 9), 0xcbf43926u);
    QCOMPARE(crc32("", 0), 0u);
    QCOMPARE(crc32("The quick brown fox jumps over the lazy dog", 43), 0x414fa339u);
}

// Computed with an independent implementation (Python integers) of splitmix64 and xoshiro256**.
void TestBase::randomKnownAnswers()
{
    Random random(1);
    QCOMPARE(random.next(), 0xb3f2af6d0fc710c5ull);
    QCOMPARE(random.next(), 0x853b559647364ceaull);
    QCOMPARE(random.next(), 0x92f89756082a4514ull);
    Random again(1), other(2);
    QCOMPARE(again.next(), 0xb3f2af6d0fc710c5ull);
    QVERIFY(other.next() != 0xb3f2af6d0fc710c5ull);
}

void TestBase::randomDistributions()
{
    Random random(42);
    constexpr int kDraws = 200'000;
    double sum = 0, squares = 0, normalSum = 0, normalSquares = 0;
    std::array<int, 7> counts{};
    for (int i = 0; i < kDraws; ++i) {
        const double u = random.uniform();
        QVERIFY(u >= 0 && u < 1);
        sum += u;
        squares += u * u;
        const double n = random.normal();
        normalSum += n;
        normalSquares += n * n;
        ++counts[random.below(7)];
    }
    // Five standard errors each.
    QVERIFY(std::abs(sum / kDraws - .5) < 5 * std::sqrt(1. / 12 / kDraws));
    QVERIFY(std::abs(squares / kDraws - 1. / 3) < 5 * std::sqrt(4. / 45 / kDraws));
    QVERIFY(std::abs(normalSum / kDraws) < 5 / std::sqrt(kDraws));
    QVERIFY(std::abs(normalSquares / kDraws - 1) < 5 * std::sqrt(2. / kDraws));
    for (int count : counts)
        QVERIFY(std::abs(count - kDraws / 7.) < 5 * std::sqrt(kDraws / 7. * 6 / 7));
    QCOMPARE(random.below(1), 0ull);
    QVERIFY(!random.coin(0));
    QVERIFY(random.coin(1));
}

void TestBase::fileRoundTrip()
{
    QTemporaryDir folder;
    const std::string deep = joinPath(folder.path().toStdString(), "a/b/c");
    QVERIFY(makeFolders(deep).ok());
    QVERIFY(makeFolders(deep).ok());
    QVERIFY(folderExists(deep));
    const std::string path = joinPath(deep, "file");
    const std::string data("zero \0 byte and \xff", 17);
    QVERIFY(writeFileAtomically(path, data).ok());
    QVERIFY(fileExists(path));
    QVERIFY(!folderExists(path));
    QCOMPARE(*readFile(path), data);
    QCOMPARE(readFile(path, data.size() - 1).error().code, ErrorCode::ResourceLimit);
    QCOMPARE(*readFile(path, data.size()), data);
    QCOMPARE(readFile(joinPath(deep, "absent")).error().code, ErrorCode::NotFound);
    QVERIFY(!readFile(deep));
    QCOMPARE(*listFolder(deep), std::vector<std::string>{"file"});
    QVERIFY(!listFolder(path));
    QVERIFY(!makeFolders(joinPath(path, "below-a-file")));
    QCOMPARE(*readFile("/dev/null"), std::string());
}

// A reader that looks all the time only ever sees one of the complete contents.
void TestBase::writeIsAtomic()
{
    QTemporaryDir folder;
    const std::string path = joinPath(folder.path().toStdString(), "file");
    const std::string first(300'000, 'a'), second(200'000, 'b');
    QVERIFY(writeFileAtomically(path, first).ok());
    QCOMPARE(::chmod(path.c_str(), 0640), 0);
    std::jthread writer([&](const std::stop_token& stop) {
        for (int i = 0; i < 40 && !stop.stop_requested(); ++i)
            static_cast<void>(writeFileAtomically(path, i % 2 == 0 ? second : first));
    });
    for (int i = 0; i < 40; ++i) {
        const auto seen = readFile(path);
        QVERIFY(seen.ok());
        QVERIFY(*seen == first || *seen == second);
    }
    writer.join();
    QCOMPARE(listFolder(folder.path().toStdString())->size(), std::size_t{1});
    struct stat info
    {
    };
    QCOMPARE(::stat(path.c_str(), &info), 0);
    QCOMPARE(info.st_mode & 07777, mode_t{0640});
    // No temporary file is left behind by a write that cannot end well.
    QVERIFY(!writeFileAtomically(folder.path().toStdString(), "x"));
    QCOMPARE(writeFileAtomically(joinPath(path, "x"), "x").error().code, ErrorCode::NotFound);
}

void TestBase::paths()
{
    QCOMPARE(joinPath("a", "b"), std::string("a/b"));
    QCOMPARE(joinPath("a/", "b"), std::string("a/b"));
    QCOMPARE(joinPath("", "b"), std::string("b"));
    QCOMPARE(joinPath("a", ""), std::string("a"));
    QCOMPARE(joinPath("a", "/b"), std::string("/b"));
    QCOMPARE(fileName("/a/b.c"), std::string("b.c"));
    QCOMPARE(fileName("b.c"), std::string("b.c"));
    QCOMPARE(parentFolder("/a/b.c"), std::string("/a"));
    QCOMPARE(parentFolder("/a"), std::string("/"));
    QCOMPARE(parentFolder("a"), std::string());
}

void TestBase::foldersOfTheUser()
{
    QTemporaryDir folder;
    qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
    QCOMPARE(userCacheFolder(), folder.path().toStdString() + "/foresight");
    qputenv("XDG_DATA_HOME", "relative/is/ignored");
    qputenv("HOME", folder.path().toUtf8());
    QCOMPARE(userDataFolder(), folder.path().toStdString() + "/.local/share/foresight");
    qputenv("XDG_RUNTIME_DIR", folder.path().toUtf8());
    const auto runtime = userRuntimeFolder();
    QVERIFY(runtime.ok());
    struct stat info
    {
    };
    QCOMPARE(::stat(runtime->c_str(), &info), 0);
    QCOMPARE(info.st_mode & 0777, mode_t{0700});
    // A link planted in its place is refused.
    QVERIFY(QDir().rmdir(QString::fromStdString(*runtime)));
    QVERIFY(QFile::link(QStringLiteral("/tmp"), QString::fromStdString(*runtime)));
    QVERIFY(!userRuntimeFolder());
}

void TestBase::dataFolderSaysWhereItLooked()
{
    QTemporaryDir folder;
    qputenv("FORESIGHT_DATA", folder.path().toUtf8());
    const auto missing = dataFolder();
    QVERIFY(!missing);
    QCOMPARE(missing.error().code, ErrorCode::NotFound);
    QVERIFY(missing.error().message.find(folder.path().toStdString()) != std::string::npos);
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("resources/kernels")));
    QCOMPARE(*dataFolder(), folder.path().toStdString());
    qunsetenv("FORESIGHT_DATA");
}

void TestBase::canonicalJsonForm()
{
    const auto json = parseJson(R"({"b": [1, 2.5, null, true], "a": {"y": "\u00e9", "x": 0.1}})", "test");
    QVERIFY(json.ok());
    QCOMPARE(canonicalJson(*json),
             std::string("{\"a\":{\"x\":0.1,\"y\":\"\xc3\xa9\"},\"b\":[1,2.5,null,true]}"));
    QCOMPARE(canonicalJson(Json(std::numeric_limits<double>::quiet_NaN())), std::string("null"));
    QCOMPARE(canonicalJson(Json(std::numeric_limits<double>::infinity())), std::string("null"));
    QCOMPARE(canonicalJson(Json("broken \xff utf-8")), std::string("\"broken \xef\xbf\xbd utf-8\""));
    // Doubles survive exactly.
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const double value = std::ldexp(random.uniform() - .5, static_cast<int>(random.below(200)) - 100);
        QCOMPARE(parseJson(canonicalJson(Json(value)), "x")->get<double>(), value);
    }
}

void TestBase::jsonErrorsNameTheSource()
{
    const auto error = parseJson("{\"a\": }", "families/x/family.json");
    QVERIFY(!error);
    QCOMPARE(error.error().code, ErrorCode::ParseError);
    QVERIFY(error.error().message.starts_with("families/x/family.json"));
    QVERIFY(error.error().message.find("[json.") == std::string::npos);
    QCOMPARE(parseJson(std::string(100'000, '['), "deep").error().code, ErrorCode::ParseError);
    QVERIFY(parseJson("\"[[[[\"", "brackets in a string").ok());
    QCOMPARE(readJsonFile("/nonexistent/file").error().code, ErrorCode::NotFound);
}

void TestBase::jsonMembers()
{
    const Json object = {{"s", "text"}, {"d", 1.5}, {"i", 7}, {"w", 3.0}, {"u", std::uint64_t{1} << 63}};
    QCOMPARE(*jsonString(object, "s", "t"), std::string("text"));
    QCOMPARE(*jsonNumber(object, "d", "t"), 1.5);
    QCOMPARE(*jsonNumber(object, "i", "t"), 7.0);
    QCOMPARE(*jsonInteger(object, "i", "t"), std::int64_t{7});
    QCOMPARE(*jsonInteger(object, "w", "t"), std::int64_t{3});
    QVERIFY(!jsonInteger(object, "d", "t"));
    QVERIFY(!jsonInteger(object, "u", "t"));
    QVERIFY(!jsonInteger(object, "s", "t"));
    const auto missing = jsonString(object, "nothing", "file.json");
    QVERIFY(missing.error().message.find("file.json") != std::string::npos);
    QVERIFY(missing.error().message.find("nothing") != std::string::npos);
    QVERIFY(!jsonString(Json::array(), "s", "t"));
}

void TestBase::jsonSurvivesMutations()
{
    const std::string valid = R"({"a": [1, -2.5e-3, "x\n\u20ac", {"b": null}], "c": false, "d": ""})";
    Random random(11);
    int accepted = 0;
    for (int round = 0; round < 5000; ++round) {
        std::string text = valid;
        for (std::uint64_t change = 0, n = 1 + random.below(4); change < n && !text.empty(); ++change) {
            const std::size_t at = random.below(text.size());
            switch (random.below(3)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, 1 + random.below(8));
                break;
            default:
                text.insert(at, text.substr(random.below(text.size()), random.below(6)));
            }
        }
        if (const auto json = parseJson(text, "mutation")) {
            ++accepted;
            // What was accepted can be written and read again, to the same value.
            QCOMPARE(canonicalJson(*parseJson(canonicalJson(*json), "again")), canonicalJson(*json));
        }
    }
    QVERIFY(accepted > 0 && accepted < 5000);
}

void TestBase::logSinkReceivesRecords()
{
    std::vector<LogRecord> records;
    setLogSink([&records](const LogRecord& record) { records.push_back(record); });
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([] {
                for (int n = 0; n < 100; ++n)
                    log(LogLevel::Warning, "test", "text");
            });
    }
    setLogSink(nullptr);
    log(LogLevel::Error, "test", "dropped");
    QCOMPARE(records.size(), std::size_t{400});
    QCOMPARE(records.front().area, std::string("test"));
    QCOMPARE(records.front().level, LogLevel::Warning);
}

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
