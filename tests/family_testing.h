// SPDX-License-Identifier: Apache-2.0
// What tests of the shipped families share. A failure to load ends the program: nothing else could be tested.
#pragma once

#include "core/kernels/family.h"

#include <QtTest>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace foresight::test {

inline std::shared_ptr<const Family> family(const std::string& name)
{
    auto loaded = Family::load(FORESIGHT_SOURCE_DIR "/resources/kernels/" + name);
    if (!loaded)
        qFatal("%s", loaded.error().message.c_str());
    return *loaded;
}

inline GpuSpec h200()
{
    auto spec = findGpuSpec(FORESIGHT_SOURCE_DIR, "NVIDIA H200");
    if (!spec)
        qFatal("%s", spec.error().message.c_str());
    return *spec;
}

inline Symbols integers(std::initializer_list<std::pair<const char*, std::int64_t>> values)
{
    Symbols symbols;
    for (const auto& [name, value] : values)
        symbols[name] = value;
    return symbols;
}

inline Problem problem(const std::string& name, const Symbols& symbols, DType dtype = DType::F32,
                       const char* layout = "contiguous")
{
    auto made = family(name)->makeProblem(dtype, layout, symbols);
    if (!made)
        qFatal("%s", made.error().message.c_str());
    return *made;
}

// To 1e-12; a NaN only where one is expected, an infinity exactly.
inline void compare(const std::vector<double>& got, const std::vector<double>& expected)
{
    QCOMPARE(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::isnan(expected[i]))
            QVERIFY(std::isnan(got[i]));
        else if (std::isinf(expected[i]))
            QCOMPARE(got[i], expected[i]);
        else
            QVERIFY2(std::abs(got[i] - expected[i]) <= 1e-12 * (1 + std::abs(expected[i])),
                     qPrintable(QStringLiteral("%1: %2 is not %3").arg(i).arg(got[i]).arg(expected[i])));
    }
}

} // namespace foresight::test
