/*
 * Facts of the machine that a figure was measured on. The host's name is not
 * among them: a profile is shared, and a name may say too much. Who wants one
 * gives the machine a name.
 */
#ifndef PN_FACTS_ENVIRONMENT_H
#define PN_FACTS_ENVIRONMENT_H

#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

#define PN_FINGERPRINT_MAX 128 /* bytes of one, with its NUL */
#define PN_FINGERPRINT_HEX 12  /* digits when it is a hash */

struct pn_environment {
	char machine[PN_FINGERPRINT_MAX]; /* given name, or "" */
	char cpu[128];	       /* model, "" where the system does not say */
	uint64_t cores;	       /* online; 0: unknown */
	uint64_t memory_bytes; /* 0: unknown */
	char kernel[128], os[128], arch[64];
	char governor[64]; /* of the clock frequency, "" when there is none */
};

/*
 * Read them; what a system does not tell stays empty. `machine` is the given
 * name or NULL; `root` is put before /proc, /sys and /etc ("" for this
 * system).
 */
void pn_environment_read(struct pn_environment *out, const char *machine,
			 const char *root);

/*
 * What makes two measurements comparable: the machine's given name, else 12
 * hex digits of the SHA-256 over processor model, cores and architecture.
 */
void pn_environment_fingerprint(char out[PN_FINGERPRINT_MAX],
				const struct pn_environment *environment);

/* Into a profile's header: machine, cpu, cores, memory (bytes), kernel, os,
 * arch, governor where known, and env, the fingerprint. */
void pn_environment_apply(struct pn_profile *profile,
			  const struct pn_environment *environment);

#endif
