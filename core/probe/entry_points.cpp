// SPDX-License-Identifier: Apache-2.0
// Everything the library exports: the CUDA driver's and NVTX's injection calls, and the few functions the
// Python hook calls through ctypes.
#include "core/probe/probe.h"

#include <nvtx3/nvToolsExt.h>

#include <cwchar>
#include <string>

#define FORESIGHT_EXPORT extern "C" __attribute__((visibility("default")))

using foresight::probe::Probe;

namespace {

std::string narrow(const wchar_t* text)
{
    std::string out;
    for (; text && *text; ++text)
        out += *text < 128 ? static_cast<char>(*text) : '?';
    return out;
}

std::string eventText(const nvtxEventAttributes_t* event)
{
    if (!event)
        return {};
    if (event->messageType == NVTX_MESSAGE_TYPE_ASCII && event->message.ascii)
        return event->message.ascii;
    if (event->messageType == NVTX_MESSAGE_TYPE_UNICODE)
        return narrow(event->message.unicode);
    return {};
}

void NVTX_API markA(const char* text)
{
    Probe::instance().mark(text ? text : "");
}

void NVTX_API markEx(const nvtxEventAttributes_t* event)
{
    Probe::instance().mark(eventText(event));
}

int NVTX_API pushA(const char* text)
{
    Probe::instance().rangePush(text ? text : "");
    return 0;
}

int NVTX_API pushW(const wchar_t* text)
{
    Probe::instance().rangePush(narrow(text));
    return 0;
}

int NVTX_API pushEx(const nvtxEventAttributes_t* event)
{
    Probe::instance().rangePush(eventText(event));
    return 0;
}

int NVTX_API pop()
{
    Probe::instance().rangePop();
    return 0;
}

} // namespace

FORESIGHT_EXPORT int InitializeInjection()
{
    Probe::instance().startCupti();
    return 1;
}

// Called once by every library of the program that uses NVTX, each with its own function table. Handling NVTX
// ourselves is what gives ranges: CUPTI's own injection gives none for PyTorch's.
FORESIGHT_EXPORT int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t getTable)
{
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(getTable(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    unsigned int size = 0;
    if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) || !table)
        return 0;
    const auto set = [&](unsigned int index, auto function) {
        if (index < size && table[index])
            *table[index] = reinterpret_cast<NvtxFunctionPointer>(function);
    };
    set(NVTX_CBID_CORE_MarkA, &markA);
    set(NVTX_CBID_CORE_MarkEx, &markEx);
    set(NVTX_CBID_CORE_RangePushA, &pushA);
    set(NVTX_CBID_CORE_RangePushW, &pushW);
    set(NVTX_CBID_CORE_RangePushEx, &pushEx);
    set(NVTX_CBID_CORE_RangePop, &pop);
    return 1;
}

FORESIGHT_EXPORT void foresight_probe_range_push(const char* text)
{
    Probe::instance().rangePush(text ? text : "");
}

FORESIGHT_EXPORT void foresight_probe_range_pop()
{
    Probe::instance().rangePop();
}

FORESIGHT_EXPORT void foresight_probe_mark(const char* text)
{
    Probe::instance().mark(text ? text : "");
}

FORESIGHT_EXPORT void foresight_probe_gate()
{
    Probe::instance().gate();
}

FORESIGHT_EXPORT void foresight_probe_open_window()
{
    Probe::instance().openWindow();
}

FORESIGHT_EXPORT void foresight_probe_close_window()
{
    Probe::instance().closeWindow();
}

FORESIGHT_EXPORT void foresight_probe_flush()
{
    Probe::instance().flush();
}

FORESIGHT_EXPORT void foresight_probe_release()
{
    Probe::instance().release();
}
