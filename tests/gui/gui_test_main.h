// SPDX-License-Identifier: GPL-3.0-or-later
// main() of a window test: an application with settings of its own, so that nothing of the user's is read or changed.
#pragma once

#include "tests/gui/qt_test_support.h"

#define FORESIGHT_GUI_TEST_MAIN(TestClass)                                                                             \
    int main(int argc, char** argv)                                                                                    \
    {                                                                                                                  \
        QApplication app(argc, argv);                                                                                  \
        const foresight::test::IsolatedSettings settings;                                                              \
        TestClass test;                                                                                                \
        return QTest::qExec(&test, argc, argv);                                                                        \
    }
