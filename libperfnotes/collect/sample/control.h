/*
 * Telling samplers what to do, before and while they run: the control of
 * runtime/record.h, from the collector's side and from outside.
 */
#ifndef PN_SAMPLE_CONTROL_H
#define PN_SAMPLE_CONTROL_H

#include "base/error.h"
#include "runtime/record.h"

#include <stdint.h>

#define PN_SAMPLER_MAX_HZ 10000 /* the kernel's clock ticks at most at 1000 */

/* Make the file in a run's folder and map it. */
int pn_sampler_control_make(struct pn_runtime_control **out, const char *folder,
			    const struct pn_runtime_control *settings,
			    struct pn_error *err);
/*
 * Map that of a collection of this user which runs now: of the process
 * `pid` (git-perf, or the git that started it), or with 0 of the only one.
 * PN_ENOTFOUND, PN_EAMBIGUOUS.
 */
int pn_sampler_control_find(struct pn_runtime_control **out, int64_t pid,
			    struct pn_error *err);
/* Takes NULL. */
void pn_sampler_control_release(struct pn_runtime_control *control);

/* "frequency" in Hz, "delay" in seconds between ticks, "threads" (all, main,
 * or ids of the kernel, separated by commas). PN_EINVAL says what is right. */
int pn_sampler_control_set(struct pn_runtime_control *control, const char *key,
			   const char *value, struct pn_error *err);
/* A message: "pause", "resume", "stop", "snapshot", or one of the settings
 * above as "key=value". Pauses nest. */
int pn_sampler_control_tell(struct pn_runtime_control *control,
			    const char *message, struct pn_error *err);

#endif
