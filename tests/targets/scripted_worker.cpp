// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compile_wire.h"

#include <string_view>

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--compile")
        return foresight::compileMain(argc, argv);
    return 2;
}
