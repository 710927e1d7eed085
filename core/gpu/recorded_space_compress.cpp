// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/recorded_space_io.h"

#include <algorithm>
#include <memory>

#include <zlib.h>
#include <zstd.h>

namespace foresight::recorded {

namespace {

constexpr std::size_t kChunk = std::size_t{256} << 10;

Error tooLarge(std::size_t maxBytes)
{
    return makeError(ErrorCode::ResourceLimit,
                     "the file holds more than " + std::to_string(maxBytes >> 20) + " MiB of text",
                     "This is far beyond any recorded space; is it the right file?");
}

Result<std::string> gunzip(std::string_view data, std::size_t maxBytes, bool prefixOnly)
{
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return makeError(ErrorCode::Internal, "zlib could not be started");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
    std::string text;
    // zlib's interface is not const-correct; it does not write to its input.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    while (true) {
        const std::size_t before = text.size();
        if (before >= maxBytes) {
            if (prefixOnly)
                return text;
            return tooLarge(maxBytes);
        }
        text.resize(std::min(before + kChunk, maxBytes + 1));
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
        stream.avail_out = static_cast<uInt>(text.size() - before);
        const int status = inflate(&stream, Z_NO_FLUSH);
        text.resize(text.size() - stream.avail_out);
        if (status == Z_STREAM_END) {
            // Concatenated members are one file.
            if (stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b &&
                inflateReset(&stream) == Z_OK)
                continue;
            if (text.size() > maxBytes && !prefixOnly)
                return tooLarge(maxBytes);
            return text;
        }
        if (status != Z_OK || (stream.avail_in == 0 && stream.avail_out != 0)) {
            if (prefixOnly && !text.empty())
                return text;
            return makeError(ErrorCode::ParseError, "the gzip data is damaged or cut off",
                             "Fetch or record the file again.");
        }
    }
}

Result<std::string> unzstd(std::string_view data, std::size_t maxBytes, bool prefixOnly)
{
    const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                               ZSTD_freeDStream);
    if (!stream)
        return makeError(ErrorCode::Internal, "zstd could not be started");
    std::string text;
    ZSTD_inBuffer in{data.data(), data.size(), 0};
    while (true) {
        const std::size_t before = text.size();
        if (before >= maxBytes) {
            if (prefixOnly)
                return text;
            return tooLarge(maxBytes);
        }
        text.resize(std::min(before + kChunk, maxBytes + 1));
        ZSTD_outBuffer out{text.data() + before, text.size() - before, 0};
        const std::size_t status = ZSTD_decompressStream(stream.get(), &out, &in);
        text.resize(before + out.pos);
        const bool stuck = out.pos == 0 && in.pos == in.size && status != 0;
        if (ZSTD_isError(status) || stuck) {
            if (prefixOnly && !text.empty())
                return text;
            return makeError(ErrorCode::ParseError, "the zstd data is damaged or cut off",
                             "Fetch or record the file again.");
        }
        if (status == 0 && in.pos == in.size) {
            if (text.size() > maxBytes && !prefixOnly)
                return tooLarge(maxBytes);
            return text;
        }
    }
}

} // namespace

Result<std::string> decompress(std::string_view data, std::size_t maxBytes, bool prefixOnly)
{
    if (data.size() > std::numeric_limits<uInt>::max())
        return tooLarge(maxBytes);
    const auto starts = [&](std::string_view magic) { return data.substr(0, magic.size()) == magic; };
    if (starts("\x1f\x8b"))
        return gunzip(data, maxBytes, prefixOnly);
    if (starts("\x28\xb5\x2f\xfd"))
        return unzstd(data, maxBytes, prefixOnly);
    if (data.size() > maxBytes && !prefixOnly)
        return tooLarge(maxBytes);
    return std::string(data.substr(0, maxBytes));
}

Result<std::string> compressGzip(std::string_view text)
{
    z_stream stream{};
    if (text.size() > kMaxTextBytes ||
        deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return makeError(ErrorCode::Internal, "zlib could not be started");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, deflateEnd);
    std::string data(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(data.data());
    stream.avail_out = static_cast<uInt>(data.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
        return makeError(ErrorCode::Internal, "zlib could not compress the file");
    data.resize(stream.total_out);
    return data;
}

Result<std::string> compressZstd(std::string_view text)
{
    std::string data(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(data.data(), data.size(), text.data(), text.size(), 19);
    if (ZSTD_isError(size))
        return makeError(ErrorCode::Internal,
                         std::string("zstd could not compress the file: ") + ZSTD_getErrorName(size));
    data.resize(size);
    return data;
}

} // namespace foresight::recorded
