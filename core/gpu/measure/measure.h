/* SPDX-License-Identifier: Apache-2.0
 * libforesight-measure.so: allocate, draw, verify and time on one GPU, behind a C interface, for
 * foresight-worker and for the PyTorch host mode (ctypes). Requests and replies are the JSON of
 * core/gpu/protocol.h. One session per process and thread; nothing here throws or exits. The library uses the
 * device's primary context, as PyTorch does. */
#ifndef FORESIGHT_MEASURE_H
#define FORESIGHT_MEASURE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FSM_API __attribute__((visibility("default")))
#else
#define FSM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fsm_session fsm_session;

/* Version of this interface; changes when a caller must change. */
FSM_API int fsm_version(void);

/* options: {"device": 0, "cacheFolder": ""}. On failure returns NULL and an error object in *error (free it).
 */
FSM_API fsm_session* fsm_open(const char* options, char** error);
FSM_API void fsm_close(fsm_session* session);

/* One request; the reply's JSON text (free it with fsm_free), never NULL. *fatal becomes 1 when the context
 * is lost: end the process then. Requests beyond those in protocol.h, for host mode: load_inputs    {set:
 * "normal", seed}              draws the inputs of the current problem, computes the reference check_external
 * {outputs: [{name, address, strides}]}   VerificationReport of tensors others made from them baseline {plan,
 * cubin | absent: the anchor, quads, regime, seed, futility}   Timing of the registered baseline ("anchor" in
 * its fields) against the plan ("candidate") on the inputs in place */
FSM_API char* fsm_call(fsm_session* session, const char* json, size_t json_bytes, const void* binary,
                       size_t binary_bytes, int* fatal);
FSM_API void fsm_free(char* text);

/* The stream all work runs on (a CUstream), and a tensor of the current problem (a device address; 0: no
 * such). */
FSM_API void* fsm_stream(fsm_session* session);
FSM_API uint64_t fsm_tensor_address(fsm_session* session, const char* name);

/* What `baseline` times: a function that enqueues on the stream it gets and returns 0, or a CUgraph that
 * stays valid. The last one registered counts; NULL removes it. */
typedef int (*fsm_enqueue)(void* user, void* stream);
FSM_API void fsm_baseline_callback(fsm_session* session, fsm_enqueue enqueue, void* user);
FSM_API void fsm_baseline_graph(fsm_session* session, void* graph);

#ifdef __cplusplus
}
#endif
#endif
