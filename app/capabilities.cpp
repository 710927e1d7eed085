// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/capabilities.h"

#include "core/base/file.h"

#include <QCoreApplication>

namespace foresight {

namespace {

// The translation context of this file's strings.
struct Capabilities {
    Q_DECLARE_TR_FUNCTIONS(foresight::Capabilities)
};

} // namespace

QVector<Capability> machineCapabilities()
{
    using State = Capability::State;
    QVector<Capability> all;
    const auto data = dataFolder();
    if (data)
        all.push_back({State::Ok, Capabilities::tr("Open recorded sessions and search over recorded measurements"), {}});
    else
        all.push_back({State::Warning, Capabilities::tr("Recorded sessions and kernel families are missing"), QString::fromStdString(data.error().toString())});

    const bool driver = fileExists("/proc/driver/nvidia/version");
    const bool worker = fileExists(joinPath(executableFolder(), "foresight-worker"));
    if (driver && worker)
        all.push_back({State::Ok, Capabilities::tr("Measure kernels on the GPU of this machine"), {}});
    else if (!driver)
        all.push_back({State::Absent, Capabilities::tr("Measure kernels on a GPU"), Capabilities::tr("no NVIDIA driver here; recorded measurements answer instead")});
    else
        all.push_back({State::Warning, Capabilities::tr("Measure kernels on the GPU of this machine"), Capabilities::tr("this build has no foresight-worker: build with the CUDA toolkit's headers")});
    all.push_back({State::Absent, Capabilities::tr("Everything in detail: foresight-cli doctor"), {}});
    return all;
}

} // namespace foresight
