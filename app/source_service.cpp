// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/source_service.h"

#include <QMetaObject>

namespace foresight {

SourceService::SourceService(QObject* parent)
    : QObject(parent), m_thread([this](const std::stop_token& stop) { run(stop); })
{
}

SourceService::~SourceService()
{
    m_thread.request_stop();
    m_thread.join();
}

void SourceService::setSearch(SearchRequest request)
{
    ++m_search;
    m_request = std::move(request);
}

void SourceService::request(const ProposedPayload& candidate, Done done)
{
    const std::lock_guard lock(m_mutex);
    m_job = Job{m_search, m_request, candidate.configuration, std::move(done)};
    m_wake.notify_one();
}

void SourceService::run(const std::stop_token& stop)
{
    std::uint64_t search = 0; // of `found`
    std::optional<FoundProblem> found;
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_job.has_value(); }))
                return;
            job = std::move(*m_job);
            m_job.reset();
        }
        if (job.search != search) {
            search = job.search;
            found.reset();
            if (auto problem = findProblem(job.request))
                found = std::move(*problem);
        }
        const QString text = found ? source(*found, job.configuration) : QString();
        // Queued; Qt drops the call when this goes first.
        QMetaObject::invokeMethod(
            this, [done = std::move(job.done), text] { done(text); }, Qt::QueuedConnection);
    }
}

QString SourceService::source(const FoundProblem& found, const Symbols& configuration)
{
    const auto plan = found.family->instantiate(found.problem, configuration);
    if (!plan)
        return QString::fromStdString(plan.error().toString());
    QString options;
    for (const std::string& option : plan->compileOptions)
        options += QStringLiteral("//   %1\n").arg(QString::fromStdString(option));
    return tr("// compiled with:\n%1\n").arg(options) + QString::fromStdString(plan->source);
}

} // namespace foresight
