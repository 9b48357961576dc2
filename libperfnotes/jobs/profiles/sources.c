/* Where profiles are from. */
#include "jobs/profiles/sources.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

struct pn_buf *pn_sources_new(const char *const *names, size_t count,
			      const struct pn_profile *profile)
{
	struct pn_buf *out = pn_calloc(count + 1, sizeof(*out));
	size_t i;

	for (i = 0; i < count; i++) {
		const char *name = names[i ? count - i : 0];
		time_t when = (time_t)(profile->time_ns / 1000000000);
		char text[64] = "";
		struct stat st;
		struct tm tm;

		if (!stat(name, &st))
			when = st.st_mtime;
		if (when && localtime_r(&when, &tm))
			strftime(text, sizeof(text), "%a %b %e %T %Y    ", &tm);
		pn_buf_printf(&out[i], "%s%s", text, name);
	}
	return out;
}

void pn_sources_free(struct pn_buf *sources, size_t count)
{
	while (count)
		pn_buf_release(&sources[--count]);
	free(sources);
}
