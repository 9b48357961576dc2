/* What a commit object says: "tree <id>", "parent <id>"..., a message. */
#include "vcs/commit.h"

#include "base/number.h"
#include "vcs/objects/stored.h"

#include <stddef.h>
#include <string.h>

bool pn_commit_has_subject(const char *subject, const char *at, const char *end)
{
	size_t len = strlen(subject);
	const char *lf;

	while (at < end && *at != '\n') {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			return false;
		at = lf + 1;
	}
	at++;
	return end - at >= (ptrdiff_t)len && !memcmp(at, subject, len);
}

/* Of "author A U Thor <mail> 1700000000 +0000". */
static void read_time(int64_t *out, const char *at, const char *end)
{
	const char *mail = end;

	while (mail > at && *mail != '>')
		mail--;
	mail += *mail == '>' && mail[1] == ' ' ? 2 : 0;
	pn_number_int(out, mail, strcspn(mail, " \n"));
}

/* "tree <id>", "parent <id>" ..., "author ...", "committer <ident>". */
static int parse_facts(struct pn_commit_facts *out, const char *at,
		       const char *end)
{
	struct pn_commit_facts facts = {0};
	const char *line;

	if (end - at < 46 || memcmp(at, "tree ", 5) ||
	    pn_oid_parse(&facts.tree, at + 5))
		return PN_EINVAL;
	for (at += 46; end - at >= 48 && !memcmp(at, "parent ", 7); at += 48) {
		struct pn_oid parent;

		if (pn_oid_parse(&parent, at + 7))
			return PN_EINVAL;
		if (!facts.parent_count++)
			facts.first_parent = parent;
	}
	for (; at < end && *at != '\n'; at = line + 1) {
		line = memchr(at, '\n', (size_t)(end - at));
		if (!line)
			return PN_EINVAL;
		if (!strncmp(at, "author ", 7))
			read_time(&facts.author_s, at, line);
		if (strncmp(at, "committer ", 10))
			continue;
		read_time(&facts.time_s, at, line);
		break;
	}
	*out = facts;
	return 0;
}

int pn_commit_facts(struct pn_commit_facts *out, bool *has, const char *subject,
		    struct pn_repo *repo, const struct pn_oid *commit,
		    struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_stored object;
	const char *data;
	int code = pn_stored_read(&object, repo, commit, GIT_OBJECT_COMMIT,
				  PN_COMMIT_MAX, err);

	if (code)
		return code;
	data = (const char *)object.bytes;
	pn_oid_hex(hex, commit);
	if (parse_facts(out, data, data + object.len))
		code = pn_error_set(err, PN_EINVAL, "malformed commit '%s'",
				    hex);
	else if (subject)
		*has = pn_commit_has_subject(subject, data, data + object.len);
	pn_stored_release(&object);
	return code;
}
