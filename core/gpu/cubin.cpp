// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/cubin.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

namespace foresight {

namespace {

// ELF64, little endian. Only what is read here.
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kSectionSymbols = 2;
constexpr std::uint32_t kSectionNoBits = 8;
constexpr std::size_t kSectionHeaderBytes = 64;
constexpr std::size_t kSymbolBytes = 24;
// e_flags moved the architecture to bits 8..15 with ABI version 8 (toolkit 13).
constexpr std::uint8_t kAbiWithShiftedArch = 8;
// Since sm_90 every block's static size includes 1 KiB that the system uses.
constexpr std::int64_t kReservedShared = 1024;

// Attributes of .nv.info records of the "sized value" format.
constexpr std::uint8_t kFormatSized = 4;
constexpr std::uint8_t kAttributeMaxThreads = 0x05;
constexpr std::uint8_t kAttributeFrameSize = 0x11;
constexpr std::uint8_t kAttributeRegisters = 0x2f;

class Bytes
{
public:
    explicit Bytes(std::string_view data) : m_data(data) {}

    template <typename T> std::optional<T> at(std::uint64_t offset) const
    {
        if (offset > m_data.size() || m_data.size() - offset < sizeof(T))
            return std::nullopt;
        T value;
        std::memcpy(&value, m_data.data() + offset, sizeof(T));
        return value;
    }
    std::optional<std::string_view> range(std::uint64_t offset, std::uint64_t size) const
    {
        if (offset > m_data.size() || m_data.size() - offset < size)
            return std::nullopt;
        return m_data.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    }

private:
    std::string_view m_data;
};

std::string_view textAt(std::string_view table, std::uint64_t offset)
{
    if (offset >= table.size())
        return {};
    const std::string_view rest = table.substr(static_cast<std::size_t>(offset));
    return rest.substr(0, std::min(rest.find('\0'), rest.size()));
}

struct Section
{
    std::string_view name;
    std::uint32_t type = 0, link = 0;
    std::uint64_t offset = 0, size = 0;
};

Error corrupt(const char* what)
{
    return makeError(
        ErrorCode::Corrupt, std::string("Not a valid CUBIN: ") + what,
        "The compiler's output or the cache entry is damaged; clear the compile cache and retry.");
}

Result<std::vector<Section>> readSections(const Bytes& file)
{
    const auto tableOffset = file.at<std::uint64_t>(40);
    const auto entryBytes = file.at<std::uint16_t>(58);
    const auto count = file.at<std::uint16_t>(60);
    const auto namesIndex = file.at<std::uint16_t>(62);
    if (!tableOffset || !entryBytes || !count || !namesIndex)
        return corrupt("the header is cut off");
    if (*entryBytes != kSectionHeaderBytes || *namesIndex >= *count)
        return corrupt("unexpected section table");
    const auto table = file.range(*tableOffset, std::uint64_t{*count} * kSectionHeaderBytes);
    if (!table)
        return corrupt("the section table is cut off");

    const Bytes headers(*table);
    std::vector<Section> sections(*count);
    std::vector<std::uint32_t> names(*count);
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const std::uint64_t at = i * kSectionHeaderBytes;
        names[i] = headers.at<std::uint32_t>(at).value_or(0);
        sections[i].type = headers.at<std::uint32_t>(at + 4).value_or(0);
        sections[i].offset = headers.at<std::uint64_t>(at + 24).value_or(0);
        sections[i].size = headers.at<std::uint64_t>(at + 32).value_or(0);
        sections[i].link = headers.at<std::uint32_t>(at + 40).value_or(0);
        if (sections[i].type != kSectionNoBits && sections[i].type != 0 &&
            !file.range(sections[i].offset, sections[i].size))
            return corrupt("a section reaches past the end");
    }
    const auto nameTable = file.range(sections[*namesIndex].offset, sections[*namesIndex].size);
    if (!nameTable)
        return corrupt("no section names");
    for (std::size_t i = 0; i < sections.size(); ++i)
        sections[i].name = textAt(*nameTable, names[i]);
    return sections;
}

// Walks the records of one .nv.info section; calls `record(attribute, data)` for sized ones.
template <typename Function> void forEachRecord(std::string_view data, Function record)
{
    const Bytes bytes(data);
    std::uint64_t at = 0;
    while (at + 4 <= data.size()) {
        const std::uint8_t format = bytes.at<std::uint8_t>(at).value_or(0);
        const std::uint8_t attribute = bytes.at<std::uint8_t>(at + 1).value_or(0);
        const std::uint16_t size = bytes.at<std::uint16_t>(at + 2).value_or(0);
        at += 4;
        if (format != kFormatSized)
            continue; // the value sits in the four bytes themselves
        const auto value = bytes.range(at, size);
        if (!value)
            return;
        record(attribute, Bytes(*value));
        at += size;
    }
}

std::map<std::uint32_t, std::string> symbolNames(const Bytes& file, const std::vector<Section>& sections)
{
    std::map<std::uint32_t, std::string> names;
    for (const Section& section : sections) {
        if (section.type != kSectionSymbols || section.link >= sections.size())
            continue;
        const auto symbols = file.range(section.offset, section.size);
        const auto strings = file.range(sections[section.link].offset, sections[section.link].size);
        if (!symbols || !strings)
            continue;
        const Bytes table(*symbols);
        for (std::uint32_t i = 0; (std::uint64_t{i} + 1) * kSymbolBytes <= symbols->size(); ++i)
            names[i] = std::string(textAt(*strings, table.at<std::uint32_t>(i * kSymbolBytes).value_or(0)));
    }
    return names;
}

std::int64_t clampBytes(std::uint64_t size)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(size, std::uint64_t{1} << 40));
}

} // namespace

Result<CubinInfo> parseCubin(std::string_view data)
{
    const Bytes file(data);
    if (data.size() < 64 || data.substr(0, 4) != std::string_view("\x7f"
                                                                  "ELF",
                                                                  4))
        return corrupt("no ELF header");
    if (data[4] != 2 || data[5] != 1)
        return corrupt("not a 64-bit little-endian ELF file");
    if (file.at<std::uint16_t>(18).value_or(0) != kMachineCuda)
        return corrupt("it is not for a CUDA device");

    CubinInfo info;
    const std::uint32_t flags = file.at<std::uint32_t>(48).value_or(0);
    const auto abi = static_cast<std::uint8_t>(data[8]);
    info.arch = static_cast<int>(abi >= kAbiWithShiftedArch ? (flags >> 8) & 0xff : flags & 0xff);

    FS_TRY(sections, readSections(file));
    std::map<std::string, CubinKernel, std::less<>> kernels;
    // An entry function has a parameter bank; a device function that was not inlined only has .text.
    constexpr std::string_view kConstant = ".nv.constant0.";
    for (const Section& section : sections)
        if (section.name.starts_with(kConstant)) {
            CubinKernel& kernel = kernels[std::string(section.name.substr(kConstant.size()))];
            kernel.constantBytes = clampBytes(section.size);
        }

    const auto find = [&](std::string_view sectionName, std::string_view prefix) -> CubinKernel* {
        if (!sectionName.starts_with(prefix))
            return nullptr;
        const auto it = kernels.find(sectionName.substr(prefix.size()));
        return it == kernels.end() ? nullptr : &it->second;
    };
    const std::map<std::uint32_t, std::string> symbols = symbolNames(file, sections);
    for (const Section& section : sections) {
        if (CubinKernel* kernel = find(section.name, ".text."))
            kernel->codeBytes = clampBytes(section.size);
        if (CubinKernel* kernel = find(section.name, ".nv.shared.")) {
            const std::int64_t bytes = clampBytes(section.size);
            kernel->staticShared =
                info.arch >= 90 ? std::max<std::int64_t>(0, bytes - kReservedShared) : bytes;
        }
        if (section.type == kSectionNoBits || !section.name.starts_with(".nv.info"))
            continue;
        const auto records = file.range(section.offset, section.size);
        if (!records)
            continue;
        if (CubinKernel* kernel = find(section.name, ".nv.info."))
            forEachRecord(*records, [&](std::uint8_t attribute, const Bytes& value) {
                if (attribute == kAttributeMaxThreads) {
                    std::uint64_t threads = 1;
                    for (std::uint64_t axis = 0; axis < 3; ++axis)
                        threads *=
                            std::clamp<std::uint32_t>(value.at<std::uint32_t>(axis * 4).value_or(1), 1, 1024);
                    kernel->maxThreads = static_cast<int>(std::min<std::uint64_t>(threads, 1u << 20));
                }
            });
        if (section.name == ".nv.info")
            forEachRecord(*records, [&](std::uint8_t attribute, const Bytes& value) {
                if (attribute != kAttributeRegisters && attribute != kAttributeFrameSize)
                    return;
                const auto symbol = symbols.find(value.at<std::uint32_t>(0).value_or(0));
                if (symbol == symbols.end())
                    return;
                const auto kernel = kernels.find(symbol->second);
                if (kernel == kernels.end())
                    return;
                const std::uint32_t number = value.at<std::uint32_t>(4).value_or(0);
                if (attribute == kAttributeRegisters)
                    kernel->second.registers = static_cast<int>(std::min<std::uint32_t>(number, 1024));
                else
                    kernel->second.stackFrame = number;
            });
    }
    for (auto& [name, kernel] : kernels) {
        kernel.name = name;
        info.kernels.push_back(std::move(kernel));
    }
    return info;
}

} // namespace foresight
