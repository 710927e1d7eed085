// SPDX-License-Identifier: Apache-2.0
// The host's end of the socket against senders that are slow, bursty, die in the middle, lie, or are somebody
// else.
#include "core/probe/wire.h"
#include "core/profile/probe_receiver.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace foresight;

namespace {

class Sender
{
public:
    explicit Sender(const std::string& path)
    {
        m_fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.data(), path.size());
        m_connected = ::connect(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    }
    ~Sender() { ::close(m_fd); }
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;
    bool connected() const { return m_connected; }
    bool send(std::string_view bytes)
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

private:
    int m_fd = -1;
    bool m_connected = false;
};

std::string kernelBatch(std::uint64_t sequence, std::uint32_t count)
{
    std::string payload;
    for (std::uint32_t i = 0; i < count; ++i) {
        wire::Kernel kernel;
        kernel.header.type = static_cast<std::uint16_t>(wire::RecordType::Kernel);
        kernel.header.bytes = sizeof(kernel);
        kernel.startNs = 1 + i;
        kernel.endNs = 2 + i;
        payload.append(reinterpret_cast<const char*>(&kernel), sizeof(kernel));
    }
    wire::BatchHeader header;
    header.sequence = sequence;
    header.payloadBytes = static_cast<std::uint32_t>(payload.size());
    header.records = count;
    return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + payload;
}

std::size_t kernelsOf(const std::vector<ProbeRecords>& all, std::size_t process)
{
    return process < all.size() ? all[process].kernels.size() : 0;
}

} // namespace

class TestReceiver : public QObject
{
    Q_OBJECT
private slots:
    void init() { qputenv("XDG_RUNTIME_DIR", m_runtime.path().toUtf8()); }

    void theSocketIsPrivateAndGoesAway()
    {
        std::string path;
        {
            auto receiver = ProbeReceiver::listen();
            QVERIFY(receiver.ok());
            path = (*receiver)->socketPath();
            struct stat info
            {
            };
            QCOMPARE(::stat(path.c_str(), &info), 0);
            QCOMPARE(info.st_mode & 0777u, 0600u);
        }
        QVERIFY(::access(path.c_str(), F_OK) != 0);
    }

    void oneByteAtATimeReadsTheSame()
    {
        auto receiver = ProbeReceiver::listen();
        QVERIFY(receiver.ok());
        {
            Sender sender((*receiver)->socketPath());
            QVERIFY(sender.connected());
            const std::string batch = kernelBatch(0, 5);
            for (const char c : batch)
                QVERIFY(sender.send(std::string_view(&c, 1)));
        }
        QTRY_COMPARE((*receiver)->progress().kernels, std::int64_t{5});
        QTRY_COMPARE((*receiver)->progress().open, std::int64_t{0});
        QCOMPARE(kernelsOf((*receiver)->finish(), 0), std::size_t{5});
    }

    void burstsAreTakenWhole()
    {
        auto receiver = ProbeReceiver::listen();
        QVERIFY(receiver.ok());
        Sender sender((*receiver)->socketPath());
        for (std::uint64_t i = 0; i < 40; ++i)
            QVERIFY(sender.send(kernelBatch(i, 4000)));
        QCOMPARE(kernelsOf((*receiver)->finish(), 0), std::size_t{160000});
    }

    void aSenderThatDiesMidBatchLosesOnlyThat()
    {
        auto receiver = ProbeReceiver::listen();
        QVERIFY(receiver.ok());
        {
            Sender sender((*receiver)->socketPath());
            QVERIFY(sender.send(kernelBatch(0, 3)));
            const std::string cut = kernelBatch(1, 3);
            QVERIFY(sender.send(std::string_view(cut).substr(0, 50)));
        }
        QTRY_COMPARE((*receiver)->progress().open, std::int64_t{0});
        const auto all = (*receiver)->finish();
        QCOMPARE(kernelsOf(all, 0), std::size_t{3});
        QCOMPARE(all[0].truncatedBytes, std::uint64_t{50});
        QVERIFY(!all[0].finalCounts);
    }

    void aStrangerIsDroppedAndOthersGoOn()
    {
        auto receiver = ProbeReceiver::listen();
        QVERIFY(receiver.ok());
        Sender good((*receiver)->socketPath());
        QVERIFY(good.send(kernelBatch(0, 2)));
        QTRY_COMPARE((*receiver)->progress().kernels, std::int64_t{2});
        {
            Sender bad((*receiver)->socketPath());
            bad.send("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
            QTRY_COMPARE((*receiver)->progress().processes, std::int64_t{2});
            QTRY_COMPARE((*receiver)->progress().open, std::int64_t{1});
        }
        QVERIFY((*receiver)->progress().lastStatus.find("not a probe stream") != std::string::npos);
        QVERIFY(good.send(kernelBatch(1, 2)));
        const auto all = (*receiver)->finish();
        QCOMPARE(all.size(), std::size_t{2});
        QCOMPARE(kernelsOf(all, 0), std::size_t{4});
        QCOMPARE(all[1].statuses.size(), std::size_t{1});
        QCOMPARE(all[1].statuses[0].severity, wire::Severity::Error);
    }

    void liesAboutSizesAreCounted()
    {
        auto receiver = ProbeReceiver::listen();
        QVERIFY(receiver.ok());
        Sender sender((*receiver)->socketPath());
        std::string lying = kernelBatch(0, 2);
        const std::uint32_t claimed = 1u << 30;
        std::memcpy(lying.data() + sizeof(wire::BatchHeader) + 4, &claimed, sizeof(claimed));
        QVERIFY(sender.send(lying + kernelBatch(1, 1)));
        const auto all = (*receiver)->finish();
        QCOMPARE(kernelsOf(all, 0), std::size_t{1});
        QCOMPARE(all[0].badRecords, std::uint64_t{1});
    }

private:
    QTemporaryDir m_runtime;
};

QTEST_GUILESS_MAIN(TestReceiver)
#include "tst_receiver.moc"
