/* What nobody has any more who promised it. */
#include "vcs/objects/gone.h"

#include <string.h>

bool pn_gone_is(const char *said)
{
	return strstr(said, PN_GONE) || (strstr(said, "from promisor remote") &&
					 strstr(said, "not our ref"));
}

void pn_gone_advise(struct pn_error *err)
{
	struct pn_error why;

	if (!err || !pn_gone_is(err->message))
		return;
	why = *err;
	pn_error_set(err, why.code,
		     "%s: 'git perf pull' takes in what that has instead",
		     why.message);
}
