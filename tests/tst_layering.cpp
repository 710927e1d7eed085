// SPDX-License-Identifier: Apache-2.0
// The rules of the architecture that a compiler cannot hold: who may include and link whom, no Qt in core,
// file lengths, licence lines.
#include "core/base/file.h"
#include "core/base/subprocess.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

using namespace foresight;

namespace {

const std::string kRoot = FORESIGHT_SOURCE_DIR;

// Which core folders each may use; itself is implied. `search` knows profiles and families through its set-up
// helper.
const std::map<std::string, std::set<std::string>>& coreOrder()
{
    static const std::map<std::string, std::set<std::string>> kOrder = {
        {"base", {}},
        {"kernels", {"base"}},
        {"probe", {"base"}},
        {"store", {"base"}},
        {"llm", {"base"}},
        {"gpu", {"base", "kernels"}},
        {"guard", {"base", "kernels"}},
        {"profile", {"base", "kernels", "store", "probe"}},
        {"forecast", {"base", "kernels", "llm"}},
        {"search", {"base", "kernels", "forecast", "gpu", "guard", "store"}},
        {"fleet", {"base", "kernels", "gpu"}},
    };
    return kOrder;
}

std::string firstPart(const std::string& path, std::size_t part = 0)
{
    std::istringstream stream(path);
    std::string name;
    for (std::size_t i = 0; i <= part; ++i)
        if (!std::getline(stream, name, '/'))
            return {};
    return name;
}

// Why `file` (relative to the root) may not include `target` (as written between the quotes), or "".
std::string includeProblem(const std::string& file, const std::string& target)
{
    const std::string from = firstPart(file);
    const std::string to = firstPart(target);
    static const std::set<std::string> kTop = {"core", "widgets", "views", "app", "tests"};
    if (!kTop.contains(to))
        return {};
    const bool cli = file.starts_with("app/cli/");
    if (to == "tests" && from != "tests")
        return "only tests may include tests";
    if (from == "core") {
        if (to != "core")
            return "core may include core only";
        const auto allowed = coreOrder().find(firstPart(file, 1));
        const std::string layer = firstPart(target, 1);
        if (allowed == coreOrder().end())
            return "core/" + firstPart(file, 1) + " is not in the list of core folders";
        if (layer != firstPart(file, 1) && !allowed->second.contains(layer))
            return "core/" + firstPart(file, 1) + " may not use core/" + layer;
    }
    if (from == "widgets" && (to == "views" || to == "app" || to == "core"))
        return "widgets know nothing of core, views and app";
    if (from == "views") {
        if (to == "app")
            return "views may not include app";
        if (to == "views" && firstPart(target, 1) != firstPart(file, 1) && firstPart(target, 1) != "common")
            return "a view may include views/common, but not another view";
    }
    if (cli && (to == "views" || to == "widgets" || (to == "app" && !target.starts_with("app/cli/"))))
        return "the command line program has no window";
    return {};
}

// Qt's headers: <QString>, <QtTest>, <qglobal.h>, <QtCore/...>.
bool isQtHeader(const std::string& header)
{
    static const std::regex kQt("(Q[A-Z][A-Za-z0-9]*|Qt[A-Z][A-Za-z]*(/.*)?|q[a-z]+\\.h)");
    return std::regex_match(header, kQt);
}

std::vector<std::string> trackedFiles()
{
    ProcessOptions options;
    // Tracked and not yet added files, but none that git ignores.
    options.argv = {"git", "-c",       "safe.directory=*", "ls-files",
                    "-z",  "--cached", "--others",         "--exclude-standard"};
    options.workingFolder = kRoot;
    const auto listed = runProcess(options, "", std::chrono::seconds(60));
    std::vector<std::string> files;
    if (!listed || !listed->exit.exited || listed->exit.status != 0)
        return files;
    std::istringstream stream(listed->out);
    for (std::string name; std::getline(stream, name, '\0');)
        if (fileExists(joinPath(kRoot, name)))
            files.push_back(name);
    return files;
}

bool endsWithAny(const std::string& name, const std::vector<std::string>& endings)
{
    return std::any_of(endings.begin(), endings.end(),
                       [&name](const auto& ending) { return name.ends_with(ending); });
}

bool isCxx(const std::string& name)
{
    return endsWithAny(name, {".cpp", ".h", ".c", ".cc", ".hpp"});
}

std::string joined(const std::vector<std::string>& lines)
{
    std::string text;
    for (const auto& line : lines)
        text += "\n  " + line;
    return text;
}

} // namespace

class TestLayering : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void theRulesThemselves();
    void includes();
    void linkedLibraries();
    void licences();
    void fileLengths();

private:
    std::vector<std::string> m_files;
};

void TestLayering::initTestCase()
{
    if (!folderExists(joinPath(kRoot, ".git")) && !fileExists(joinPath(kRoot, ".git")))
        QSKIP("not a git checkout: the list of the project's files is unknown");
    m_files = trackedFiles();
    QVERIFY2(m_files.size() > 50, "git did not list the project's files");
}

void TestLayering::theRulesThemselves()
{
    QVERIFY(includeProblem("core/base/x.cpp", "core/base/y.h").empty());
    QVERIFY(!includeProblem("core/base/x.cpp", "core/kernels/y.h").empty());
    QVERIFY(!includeProblem("core/kernels/x.cpp", "core/gpu/y.h").empty());
    QVERIFY(!includeProblem("core/store/x.cpp", "core/search/y.h").empty());
    QVERIFY(!includeProblem("core/gpu/x.cpp", "app/y.h").empty());
    QVERIFY(!includeProblem("core/new/x.cpp", "core/base/y.h").empty());
    QVERIFY(includeProblem("core/search/x.cpp", "core/forecast/y.h").empty());
    QVERIFY(!includeProblem("widgets/x.cpp", "core/base/y.h").empty());
    QVERIFY(!includeProblem("views/tree/x.cpp", "views/forecast/y.h").empty());
    QVERIFY(includeProblem("views/tree/x.cpp", "views/common/y.h").empty());
    QVERIFY(includeProblem("views/tree/x.cpp", "widgets/y.h").empty());
    QVERIFY(!includeProblem("views/tree/x.cpp", "app/y.h").empty());
    QVERIFY(!includeProblem("app/cli/x.cpp", "app/main_window.h").empty());
    QVERIFY(includeProblem("app/main.cpp", "views/tree/y.h").empty());
    QVERIFY(isQtHeader("QString") && isQtHeader("QtCore/qglobal.h") && isQtHeader("qglobal.h"));
    QVERIFY(!isQtHeader("string") && !isQtHeader("sqlite3.h") && !isQtHeader("quadmath/x.h"));
}

void TestLayering::includes()
{
    static const std::regex kInclude("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");
    std::vector<std::string> problems;
    int seen = 0;
    for (const auto& file : m_files) {
        const std::string top = firstPart(file);
        if (!isCxx(file) || (top != "core" && top != "widgets" && top != "views" && top != "app"))
            continue;
        std::istringstream text(*readFile(joinPath(kRoot, file)));
        for (std::string line; std::getline(text, line);) {
            std::smatch match;
            if (!std::regex_search(line, match, kInclude))
                continue;
            ++seen;
            if (const auto problem = includeProblem(file, match[2]); !problem.empty())
                problems.push_back(file + " includes " + match[2].str() + ": " + problem);
            if ((top == "core" || file.starts_with("app/cli/")) && isQtHeader(match[2]))
                problems.push_back(file + " includes " + match[2].str() + ": no Qt here");
        }
    }
    QVERIFY(seen > 100);
    QVERIFY2(problems.empty(), joined(problems).c_str());
}

void TestLayering::linkedLibraries()
{
    static const std::regex kLink("foresight_([a-z]+)");
    std::vector<std::string> problems;
    for (const auto& [layer, allowed] : coreOrder()) {
        const std::string file = "core/" + layer + "/CMakeLists.txt";
        if (!fileExists(joinPath(kRoot, file)))
            continue;
        const std::string text = *readFile(joinPath(kRoot, file));
        if (text.find("Qt6::") != std::string::npos)
            problems.push_back(file + " links Qt");
        for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it) {
            const std::string other = (*it)[1];
            if (coreOrder().contains(other) && other != layer && !allowed.contains(other))
                problems.push_back(file + " links foresight_" + other);
            if (other == "widgets" || other == "views" || other == "app")
                problems.push_back(file + " links foresight_" + other);
        }
    }
    if (const std::string widgets = joinPath(kRoot, "widgets/CMakeLists.txt"); fileExists(widgets)) {
        const std::string text = *readFile(widgets);
        for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it)
            if (coreOrder().contains((*it)[1]) || (*it)[1] == "views")
                problems.push_back("widgets/CMakeLists.txt links foresight_" + (*it)[1].str());
    }
    QVERIFY2(problems.empty(), joined(problems).c_str());
}

void TestLayering::licences()
{
    std::vector<std::string> problems;
    for (const auto& file : m_files) {
        const bool script = fileName(file) == "CMakeLists.txt" || file == ".ci/run" ||
                            file.starts_with("packaging/run") || file.starts_with("packaging/test");
        if (!isCxx(file) && !script && !endsWithAny(file, {".cu", ".cuh", ".py", ".cmake", ".sh", ".in"}))
            continue;
        std::istringstream text(*readFile(joinPath(kRoot, file)));
        std::string head, line;
        for (int i = 0; i < 3 && std::getline(text, line); ++i)
            head += line + "\n";
        const auto at = head.find("SPDX-License-Identifier: ");
        if (at == std::string::npos) {
            problems.push_back(file + " has no SPDX line");
            continue;
        }
        const std::string top = firstPart(file);
        const bool window = isCxx(file) && (top == "widgets" || top == "views" ||
                                            (top == "app" && !file.starts_with("app/cli/")));
        const std::string wanted = window ? "GPL-3.0-or-later" : "Apache-2.0";
        if ((window || top == "core" || file.starts_with("app/cli/") ||
             file.starts_with("resources/kernels/") || file.starts_with("resources/python/")) &&
            head.compare(at + 25, wanted.size(), wanted) != 0)
            problems.push_back(file + " must be " + wanted);
    }
    QVERIFY2(problems.empty(), joined(problems).c_str());
}

void TestLayering::fileLengths()
{
    constexpr int kMostLines = 450;
    std::vector<std::string> problems;
    for (const auto& file : m_files) {
        const std::string top = firstPart(file);
        if (!isCxx(file) || (top != "core" && top != "widgets" && top != "views" && top != "app"))
            continue;
        const std::string text = *readFile(joinPath(kRoot, file));
        const auto lines = std::count(text.begin(), text.end(), '\n');
        if (lines > kMostLines)
            problems.push_back(file + " has " + std::to_string(lines) + " lines");
    }
    QVERIFY2(problems.empty(), joined(problems).c_str());
}

QTEST_APPLESS_MAIN(TestLayering)
#include "tst_layering.moc"
