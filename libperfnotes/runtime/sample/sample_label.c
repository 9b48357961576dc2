/* What a program may tell its sampler; see git-perf.h. */
#include "runtime/sample/sample.h"

#include <stdatomic.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

int git_perf_pause(void);
int git_perf_resume(void);
int git_perf_label(const char *key, const char *value);

EXPORT int git_perf_pause(void)
{
	__atomic_fetch_add(&pn_sampler_paused, 1, __ATOMIC_RELAXED);
	return 0;
}

/* A resume without a pause is none. */
EXPORT int git_perf_resume(void)
{
	uint32_t paused = __atomic_load_n(&pn_sampler_paused, __ATOMIC_RELAXED);

	while (paused && !__atomic_compare_exchange_n(
				 &pn_sampler_paused, &paused, paused - 1, false,
				 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return paused ? 0 : -1;
}

/* Take out the label of this key. */
static void drop(struct pn_sampled_thread *t, const char *key)
{
	uint32_t at = 0, size;

	while (at < t->label_size) {
		size = (uint32_t)strlen(t->label_texts + at) + 1;
		size += (uint32_t)strlen(t->label_texts + at + size) + 1;
		if (!strcmp(t->label_texts + at, key)) {
			memmove(t->label_texts + at, t->label_texts + at + size,
				t->label_size - at - size);
			t->label_size -= size;
			return;
		}
		at += size;
	}
}

EXPORT int git_perf_label(const char *key, const char *value)
{
	struct pn_sampled_thread *t = pn_sampler_self();
	size_t key_size, value_size;
	uint64_t mask;
	int code = 0;

	if (!t || !key || !*key)
		return -1;
	mask = pn_sampler_block();
	drop(t, key);
	key_size = strlen(key) + 1;
	value_size = value ? strlen(value) + 1 : 0;
	if (value &&
	    key_size + value_size > sizeof(t->label_texts) - t->label_size) {
		code = -1;
	} else if (value) {
		memcpy(t->label_texts + t->label_size, key, key_size);
		t->label_size += (uint32_t)key_size;
		memcpy(t->label_texts + t->label_size, value, value_size);
		t->label_size += (uint32_t)value_size;
	}
	t->labels = 0; /* written with the next sample */
	pn_sampler_unblock(mask);
	return code;
}
