// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the sources of candidates on a thread of its own: finding a search's family reads files and
// instantiating a candidate takes milliseconds. A new request replaces one that still waits. GUI thread owns
// it; answers come there, never after this is gone.
#pragma once

#include "core/search/payload.h"
#include "core/search/setup.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace foresight {

class SourceService : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const QString& source)>; // empty: none is known

    explicit SourceService(QObject* parent = nullptr);
    ~SourceService() override;

    // The search whose candidates are asked for from now on.
    void setSearch(SearchRequest request);
    void request(const ProposedPayload& candidate, Done done);

private:
    struct Job
    {
        std::uint64_t search = 0;
        SearchRequest request;
        Symbols configuration;
        Done done;
    };
    void run(const std::stop_token& stop);
    static QString source(const FoundProblem& found, const Symbols& configuration);

    std::uint64_t m_search = 0;
    SearchRequest m_request;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_job; // the one that waits
    std::jthread m_thread;
};

} // namespace foresight
