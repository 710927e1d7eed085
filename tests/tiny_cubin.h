// SPDX-License-Identifier: Apache-2.0
// A little writer of CUBIN containers, independent of the reader it tests; also makes the stand-in compiler's
// output.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tinycubin {

template <typename T> inline void put(std::string& to, T value)
{
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    to.append(bytes, sizeof(T));
}

struct TestSection
{
    std::string name, data;
    std::uint32_t type = 1, link = 0, info = 0;
    std::uint64_t noBitsSize = 0;
};

// A CUBIN as the reader needs it; sections are laid out one after the other behind the header.
inline std::string makeCubin(const std::vector<TestSection>& given, std::uint32_t flags, std::uint8_t abi)
{
    std::vector<TestSection> sections{{"", "", 0, 0, 0, 0}};
    sections.insert(sections.end(), given.begin(), given.end());
    std::string names(1, '\0');
    std::vector<std::uint32_t> nameAt;
    for (const TestSection& section : sections) {
        nameAt.push_back(section.name.empty() ? 0 : static_cast<std::uint32_t>(names.size()));
        if (!section.name.empty())
            names += section.name + '\0';
    }
    sections.push_back({"", names, 3, 0, 0, 0});
    nameAt.push_back(0);

    std::string file("\x7f"
                     "ELF\x02\x01\x01\x41",
                     8);
    file += static_cast<char>(abi);
    file.resize(16, '\0');
    put<std::uint16_t>(file, 2);
    put<std::uint16_t>(file, 190);
    put<std::uint32_t>(file, 1);
    put<std::uint64_t>(file, 0); // entry
    put<std::uint64_t>(file, 0); // program headers
    std::uint64_t dataBytes = 0;
    for (const TestSection& section : sections)
        dataBytes += section.data.size();
    put<std::uint64_t>(file, 64 + dataBytes);
    put<std::uint32_t>(file, flags);
    put<std::uint16_t>(file, 64);
    put<std::uint16_t>(file, 56);
    put<std::uint16_t>(file, 0);
    put<std::uint16_t>(file, 64);
    put<std::uint16_t>(file, static_cast<std::uint16_t>(sections.size()));
    put<std::uint16_t>(file, static_cast<std::uint16_t>(sections.size() - 1));
    std::vector<std::uint64_t> offsets;
    for (const TestSection& section : sections) {
        offsets.push_back(file.size());
        file += section.data;
    }
    for (std::size_t i = 0; i < sections.size(); ++i) {
        put<std::uint32_t>(file, nameAt[i]);
        put<std::uint32_t>(file, sections[i].type);
        put<std::uint64_t>(file, 0);
        put<std::uint64_t>(file, 0);
        put<std::uint64_t>(file, offsets[i]);
        put<std::uint64_t>(file,
                           sections[i].noBitsSize != 0 ? sections[i].noBitsSize : sections[i].data.size());
        put<std::uint32_t>(file, sections[i].link);
        put<std::uint32_t>(file, sections[i].info);
        put<std::uint64_t>(file, 1);
        put<std::uint64_t>(file, 0);
    }
    return file;
}

// A CUBIN for sm_90 with the given kernels: parameter bank and code only.
inline std::string plainCubin(const std::vector<std::string>& kernels)
{
    std::vector<TestSection> sections;
    for (const std::string& kernel : kernels) {
        sections.push_back({".text." + kernel, std::string(128, 'x'), 1, 0, 0, 0});
        sections.push_back({".nv.constant0." + kernel, std::string(536, 'c'), 1, 0, 0, 0});
    }
    return makeCubin(sections, 0x5a00, 8);
}

} // namespace tinycubin
