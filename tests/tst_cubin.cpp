// SPDX-License-Identifier: Apache-2.0
// The readers of CUBINs and ptxas logs, on data written here by hand: an independent little ELF writer, and
// log lines as ptxas 13.0 prints them.
#include "core/base/random.h"
#include "core/gpu/cubin.h"
#include "core/gpu/ptxas_log.h"
#include "tests/tiny_cubin.h"

#include <QTest>

#include <string>
#include <vector>

using namespace foresight;
using namespace tinycubin;

namespace {

std::string record(std::uint8_t attribute, std::initializer_list<std::uint32_t> values)
{
    std::string text;
    text += '\4';
    text += static_cast<char>(attribute);
    put<std::uint16_t>(text, static_cast<std::uint16_t>(values.size() * 4));
    for (const std::uint32_t value : values)
        put(text, value);
    return text;
}

std::string symbol(std::uint32_t name)
{
    std::string text;
    put(text, name);
    text.resize(24, '\0');
    return text;
}

// Two kernels: "row" (32 registers, 1332 bytes shared, 400 bytes frame, <= 256 threads) and "col".
std::string exampleCubin(std::uint32_t flags = 0x5a00, std::uint8_t abi = 8)
{
    const std::string strings = std::string("\0row\0col\0", 9);
    const std::string symbols = symbol(0) + symbol(1) + symbol(5);
    // A four-byte record without data comes first: it must be stepped over.
    const std::string info = std::string("\x02\x4c\x01\x00", 4) + record(0x2f, {1, 32}) +
                             record(0x11, {1, 400}) + record(0x2f, {2, 255}) + record(0x11, {2, 0});
    return makeCubin({{".strtab", strings, 3, 0, 0, 0},
                      {".symtab", symbols, 2, 1, 0, 0},
                      {".nv.info", info, 0x70000000, 2, 0, 0},
                      {".nv.info.row", record(0x05, {256, 1, 1}), 0x70000000, 2, 0, 0},
                      {".text.row", std::string(640, 'x'), 1, 0, 0, 0},
                      {".text.col", std::string(128, 'x'), 1, 0, 0, 0},
                      {".text.helper", std::string(64, 'x'), 1, 0, 0, 0},
                      {".nv.constant0.row", std::string(536, 'c'), 1, 0, 0, 0},
                      {".nv.constant0.col", std::string(544, 'c'), 1, 0, 0, 0},
                      {".nv.shared.row", "", 8, 0, 0, 2368},
                      {".nv.shared.reserved.0", "", 8, 0, 0, 0}},
                     flags, abi);
}

} // namespace

class TestCubin : public QObject
{
    Q_OBJECT
private slots:
    void readsKernels();
    void readsOlderAbi();
    void refusesForeignFiles();
    void survivesDamage();
    void readsNvrtcLog();
    void readsPtxasLog();
    void findsErrors();
    void survivesDamagedLogs();
};

void TestCubin::readsKernels()
{
    const auto info = parseCubin(exampleCubin());
    QVERIFY2(info.ok(), info.ok() ? "" : info.error().message.c_str());
    QCOMPARE(info->arch, 90);
    QCOMPARE(info->kernels.size(), std::size_t{2});
    const CubinKernel& col = info->kernels[0];
    const CubinKernel& row = info->kernels[1];
    QCOMPARE(row.name, std::string("row"));
    QCOMPARE(row.registers, 32);
    QCOMPARE(row.stackFrame, std::int64_t{400});
    QCOMPARE(row.staticShared, std::int64_t{1344}); // 2368 less the system's 1024
    QCOMPARE(row.codeBytes, std::int64_t{640});
    QCOMPARE(row.constantBytes, std::int64_t{536});
    QCOMPARE(row.maxThreads, 256);
    QCOMPARE(col.name, std::string("col"));
    QCOMPARE(col.registers, 255);
    QCOMPARE(col.staticShared, std::int64_t{0});
    QCOMPARE(col.maxThreads, 0);
}

void TestCubin::readsOlderAbi()
{
    const auto info = parseCubin(exampleCubin(0x00500550, 7));
    QVERIFY(info.ok());
    QCOMPARE(info->arch, 80);
    QCOMPARE(info->kernels[1].staticShared, std::int64_t{2368}); // nothing is reserved before sm_90
}

void TestCubin::refusesForeignFiles()
{
    for (const std::string& bad :
         {std::string(),
          std::string("\x7f"
                      "ELF"),
          std::string(4096, '\0'),
          std::string("// a source file, not a CUBIN, and more than sixty-four bytes long")}) {
        const auto info = parseCubin(bad);
        QVERIFY(!info.ok());
        QCOMPARE(info.error().code, ErrorCode::Corrupt);
    }
    std::string x86 = exampleCubin();
    x86[18] = 62;
    QVERIFY(!parseCubin(x86).ok());
}

void TestCubin::survivesDamage()
{
    const std::string whole = exampleCubin();
    int refused = 0;
    for (std::size_t size = 0; size < whole.size(); size += 3)
        refused += parseCubin(whole.substr(0, size)).ok() ? 0 : 1;
    QVERIFY(refused > 0);
    Random random(7);
    for (int round = 0; round < 20'000; ++round) {
        std::string damaged = whole;
        const auto changes = 1 + random.below(6);
        for (std::uint64_t i = 0; i < changes; ++i) {
            // Half of the changes hit the header or the section table, where the offsets are.
            const std::size_t table = damaged.size() - 64 * 13;
            const std::size_t at = random.coin(.5)
                                       ? (random.coin(.3) ? random.below(64) : table + random.below(64 * 13))
                                       : random.below(damaged.size());
            damaged[at] = static_cast<char>(random.coin(.3) ? 0xff : random.below(256));
        }
        if (const auto info = parseCubin(damaged))
            for (const CubinKernel& kernel : info->kernels) {
                QVERIFY(kernel.registers >= 0 && kernel.registers <= 1024);
                QVERIFY(kernel.staticShared >= 0 && kernel.codeBytes >= 0);
            }
    }
}

void TestCubin::readsNvrtcLog()
{
    const auto kernels = parsePtxasLog(
        "kernel.cu(4): warning #177-D: variable \"x\" was declared but never referenced\n"
        "ptxas info    : 0 bytes gmem\n"
        "ptxas info    : Compiling entry function 'spilly' for 'sm_90'\n"
        "ptxas info    : Function properties for spilly\n"
        "ptxas         .     344 bytes stack frame, 628 bytes spill stores, 696 bytes spill loads\n"
        "ptxas info    : Used 64 registers, used 2 barriers, 344 bytes cumulative stack size, 4000 bytes "
        "smem\n"
        "ptxas info    : Compile time = 11.555 ms\n"
        "ptxas info    : Function properties for helper\n"
        "ptxas         .     16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
        "ptxas info    : Compiling entry function 'plain' for 'sm_90'\n"
        "ptxas info    : Used 14 registers, used 0 barriers\n");
    QCOMPARE(kernels.size(), std::size_t{2});
    QCOMPARE(kernels[0].name, std::string("spilly"));
    QCOMPARE(kernels[0].registers, 64);
    QCOMPARE(kernels[0].barriers, 2);
    QCOMPARE(kernels[0].spillStores, std::int64_t{628});
    QCOMPARE(kernels[0].spillLoads, std::int64_t{696});
    QCOMPARE(kernels[0].stackFrame, std::int64_t{344});
    QCOMPARE(kernels[0].sharedBytes, std::int64_t{4000});
    QVERIFY(kernels[0].hasSpillLine);
    QCOMPARE(kernels[1].name, std::string("plain"));
    QCOMPARE(kernels[1].registers, 14);
    QVERIFY(!kernels[1].hasSpillLine);
}

void TestCubin::readsPtxasLog()
{
    // The ptxas program indents the spill line without a prefix.
    const auto kernels =
        parsePtxasLog("ptxas info    : Compiling entry function 'k' for 'sm_80'\r\n"
                      "ptxas info    : Function properties for k\r\n"
                      "    40 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\r\n"
                      "ptxas info    : Used 40 registers, used 1 barriers, 40 bytes cumulative stack size, "
                      "400 bytes cmem[0]\r\n");
    QCOMPARE(kernels.size(), std::size_t{1});
    QCOMPARE(kernels[0].spillStores, std::int64_t{12});
    QCOMPARE(kernels[0].spillLoads, std::int64_t{16});
    QCOMPARE(kernels[0].sharedBytes, std::int64_t{0});
}

void TestCubin::findsErrors()
{
    QCOMPARE(firstErrorLine("k.cu(1): warning: w\nk.cu(3): error: expected a \";\"\nk.cu(4): error: x\n"),
             std::string("k.cu(3): error: expected a \";\""));
    QCOMPARE(firstErrorLine("ptxas error   : Entry function 'a' uses too much shared data (0xc400 bytes)"),
             std::string("ptxas error   : Entry function 'a' uses too much shared data (0xc400 bytes)"));
    QCOMPARE(firstErrorLine("all is well\n"), std::string());
}

void TestCubin::survivesDamagedLogs()
{
    const std::string log =
        "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
        "ptxas         .     99999999999999999999 bytes stack frame, 12 bytes spill stores\n"
        "ptxas info    : Used 40 registers, used 1 barriers\n";
    Random random(3);
    for (int round = 0; round < 5'000; ++round) {
        std::string damaged = log.substr(0, random.below(log.size() + 1));
        for (std::uint64_t i = random.below(5); i > 0 && !damaged.empty(); --i)
            damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
        for (const PtxasKernel& kernel : parsePtxasLog(damaged))
            QVERIFY(kernel.registers >= 0 && kernel.registers <= 1024);
        firstErrorLine(damaged);
    }
}

QTEST_APPLESS_MAIN(TestCubin)
#include "tst_cubin.moc"
