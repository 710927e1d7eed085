// SPDX-License-Identifier: Apache-2.0
#include "core/store/compress.h"

#include <memory>
#include <zstd.h>

namespace foresight {

std::string compressValue(std::string_view data)
{
    // A context costs far more to make than a small value to compress.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                    ZSTD_freeCCtx);
    constexpr int kLevel = 3;
    std::string frame(ZSTD_compressBound(data.size()), '\0');
    const std::size_t size =
        ZSTD_compressCCtx(context.get(), frame.data(), frame.size(), data.data(), data.size(), kLevel);
    frame.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return frame;
}

Result<std::string> decompressValue(std::string_view frame, std::size_t maxBytes)
{
    const auto corrupt = [] { return makeError(ErrorCode::Corrupt, "a stored value is damaged"); };
    const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                            ZSTD_freeDStream);
    if (!stream || ZSTD_isError(ZSTD_initDStream(stream.get())) != 0)
        return makeError(ErrorCode::ResourceLimit, "no memory to decompress a stored value");
    std::string data;
    std::string chunk(ZSTD_DStreamOutSize(), '\0');
    ZSTD_inBuffer in{frame.data(), frame.size(), 0};
    for (;;) {
        ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
        const std::size_t inBefore = in.pos;
        const std::size_t left = ZSTD_decompressStream(stream.get(), &out, &in);
        if (ZSTD_isError(left) != 0)
            return corrupt();
        if (data.size() + out.pos > maxBytes)
            return makeError(ErrorCode::ResourceLimit,
                             "a stored value is larger than " + std::to_string(maxBytes) + " bytes");
        data.append(chunk.data(), out.pos);
        if (left == 0)
            break;
        if (out.pos == 0 && in.pos == inBefore)
            return corrupt(); // ends in the middle of a frame
    }
    if (in.pos != frame.size())
        return corrupt();
    return data;
}

} // namespace foresight
