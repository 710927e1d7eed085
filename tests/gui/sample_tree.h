// SPDX-License-Identifier: GPL-3.0-or-later
// Search trees of any size for looking at, tests and benchmarks: the shape a real search makes (children in
// groups of sixteen under measured nodes, most of them skipped), from a fixed seed.
#pragma once

#include "widgets/tree_node.h"

#include <QVector>

#include <cmath>
#include <random>

namespace foresight::test {

struct SampleTree
{
    QVector<CanvasNode> nodes;
    qint64 incumbent = 0;
    QVector<qint64> bestPath;
};

// `rootShare`: how often the root is expanded again; 1 makes one very wide family.
inline SampleTree makeSampleTree(int count, double rootShare = 0.25, unsigned seed = 7)
{
    SampleTree tree;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::normal_distribution<double> normal(0, 1);
    CanvasNode root;
    root.id = 0;
    root.state = CanvasNodeState::Root;
    root.log2Speedup = 0;
    root.label = QStringLiteral("baseline");
    tree.nodes.append(root);
    QVector<qint64> measured{0};
    double best = -100;
    while (tree.nodes.size() < count) {
        // Later and better nodes are expanded more often.
        qint64 parent = 0;
        if (measured.size() > 1 && uniform(random) > rootShare) {
            parent = measured[static_cast<qsizetype>(uniform(random) * static_cast<double>(measured.size()))];
            const qint64 other =
                measured[static_cast<qsizetype>(uniform(random) * static_cast<double>(measured.size()))];
            if (tree.nodes[other].log2Speedup > tree.nodes[parent].log2Speedup)
                parent = other;
        }
        const double from = static_cast<double>(tree.nodes[parent].log2Speedup);
        const int take = 1 + static_cast<int>(uniform(random) * 3);
        for (int i = 0; i < 16 && tree.nodes.size() < count; ++i) {
            CanvasNode n;
            n.id = tree.nodes.size();
            n.parent = parent;
            n.label = QStringLiteral("block=%1 vec=%2").arg(64 << (i % 5)).arg(1 << (i % 4));
            const double truth = from * 0.8 + normal(random) * 0.6 + 0.12;
            n.forecastLog2 = static_cast<float>(truth + normal(random) * 0.4);
            n.state = CanvasNodeState::Ghost;
            const bool audit = uniform(random) < 0.02;
            if (i < take || audit) {
                n.audit = audit && i >= take;
                const double dice = uniform(random);
                if (dice < 0.05)
                    n.state = CanvasNodeState::FailedCompile;
                else if (dice < 0.07)
                    n.state = CanvasNodeState::FailedRun;
                else if (dice < 0.10)
                    n.state = CanvasNodeState::FailedVerify;
                else if (dice < 0.11)
                    n.state = CanvasNodeState::FailedTiming;
                else {
                    n.state = CanvasNodeState::Measured;
                    n.log2Speedup = static_cast<float>(truth);
                    measured.append(n.id);
                    if (truth > best) {
                        best = truth;
                        tree.incumbent = n.id;
                    }
                }
            }
            tree.nodes.append(n);
        }
    }
    for (qint64 id = tree.incumbent; id >= 0; id = tree.nodes[id].parent)
        tree.bestPath.prepend(id);
    return tree;
}

} // namespace foresight::test
