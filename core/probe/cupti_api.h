// SPDX-License-Identifier: Apache-2.0
// The CUPTI entry points the probe uses, found at run time: never linked, never bundled. Also what to tell
// the user about each way CUPTI can refuse.
#pragma once

#include <cupti.h>

#include <string>

namespace foresight::probe {

struct CuptiApi
{
    void* handle = nullptr;
    std::string path;
    std::uint32_t version = 0; // e.g. 130001

    decltype(&cuptiGetVersion) getVersion = nullptr;
    decltype(&cuptiGetResultString) getResultString = nullptr;
    decltype(&cuptiGetTimestamp) getTimestamp = nullptr;
    decltype(&cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
    decltype(&cuptiActivityEnable) enable = nullptr;
    decltype(&cuptiActivityFlushAll) flushAll = nullptr;
    decltype(&cuptiActivityGetNextRecord) getNextRecord = nullptr;
    decltype(&cuptiActivityGetNumDroppedRecords) getNumDroppedRecords = nullptr;
    decltype(&cuptiActivityPushExternalCorrelationId) pushExternal = nullptr;
    decltype(&cuptiActivityPopExternalCorrelationId) popExternal = nullptr;
    // Not in every version; null when absent.
    decltype(&cuptiSetThreadIdType) setThreadIdType = nullptr;
    decltype(&cuptiActivityEnableRuntimeApi) enableRuntimeApi = nullptr;
    decltype(&cuptiActivityEnableDriverApi) enableDriverApi = nullptr;
    decltype(&cuptiGetCallbackName) getCallbackName = nullptr;
    decltype(&cuptiActivityDisable) disable = nullptr;

    bool loaded() const { return handle != nullptr; }
    std::string resultText(CUptiResult result) const;
};

// $FORESIGHT_CUPTI_LIBRARY when set; else the one already mapped, else the program's Python packages, else
// the toolkit's, else the system's. On failure `why` lists what was tried.
bool loadCupti(CuptiApi& api, std::string& why);

// What the user can do about a CUPTI result; empty when nothing is known about it.
std::string cuptiAdvice(int result);

} // namespace foresight::probe
