// SPDX-License-Identifier: Apache-2.0
// Really compiles, with the NVRTC of the toolkit found on this machine and without a GPU.
#include "core/base/file.h"
#include "core/base/subprocess.h"
#include "core/gpu/compile_cache.h"
#include "core/gpu/compile_wire.h"
#include "core/gpu/compiler.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace foresight;
using namespace std::chrono_literals;

namespace {

const std::string kSaxpy = R"(
extern "C" __global__ void saxpy(float* y, const float* x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
)";

// 2^40 instantiations: no compiler ends this.
const std::string kEndless = R"(
template <int Depth, long long Path> struct Tree {
    static constexpr int value = Tree<Depth - 1, 2 * Path>::value + Tree<Depth - 1, 2 * Path + 1>::value;
};
template <long long Path> struct Tree<0, Path> { static constexpr int value = 1; };
extern "C" __global__ void endless(int* out) { *out = Tree<40, 0>::value; }
)";

CompileRequest request(std::string source)
{
    CompileRequest made;
    made.source = std::move(source);
    return made;
}

} // namespace

class TestCompiler : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void wireSurvivesDamage();
    void compilesAndReadsResources();
    void spillsComeFromTheLog();
    void syntaxErrorHasTheLog();
    void missingIncludeNamesTheToolkit();
    void unknownArchIsTheToolkitsFault();
    void ownIncludePathWithForeignLetters();
    void foreignLettersInTheSource();
    void recursionEndsWithAnError();
    void endlessIsKilledAtTheDeadline();
    void memoryLimitHolds();
    void cancelAnswersQuickly();
    void cacheHits();
    void damagedCacheEntriesAreDropped();
    void cacheIsTrimmed();
    void serviceCompilesManyAndCancels();
    void missingWorkerIsSaid();
    void missingToolkitIsSaid();

private:
    CompilerOptions m_options;
    QTemporaryDir m_folder;
};

void TestCompiler::initTestCase()
{
    m_options.toolkit.workerPath = std::string(FORESIGHT_BIN_DIR) + "/tests/scripted_worker";
    QVERIFY2(fileExists(m_options.toolkit.workerPath), "build the target scripted_worker");
    const auto toolkit = findCudaToolkit(m_options.toolkit);
    if (!toolkit)
        QSKIP(toolkit.error().message.c_str());
    QVERIFY(toolkit->versionMajor >= 12);
    if (std::find(toolkit->archs.begin(), toolkit->archs.end(), 90) == toolkit->archs.end())
        QSKIP("this toolkit does not know sm_90");
    QVERIFY(m_folder.isValid());
}

void TestCompiler::wireSurvivesDamage()
{
    CompileJob job;
    job.library = "/a/libnvrtc.so";
    job.options = {"-DA=\"x y\"", "", "--include-path=/tmp/\xff"};
    job.source = std::string("line\n{\"not\":\"json\"}\n\xfe");
    const auto back = decodeCompileJob(encodeCompileJob(job));
    QVERIFY(back.ok());
    QCOMPARE(back->library, job.library);
    QCOMPARE(back->source, job.source);
    QVERIFY(back->options == job.options);

    CompileAnswer answer;
    answer.status = CompileAnswer::Status::Ok;
    answer.versionMajor = 13;
    answer.archs = {75, 90};
    answer.log = "two\nlines";
    answer.cubin = std::string("\x7f"
                               "ELF\0\n",
                               6);
    const std::string encoded = encodeCompileAnswer(answer);
    const auto decoded = decodeCompileAnswer(encoded);
    QVERIFY(decoded.ok());
    QCOMPARE(decoded->cubin, answer.cubin);
    QCOMPARE(decoded->log, answer.log);
    QVERIFY(decoded->archs == answer.archs);
    for (std::size_t size = 0; size < encoded.size(); ++size)
        QVERIFY(!decodeCompileAnswer(encoded.substr(0, size)).ok());
    for (std::size_t at = 0; at < encoded.size(); ++at) {
        std::string damaged = encoded;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
        (void)decodeCompileAnswer(damaged).ok();
        (void)decodeCompileJob(damaged).ok();
    }
}

void TestCompiler::compilesAndReadsResources()
{
    CompileRequest two = request(R"(
#include <cuda_fp16.h>
extern "C" __global__ void __launch_bounds__(256) shares(float* p, const half* h)
{
    __shared__ float tile[333];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x ^ 1] + __half2float(h[0]) * SCALE;
}
extern "C" __global__ void plain(float* p) { p[0] = 1; }
)");
    two.options = {"-DSCALE=2.0f"};
    const auto kernel = compileKernel(two, m_options);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().toString().c_str());
    QVERIFY(!kernel->fromCache);
    QCOMPARE(kernel->hash.size(), std::size_t{64});
    QVERIFY(kernel->seconds > 0);
    QCOMPARE(kernel->resources.size(), std::size_t{2});
    const KernelResources& plain = kernel->resources[0];
    const KernelResources& shares = kernel->resources[1];
    QCOMPARE(plain.kernel, std::string("plain"));
    QCOMPARE(plain.staticShared, std::int64_t{0});
    QCOMPARE(shares.kernel, std::string("shares"));
    // 333 floats; the compiler may round up.
    QVERIFY(shares.staticShared >= 1332 && shares.staticShared < 1332 + 128);
    QVERIFY(shares.registers > 4 && shares.registers < 64);
    QVERIFY(shares.codeBytes > 0);
    QCOMPARE(shares.spillStores, std::int64_t{0});
    QCOMPARE(shares.stackFrame, std::int64_t{0});
}

void TestCompiler::spillsComeFromTheLog()
{
    CompileRequest hungry = request(R"(
extern "C" __global__ void __launch_bounds__(1024, 2) spilly(float* p, int n)
{
    float a[64];
#pragma unroll
    for (int i = 0; i < 64; ++i) a[i] = p[threadIdx.x + 1024 * i];
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < 64; ++i) a[i] = a[i] * a[(i + 7) % 64] + a[(i + 13) % 64];
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) p[threadIdx.x + 1024 * i] = a[i];
}
)");
    const auto kernel = compileKernel(hungry, m_options);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().toString().c_str());
    QCOMPARE(kernel->resources.size(), std::size_t{1});
    QCOMPARE(kernel->resources[0].registers, 32); // 65536 / 2048 threads
    QVERIFY(kernel->resources[0].spillStores > 0);
    QVERIFY(kernel->resources[0].spillLoads > 0);
    QVERIFY(kernel->resources[0].stackFrame > 0);
}

void TestCompiler::syntaxErrorHasTheLog()
{
    const auto kernel =
        compileKernel(request("extern \"C\" __global__ void k() { int x = ; }\nnonsense"), m_options);
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::CompileFailed);
    QVERIFY(isSourceFault(kernel.error()));
    const std::string first = kernel.error().message.substr(0, kernel.error().message.find('\n'));
    QVERIFY2(first.find("kernel.cu(1)") != std::string::npos, first.c_str());
    QVERIFY2(first.find("error: expected an expression") != std::string::npos, first.c_str());
    QVERIFY(compileLogOf(kernel.error()).find("error") != std::string::npos);

    const auto empty = compileKernel(request("__device__ int f() { return 1; }"), m_options);
    QVERIFY(!empty.ok());
    QCOMPARE(empty.error().code, ErrorCode::CompileFailed);
    QVERIFY(empty.error().message.find("holds no kernel") != std::string::npos);
    QVERIFY(!compileKernel(request(std::string("int a\0;", 7)), m_options).ok());
}

void TestCompiler::missingIncludeNamesTheToolkit()
{
    const auto kernel =
        compileKernel(request("#include <vector>\nextern \"C\" __global__ void k() {}"), m_options);
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::CompileFailed);
    QVERIFY2(kernel.error().message.find("vector") != std::string::npos, kernel.error().message.c_str());
    QVERIFY2(kernel.error().hint.find("headers") != std::string::npos, kernel.error().hint.c_str());
}

void TestCompiler::unknownArchIsTheToolkitsFault()
{
    CompileRequest odd = request(kSaxpy);
    odd.arch = "sm_999";
    const auto kernel = compileKernel(odd, m_options);
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::Unsupported);
    QVERIFY(!isSourceFault(kernel.error()));
    QVERIFY(kernel.error().message.find("sm_90") != std::string::npos);
    odd.arch = "hopper";
    QCOMPARE(compileKernel(odd, m_options).error().code, ErrorCode::InvalidArgument);
}

void TestCompiler::ownIncludePathWithForeignLetters()
{
    const QString folder = m_folder.filePath(QString::fromUtf8("Übung 頭"));
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(writeFileAtomically(folder.toStdString() + "/own.h", "#define OWN 3\n").ok());
    CompileRequest own = request("#include \"own.h\"\nextern \"C\" __global__ void k(int* p) { *p = OWN; }");
    QVERIFY(!compileKernel(own, m_options).ok());
    own.includePaths = {folder.toStdString()};
    const auto kernel = compileKernel(own, m_options);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().toString().c_str());
}

void TestCompiler::foreignLettersInTheSource()
{
    const auto kernel = compileKernel(request("// größer 核\n" + kSaxpy), m_options);
    QVERIFY2(kernel.ok(), kernel.ok() ? "" : kernel.error().toString().c_str());
    QCOMPARE(kernel->resources.at(0).kernel, std::string("saxpy"));
    // NVRTC takes 0xff for the end of the file: it must not get to see it.
    const auto broken = compileKernel(request("// größer\n// \xff\xfe\n" + kSaxpy), m_options);
    QVERIFY(!broken.ok());
    QCOMPARE(broken.error().code, ErrorCode::CompileFailed);
    QVERIFY2(broken.error().message.find("line 2") != std::string::npos, broken.error().message.c_str());
}

void TestCompiler::recursionEndsWithAnError()
{
    const auto kernel = compileKernel(request(R"(
template <int N> struct F { static constexpr int v = F<N + 1>::v; };
extern "C" __global__ void k(int* p) { *p = F<0>::v; })"),
                                      m_options);
    QVERIFY(!kernel.ok());
    QVERIFY(isSourceFault(kernel.error()));
}

void TestCompiler::endlessIsKilledAtTheDeadline()
{
    CompileRequest endless = request(kEndless);
    endless.timeout = 1500ms;
    const auto start = std::chrono::steady_clock::now();
    const auto kernel = compileKernel(endless, m_options);
    const auto took = std::chrono::steady_clock::now() - start;
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::Timeout);
    QVERIFY(isSourceFault(kernel.error()));
    QVERIFY(took >= 1400ms); // it did run; how long killing takes depends on the machine's load
}

void TestCompiler::memoryLimitHolds()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("address space cannot be limited under a sanitizer");
#endif
    CompileRequest hungry = request(kEndless);
    hungry.memoryLimitBytes = std::uint64_t{400} << 20;
    hungry.timeout = 120s;
    const auto kernel = compileKernel(hungry, m_options);
    QVERIFY(!kernel.ok());
    QVERIFY2(kernel.error().code == ErrorCode::ResourceLimit, kernel.error().toString().c_str());
    QVERIFY(isSourceFault(kernel.error()));
    QVERIFY(kernel.error().message.find("400 MiB") != std::string::npos);
}

void TestCompiler::cancelAnswersQuickly()
{
    CompileRequest endless = request(kEndless);
    endless.timeout = 100s;
    std::stop_source stop;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(300ms);
        stop.request_stop();
    });
    const auto kernel = compileKernel(endless, m_options, stop.get_token());
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::Cancelled);
    QVERIFY(!isSourceFault(kernel.error()));
}

void TestCompiler::cacheHits()
{
    CompilerOptions cached = m_options;
    cached.cacheFolder = m_folder.filePath(QStringLiteral("hits")).toStdString();
    const auto first = compileKernel(request(kSaxpy), cached);
    QVERIFY(first.ok());
    QVERIFY(!first->fromCache);
    const auto second = compileKernel(request(kSaxpy), cached);
    QVERIFY(second.ok());
    QVERIFY(second->fromCache);
    QCOMPARE(second->hash, first->hash);
    QCOMPARE(second->cubin, first->cubin);
    QCOMPARE(second->log, first->log);
    QCOMPARE(second->resources.at(0).registers, first->resources.at(0).registers);
    QCOMPARE(second->seconds, first->seconds); // what it cost once stays known
    // Anything that changes the result misses.
    CompileRequest other = request(kSaxpy);
    other.options = {"--use_fast_math"};
    QVERIFY(!compileKernel(other, cached)->fromCache);
    other = request(kSaxpy);
    other.arch = "sm_80";
    QVERIFY(!compileKernel(other, cached)->fromCache);
    QVERIFY(!compileKernel(request(kSaxpy + " "), cached)->fromCache);
}

void TestCompiler::damagedCacheEntriesAreDropped()
{
    CompilerOptions cached = m_options;
    cached.cacheFolder = m_folder.filePath(QStringLiteral("damaged")).toStdString();
    QVERIFY(compileKernel(request(kSaxpy), cached).ok());
    const QStringList shelf =
        QDir(QString::fromStdString(cached.cacheFolder)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(shelf.size(), 1);
    const QDir inner(QString::fromStdString(cached.cacheFolder) + QLatin1Char('/') + shelf.first());
    const QString path = inner.filePath(inner.entryList(QDir::Files).first());
    const auto whole = readFile(path.toStdString());
    QVERIFY(whole.ok());

    const auto write = [&](const std::string& data) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(data.data(), static_cast<qint64>(data.size()));
    };
    std::string flipped = *whole;
    flipped[flipped.size() - 9] = static_cast<char>(flipped[flipped.size() - 9] ^ 1);
    for (const std::string& damaged : {std::string(), whole->substr(0, whole->size() / 2), flipped}) {
        write(damaged);
        const auto again = compileKernel(request(kSaxpy), cached);
        QVERIFY(again.ok());
        QVERIFY(!again->fromCache);
        QVERIFY(compileKernel(request(kSaxpy), cached)->fromCache); // and it was written anew
    }
}

void TestCompiler::cacheIsTrimmed()
{
    CompileCache cache(m_folder.filePath(QStringLiteral("trim")).toStdString(), 5000);
    for (int i = 0; i < 6; ++i)
        cache.store("k" + std::to_string(i) + "x", {std::string(1500, 'c'), "log", .1});
    cache.trim();
    int kept = 0;
    for (int i = 0; i < 6; ++i)
        kept += cache.find("k" + std::to_string(i) + "x") ? 1 : 0;
    QCOMPARE(kept, 3);
}

void TestCompiler::serviceCompilesManyAndCancels()
{
    std::mutex mutex;
    std::condition_variable changed;
    int good = 0, cancelled = 0;
    const auto count = [&](Result<CompiledKernel> result) {
        const std::lock_guard lock(mutex);
        result.ok() ? ++good : ++cancelled;
        changed.notify_all();
    };
    CompileService service(m_options, 2);
    QCOMPARE(service.threadCount(), 2);
    CompileRequest endless = request(kEndless);
    const auto running = service.submit(endless, count);
    std::uint64_t waiting = 0;
    for (int i = 0; i < 5; ++i) {
        CompileRequest each = request(kSaxpy);
        each.options = {"-DI=" + std::to_string(i)};
        waiting = service.submit(std::move(each), count);
    }
    (void)waiting;
    {
        std::unique_lock lock(mutex);
        QVERIFY(changed.wait_for(lock, 60s, [&] { return good == 5; }));
        QCOMPARE(cancelled, 0);
    }
    service.cancel(running);
    service.cancel(running);
    service.cancel(987654);
    std::unique_lock lock(mutex);
    QVERIFY(changed.wait_for(lock, 60s, [&] { return cancelled == 1; }));
    lock.unlock();

    // What is left when the service ends is answered too.
    std::atomic<int> answered = 0;
    {
        CompileService brief(m_options, 1);
        for (int i = 0; i < 4; ++i)
            brief.submit(endless, [&](Result<CompiledKernel> result) {
                if (!result.ok() && result.error().isCancelled())
                    ++answered;
            });
    }
    QCOMPARE(answered.load(), 4);
}

void TestCompiler::missingWorkerIsSaid()
{
    CompilerOptions lost = m_options;
    lost.toolkit.workerPath = "/nonexistent/foresight-worker";
    const auto kernel = compileKernel(request(kSaxpy), lost);
    QVERIFY(!kernel.ok());
    QCOMPARE(kernel.error().code, ErrorCode::NotFound);
    QVERIFY(kernel.error().message.find("/nonexistent/foresight-worker") != std::string::npos);
}

void TestCompiler::missingToolkitIsSaid()
{
    // A library that is no NVRTC, asked directly: the child must say so rather than crash.
    CompileJob job;
    job.library = "libnvrtc-not-there.so.99";
    ProcessOptions process;
    process.argv = {m_options.toolkit.workerPath, "--compile"};
    auto output = runProcess(process, encodeCompileJob(job), 30s);
    QVERIFY(output.ok());
    auto answer = decodeCompileAnswer(output->out);
    QVERIFY(answer.ok());
    QVERIFY(answer->status == CompileAnswer::Status::LibraryMissing);
    QVERIFY(answer->message.find("libnvrtc-not-there") != std::string::npos);
    job.library = "libm.so.6";
    output = runProcess(process, encodeCompileJob(job), 30s);
    QVERIFY(output.ok());
    answer = decodeCompileAnswer(output->out);
    QVERIFY(answer.ok());
    QVERIFY(answer->status == CompileAnswer::Status::LibraryFailed);
    output = runProcess(process, "rubbish", 30s);
    QVERIFY(output.ok());
    QVERIFY(output->exit.exited && output->exit.status == 1);
}

QTEST_APPLESS_MAIN(TestCompiler)
#include "tst_compiler.moc"
