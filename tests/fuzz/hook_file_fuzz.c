/* A hook of any bytes: what takes our block gives it back without a trace. */
#include "jobs/hooks/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const char *hook, const char *text, size_t len)
{
	struct pn_buf with = {0}, again = {0}, without = {0};
	enum pn_hook_state state, before;
	bool alone = false;

	if (!pn_hook_file_state(&before, hook, text, len, NULL) &&
	    !pn_hook_file_add(&with, hook, text, len, NULL)) {
		if (pn_hook_file_state(&state, hook, pn_buf_text(&with),
				       with.len, NULL) ||
		    state != PN_HOOK_PRESENT ||
		    pn_hook_file_add(&again, hook, pn_buf_text(&with), with.len,
				     NULL) ||
		    again.len != with.len ||
		    memcmp(again.data, with.data, with.len) != 0)
			abort();
		if (pn_hook_file_remove(&without, &alone, pn_buf_text(&with),
					with.len, NULL))
			abort();
		if (before == PN_HOOK_ABSENT &&
		    (without.len != len ||
		     (len && memcmp(without.data, text, len) != 0)))
			abort();
	}
	pn_buf_release(&with);
	pn_buf_release(&again);
	pn_buf_release(&without);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_buf text = {0};

	pn_buf_add(&text, data, size);
	check("post-commit", pn_buf_text(&text), size);
	check("post-rewrite", pn_buf_text(&text), size);
	pn_buf_release(&text);
	return 0;
}
