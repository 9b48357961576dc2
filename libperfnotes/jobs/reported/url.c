/* From the URL of a remote to the pages of its commits. */
#include "jobs/reported/reporting.h"

#include <ctype.h>
#include <string.h>

/* What a URL may hold without being quoted: whatever else is there, it is no
 * link that anybody should follow. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) &&
		    !strchr("._~/:-+%", *text))
			return false;
	return true;
}

static bool starts(const char **at, const char *with)
{
	size_t len = strlen(with);

	if (strncmp(*at, with, len) != 0)
		return false;
	*at += len;
	return true;
}

/* Behind "user:password@", which is nobody's business. */
static const char *host_of(const char *rest)
{
	size_t len = strcspn(rest, "/");
	const char *at = rest, *found = rest;

	for (; at < rest + len; at++)
		if (*at == '@')
			found = at + 1;
	return found;
}

static void add_page(struct pn_buf *out, const char *host, size_t host_len,
		     const char *path)
{
	size_t len = strlen(path);
	const char *kind = "/commit/";

	while (len && path[len - 1] == '/')
		len--;
	if (len > 4 && !strncmp(path + len - 4, ".git", 4))
		len -= 4;
	if (!host_len || !len)
		return;
	pn_buf_printf(out, "https://%.*s/%.*s", (int)host_len, host, (int)len,
		      path);
	if (strstr(pn_buf_text(out), "gitlab"))
		kind = "/-/commit/";
	else if (!strncmp(host, "bitbucket.org", host_len))
		kind = "/commits/";
	pn_buf_add_text(out, kind);
}

void pn_reporting_url(struct pn_buf *out, const char *remote)
{
	const char *at = remote, *host, *slash, *colon;
	size_t len;
	bool scheme = starts(&at, "https://") || starts(&at, "http://") ||
		      starts(&at, "ssh://") || starts(&at, "git://");

	host = host_of(at);
	if (!is_plain(host) || strlen(host) > 1000 ||
	    (!scheme && strstr(remote, "://")))
		return;
	slash = strchr(host, '/');
	colon = strchr(host, ':');
	if (scheme && slash) {
		/* a port of ssh is none of the web's */
		len = strcspn(host, *remote == 'h' ? "/" : "/:");
		add_page(out, host, len, slash + 1);
	} else if (!scheme && colon && (!slash || colon < slash)) {
		while (colon[1] == '/')
			colon++;
		add_page(out, host, strcspn(host, ":"), colon + 1);
	}
}
