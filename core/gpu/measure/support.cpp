// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/measure/support.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/gpu/measure/support_source.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace foresight::measure {

namespace {

constexpr unsigned kThreads = 256;

struct KernelLayout
{
    int rank = 0, contiguous = 0, small = 0, pad = 0;
    std::int64_t shape[8] = {}, strides[8] = {};
};

// Drops extents of 1 and joins neighbours that are one run of memory, so that index arithmetic stays short.
KernelLayout layoutOf(const TensorSpec& tensor)
{
    KernelLayout layout;
    for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
        const std::int64_t extent = tensor.shape[d], stride = tensor.strides[d];
        if (extent == 1)
            continue;
        if (layout.rank > 0 && layout.strides[layout.rank - 1] == stride * extent) {
            layout.shape[layout.rank - 1] *= extent;
            layout.strides[layout.rank - 1] = stride;
        } else if (layout.rank < 8) {
            layout.shape[layout.rank] = extent;
            layout.strides[layout.rank] = stride;
            ++layout.rank;
        }
    }
    layout.contiguous = layout.rank == 0 || (layout.rank == 1 && layout.strides[0] == 1);
    layout.small = tensor.elements() < (std::int64_t{1} << 31);
    return layout;
}

Result<std::string> supportCubin(const std::string& arch, const std::string& cacheFolder)
{
    FS_TRY(version, nvrtcVersionText());
    const std::string source(kSupportSource);
    const std::string path = joinPath(
        cacheFolder, "support-" + arch + "-" + sha256Hex(source + "\n" + version).substr(0, 32) + ".cubin");
    if (auto cached = readFile(path); cached && !cached->empty())
        return std::move(cached).value();
    FS_TRY(cubin, nvrtcCompile(source, "foresight_support.cu", arch));
    // A cache that cannot be written costs two seconds at the next start, nothing else.
    if (makeFolders(cacheFolder))
        (void)writeFileAtomically(path, cubin).ok();
    return cubin;
}

} // namespace

double CompareResult::maxAbsError() const
{
    return std::bit_cast<double>(maxAbs);
}
double CompareResult::maxRelError() const
{
    return std::bit_cast<double>(maxRel);
}

std::uint64_t fillPattern(DType dtype)
{
    switch (dtype) {
    case DType::F64:
        return 0x7ffa5a5a7ffa5a5aull;
    case DType::F32:
        return 0x7ffa5a5aull;
    case DType::F16:
        return 0x7e5aull;
    case DType::BF16:
        return 0x7fdaull;
    case DType::F8E4M3:
        return 0xffull;
    default:
        return 0xa5a5a5a5a5a5a5a5ull;
    }
}

Result<std::unique_ptr<Support>> Support::load(Device& device, const std::string& cacheFolder)
{
    std::unique_ptr<Support> support(new Support(device));
    const std::string arch = device.spec().archName();
    FS_TRY(cubin, supportCubin(arch, cacheFolder.empty() ? userCacheFolder() : cacheFolder));
    const CudaDriver& cu = device.cu();
    FS_CHECK(
        device.check(cu.cuModuleLoadData(&support->m_module, cubin.data()), "loading the support kernels"));
    const std::pair<const char*, CUfunction*> functions[] = {{"fs_fill", &support->m_fill},
                                                             {"fs_poke", &support->m_poke},
                                                             {"fs_zones", &support->m_zones},
                                                             {"fs_checksum", &support->m_checksum},
                                                             {"fs_stats", &support->m_stats},
                                                             {"fs_compare", &support->m_compare},
                                                             {"fs_compare_runs", &support->m_compareRuns},
                                                             {"fs_flush", &support->m_flushKernel},
                                                             {"fs_empty", &support->m_empty},
                                                             {"fs_spin", &support->m_spin}};
    for (const auto& [name, function] : functions)
        FS_CHECK(device.check(cu.cuModuleGetFunction(function, support->m_module, name),
                              "finding a support kernel"));
    // Four times this must fit too (the doctor reads that much); 256 MB is > 2 x L2 on every GPU so far.
    const auto l2 = static_cast<std::uint64_t>(std::max<std::int64_t>(device.spec().l2Bytes, 1));
    support->m_flushBytes =
        std::max<std::uint64_t>(std::uint64_t{256} << 20, (l2 * 5 / 2 + 0xfffff) & ~0xfffffull);
    FS_TRY(flush, DeviceMemory::allocate(device, support->m_flushBytes));
    support->m_flush = std::move(flush);
    FS_TRY(sink, DeviceMemory::allocate(device, 256));
    support->m_sink = std::move(sink);
    FS_CHECK(device.check(cu.cuMemsetD32Async(support->m_flush.address(), 0x01234567u,
                                              support->m_flushBytes / 4, device.stream()),
                          "clearing the flush buffer"));
    FS_CHECK(device.wait(10));
    return support;
}

Support::~Support()
{
    if (m_module && !m_device.lost())
        m_device.cu().cuModuleUnload(m_module);
}

unsigned Support::gridFor(std::uint64_t threads, unsigned blocksPerSm) const
{
    const std::uint64_t blocks = (threads + kThreads - 1) / kThreads;
    const auto most = static_cast<std::uint64_t>(m_device.smCount()) * blocksPerSm;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(blocks, 1, std::max<std::uint64_t>(most, 1)));
}

Result<void> Support::launch(CUfunction function, unsigned gridX, unsigned gridY, void** arguments,
                             const char* doing, CUstream stream) const
{
    return m_device.check(m_device.cu().cuLaunchKernel(function, gridX, gridY, 1, kThreads, 1, 1, 0, stream,
                                                       arguments, nullptr),
                          doing);
}

Result<void> Support::fill(CUdeviceptr data, std::uint64_t elements, DType dtype, const TensorFill& fill,
                           std::uint64_t seed, bool alternating)
{
    if (elements == 0)
        return {};
    int type = static_cast<int>(dtype), kind = static_cast<int>(fill.kind), alternate = alternating;
    double a = fill.mean, b = fill.std;
    if (fill.kind == TensorFill::Kind::Uniform || fill.kind == TensorFill::Kind::IndexRange) {
        a = fill.low;
        b = fill.high;
    }
    void* arguments[] = {&data, &elements, &type, &kind, &a, &b, &seed, &alternate};
    return launch(m_fill, gridFor((elements + 3) / 4), 1, arguments, "filling a tensor", m_device.stream());
}

Result<void> Support::poke(CUdeviceptr data, std::uint64_t index, DType dtype, double value)
{
    int type = static_cast<int>(dtype);
    void* arguments[] = {&data, &index, &type, &value};
    return launch(m_poke, 1, 1, arguments, "setting an element", m_device.stream());
}

Result<void> Support::fillOutput(CUdeviceptr data, std::uint64_t elements, DType dtype)
{
    if (elements == 0)
        return {};
    const CudaDriver& cu = m_device.cu();
    const auto pattern = fillPattern(dtype);
    CUresult status = CUDA_SUCCESS;
    switch (dtypeBytes(dtype)) {
    case 8:
    case 4:
        status = cu.cuMemsetD32Async(data, static_cast<unsigned>(pattern),
                                     elements * static_cast<std::uint64_t>(dtypeBytes(dtype)) / 4,
                                     m_device.stream());
        break;
    case 2:
        status = cu.cuMemsetD16Async(data, static_cast<unsigned short>(pattern), elements, m_device.stream());
        break;
    default:
        status = cu.cuMemsetD8Async(data, static_cast<unsigned char>(pattern), elements, m_device.stream());
    }
    return m_device.check(status, "filling an output");
}

Result<void> Support::zones(CUdeviceptr table, int count, std::uint64_t largest, CUdeviceptr result,
                            bool check)
{
    if (count == 0)
        return {};
    int flag = check;
    void* arguments[] = {&table, &result, &flag};
    const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>((largest + 1023) / 1024, 1, 128));
    return launch(m_zones, blocks, static_cast<unsigned>(count), arguments, "checking red zones",
                  m_device.stream());
}

Result<void> Support::checksum(CUdeviceptr data, std::uint64_t bytes, CUdeviceptr result)
{
    int width = 8;
    while (width > 1 &&
           (data % static_cast<unsigned>(width) != 0 || bytes % static_cast<unsigned>(width) != 0))
        width /= 2;
    std::uint64_t words = bytes / static_cast<std::uint64_t>(width);
    if (words == 0)
        return {};
    void* arguments[] = {&data, &words, &width, &result};
    return launch(m_checksum, gridFor(words), 1, arguments, "summing an input", m_device.stream());
}

Result<void> Support::stats(CUdeviceptr values, std::uint64_t count, CUdeviceptr result)
{
    if (count == 0)
        return {};
    void* arguments[] = {&values, &count, &result};
    return launch(m_stats, gridFor(count), 1, arguments, "summing a reference", m_device.stream());
}

Result<void> Support::compare(CUdeviceptr out, const TensorSpec& tensor, CUdeviceptr expected,
                              const ToleranceTerms& tolerance, CUdeviceptr stats, CUdeviceptr result)
{
    auto elements = static_cast<std::uint64_t>(tensor.elements());
    if (elements == 0)
        return {};
    int type = static_cast<int>(tensor.dtype);
    KernelLayout layout = layoutOf(tensor);
    ToleranceTerms terms = tolerance;
    std::uint64_t pattern = fillPattern(tensor.dtype);
    void* arguments[] = {&out, &type, &expected, &elements, &layout, &terms, &stats, &pattern, &result};
    return launch(m_compare, gridFor(elements), 1, arguments, "comparing with the reference",
                  m_device.stream());
}

Result<void> Support::compareRuns(CUdeviceptr first, CUdeviceptr second, const TensorSpec& tensor,
                                  const ToleranceTerms& tolerance, CUdeviceptr stats, CUdeviceptr result)
{
    auto elements = static_cast<std::uint64_t>(tensor.storageElements());
    if (elements == 0)
        return {};
    int type = static_cast<int>(tensor.dtype);
    ToleranceTerms terms = tolerance;
    void* arguments[] = {&first, &second, &type, &elements, &terms, &stats, &result};
    return launch(m_compareRuns, gridFor(elements), 1, arguments, "comparing two runs", m_device.stream());
}

Result<void> Support::readBytes(CUdeviceptr data, std::uint64_t bytes, CUstream stream) const
{
    std::uint64_t words = bytes / 16;
    CUdeviceptr sink = m_sink.address();
    void* arguments[] = {&data, &words, &sink};
    return launch(m_flushKernel, gridFor(words / 4, 8), 1, arguments, "reading memory", stream);
}

Result<void> Support::flush(CUstream stream) const
{
    return readBytes(m_flush.address(), m_flushBytes, stream);
}

Result<void> Support::empty(CUstream stream) const
{
    return launch(m_empty, 1, 1, nullptr, "running an empty kernel", stream);
}

Result<void> Support::spin(std::uint64_t ns, CUstream stream) const
{
    void* arguments[] = {&ns};
    return launch(m_spin, 1, 1, arguments, "running a waiting kernel", stream);
}

} // namespace foresight::measure
