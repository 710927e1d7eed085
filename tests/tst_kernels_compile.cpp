// SPDX-License-Identifier: Apache-2.0
// Compiles a sample of every family's configurations that covers each algorithm, dtype and layout, and the
// reference kernels, with NVRTC when the machine has it. Nothing is run.
#include "core/base/random.h"
#include "core/kernels/family.h"

#include <QtTest>

#include <dlfcn.h>

#include <set>

using namespace foresight;

namespace {

// Under a sanitizer NVRTC itself is ten times slower and finds nothing more with every dtype.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kThin = true;
#else
constexpr bool kThin = false;
#endif

// The six entry points of NVRTC that are needed, opened at run time.
class Nvrtc
{
public:
    Nvrtc()
    {
        for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                 "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/lib/libnvrtc.so"})
            if (!m_library)
                m_library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!m_library)
            return;
        get(m_create, "nvrtcCreateProgram");
        get(m_compile, "nvrtcCompileProgram");
        get(m_logSize, "nvrtcGetProgramLogSize");
        get(m_log, "nvrtcGetProgramLog");
        get(m_cubinSize, "nvrtcGetCUBINSize");
        get(m_destroy, "nvrtcDestroyProgram");
    }
    bool ok() const { return m_create && m_compile && m_logSize && m_log && m_cubinSize && m_destroy; }

    // Empty when it compiled to a CUBIN without a warning, else the log.
    std::string compile(const KernelPlan& plan) const
    {
        void* program = nullptr;
        if (m_create(&program, plan.source.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0)
            return "nvrtcCreateProgram failed";
        std::vector<const char*> options = {"-arch=sm_90"};
        for (const std::string& option : plan.compileOptions)
            options.push_back(option.c_str());
        const int code = m_compile(program, static_cast<int>(options.size()), options.data());
        std::size_t bytes = 0, cubin = 0;
        m_logSize(program, &bytes);
        std::string log(bytes, '\0');
        m_log(program, log.data());
        log.resize(bytes > 0 ? bytes - 1 : 0);
        if (code == 0)
            m_cubinSize(program, &cubin);
        m_destroy(&program);
        if (code == 0 && cubin > 0)
            return log;
        return "code " + std::to_string(code) + "\n" + log;
    }

private:
    template <typename F> void get(F& function, const char* name)
    {
        function = reinterpret_cast<F>(dlsym(m_library, name));
    }
    void* m_library = nullptr;
    int (*m_create)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*m_compile)(void*, int, const char* const*) = nullptr;
    int (*m_logSize)(void*, std::size_t*) = nullptr;
    int (*m_log)(void*, char*) = nullptr;
    int (*m_cubinSize)(void*, std::size_t*) = nullptr;
    int (*m_destroy)(void**) = nullptr;
};

Symbols sizesOf(const std::string& family, bool flags)
{
    if (family == "group_norm")
        return {{"N", std::int64_t{2}},   {"C", std::int64_t{64}}, {"H", std::int64_t{512}},
                {"W", std::int64_t{512}}, {"G", std::int64_t{8}},  {"silu", flags},
                {"affine", !flags},       {"stats", flags}};
    if (family == "rms_norm")
        return {{"ROWS", std::int64_t{8192}},
                {"COLS", std::int64_t{flags ? 128 : 4096}},
                {"weight", !flags},
                {"weight_offset", std::int64_t{flags}},
                {"stats", flags}};
    if (family == "softmax")
        return {{"ROWS", std::int64_t{flags ? 8192 : 300}},
                {"COLS", std::int64_t{flags ? 1024 : 65536}},
                {"log", flags}};
    if (family == "skinny_linear")
        return {{"M", std::int64_t{flags ? 9 : 1}},
                {"N", std::int64_t{4096}},
                {"K", std::int64_t{2048}},
                {"bias", flags}};
    if (family == "cumsum")
        return {{"ROWS", std::int64_t{512}}, {"COLS", std::int64_t{flags ? 1024 : 32768}}};
    if (family == "row_reduce")
        return {{"ROWS", std::int64_t{4096}},
                {"COLS", std::int64_t{flags ? 49 : 8192}},
                {"op", std::int64_t{flags ? 2 : 1}},
                {"indices", flags}};
    if (family == "cross_entropy")
        return {
            {"ROWS", std::int64_t{512}}, {"COLS", std::int64_t{65536}}, {"reduction", std::int64_t{flags}}};
    if (family == "embedding")
        return {{"ROWS", std::int64_t{4096}},
                {"COLS", std::int64_t{flags ? 77 : 1024}},
                {"V", std::int64_t{50000}}};
    if (family == "max_pool2d")
        return {{"N", std::int64_t{8}},
                {"C", std::int64_t{64}},
                {"H", std::int64_t{112}},
                {"W", std::int64_t{112}},
                {"indices", flags}};
    if (family == "permute_copy")
        return {{"BATCH", std::int64_t{flags ? 4 : 1}},
                {"ROWS", std::int64_t{flags ? 256 : 4096}},
                {"COLS", std::int64_t{flags ? 64 : 4096}},
                {"INNER", std::int64_t{flags ? 64 : 1}}};
    if (family == "silu" || family == "relu")
        return {{"N", std::int64_t{flags ? 1 << 24 : 1000003}}};
    if (family == "gelu")
        return {{"N", std::int64_t{1 << 24}}, {"tanh", flags}};
    if (family == "add")
        return {{"N", std::int64_t{1 << 24}}, {"relu", flags}};
    if (family == "gated")
        return {{"ROWS", std::int64_t{2048}},
                {"COLS", std::int64_t{8192}},
                {"packed", flags},
                {"gelu", flags},
                {"tanh", flags}};
    if (family == "rope")
        return {{"H", std::int64_t{32}},
                {"S", std::int64_t{4096}},
                {"D", std::int64_t{flags ? 64 : 128}},
                {"interleaved", flags}};
    if (family == "batch_norm")
        return {{"N", std::int64_t{32}}, {"C", std::int64_t{256}}, {"H", std::int64_t{56}},
                {"W", std::int64_t{56}}, {"relu", flags},          {"add", flags},
                {"affine", !flags},      {"param_f32", !flags}};
    if (family == "layer_norm")
        return {{"ROWS", std::int64_t{8192}},
                {"COLS", std::int64_t{flags ? 1536 : 4096}},
                {"affine", !flags},
                {"stats", flags}};
    if (family == "add_rms_norm")
        return {{"ROWS", std::int64_t{8192}},
                {"COLS", std::int64_t{flags ? 1536 : 4096}},
                {"weight_offset", std::int64_t{flags}}};
    if (family == "fp8_quantise")
        return {{"ROWS", std::int64_t{8192}}, {"COLS", std::int64_t{flags ? 1536 : 4096}}};
    return {};
}

} // namespace

class TestKernelsCompile : public QObject
{
    Q_OBJECT

private slots:
    void everyAlgorithm_data()
    {
        QTest::addColumn<QString>("name");
        const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
        QVERIFY2(registry.ok(), registry ? "" : registry.error().message.c_str());
        for (const auto& family : registry->families())
            QTest::newRow(family->name().c_str()) << QString::fromStdString(family->name());
    }
    void everyAlgorithm()
    {
        QFETCH(QString, name);
        const Nvrtc nvrtc;
        if (!nvrtc.ok())
            QSKIP("NVRTC is not installed here: no kernel can be compiled");
        const auto gpu = findGpuSpec(FORESIGHT_SOURCE_DIR, "NVIDIA H200");
        QVERIFY2(gpu.ok(), gpu ? "" : gpu.error().message.c_str());
        const auto registry = FamilyRegistry::load(FORESIGHT_SOURCE_DIR);
        QVERIFY2(registry.ok(), registry ? "" : registry.error().message.c_str());
        Random random(42);
        int compiled = 0;
        const auto family = registry->find(name.toStdString());
        QVERIFY(family);
        std::set<std::string> seen; // algorithm, dtype and layout, and everything once
        for (DType dtype : family->dtypes()) {
            if (kThin && dtype != family->dtypes().front())
                continue;
            for (const std::string& layout : family->layouts()) {
                for (bool flags : {false, true}) {
                    const auto problem = family->makeProblem(dtype, layout, sizesOf(family->name(), flags));
                    QVERIFY2(problem.ok(), problem ? "" : problem.error().message.c_str());
                    const auto reference = family->referencePlan(*problem);
                    QVERIFY(reference.ok());
                    if (!flags) {
                        const std::string log = nvrtc.compile(*reference);
                        QVERIFY2(log.empty(), (family->name() + " reference\n" + log).c_str());
                    }
                    const auto space = family->enumerate(*problem, *gpu);
                    QVERIFY(space.ok() && space->size() > 0);
                    // Random order; a configuration is compiled when it brings an algorithm not yet seen
                    // for this dtype and layout or with these flags, or a value not yet seen for this
                    // layout.
                    for (std::size_t trial = 0; trial < 4 * space->size(); ++trial) {
                        const auto index = static_cast<std::size_t>(random.below(space->size()));
                        const Symbols configuration = space->configuration(index);
                        const std::string algorithm = valueText(configuration.at("ALGO"));
                        bool fresh = seen.insert(algorithm + std::string(dtypeName(dtype)) + layout).second;
                        fresh = seen.insert(algorithm + layout + (flags ? "1" : "0")).second || fresh;
                        for (const auto& [parameter, value] : configuration)
                            fresh = seen.insert(layout + parameter + valueText(value)).second || fresh;
                        if (!fresh)
                            continue;
                        const auto plan = family->instantiate(*problem, configuration);
                        QVERIFY2(plan.ok(), plan ? "" : plan.error().message.c_str());
                        const std::string log = nvrtc.compile(*plan);
                        QVERIFY2(log.empty(), (family->name() + " " + symbolsText(configuration) + " " +
                                               problem->key + "\n" + log)
                                                  .c_str());
                        ++compiled;
                    }
                }
            }
        }
        qInfo("%d configurations compiled", compiled);
        QVERIFY(compiled >= 3);
    }
};

QTEST_APPLESS_MAIN(TestKernelsCompile)
#include "tst_kernels_compile.moc"
