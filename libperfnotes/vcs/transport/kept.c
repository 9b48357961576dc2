/* The ".keep" of a git fetch that was killed: git leaves it for ever, and no gc
 * takes anything out of its pack. */
#include "base/file.h"
#include "base/number.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"
#include "vcs/transport/transport.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define TOLD "fetch-pack "
#define TEXT_MAX 256
/* git has it until the refs are moved. Another machine of the same name, or
 * processes that we do not see, have as long for it. */
#define OLD_S 600

/* "fetch-pack <process> on <host>", which git-index-pack(1) is given by git
 * fetch. A number that was given to another process says nothing. */
static bool is_dead(const char *text, const char *host)
{
	const char *at = text;
	int64_t pid = 0;
	size_t len;

	if (strncmp(text, TOLD, strlen(TOLD)) != 0)
		return false;
	at += strlen(TOLD);
	len = strcspn(at, " ");
	if (!pn_number_int(&pid, at, len) || pid <= 1 || pid > INT32_MAX ||
	    strncmp(at + len, " on ", 4) != 0)
		return false;
	at += len + 4;
	len = strcspn(at, "\n");
	return len == strlen(host) && !strncmp(at, host, len) &&
	       kill((pid_t)pid, 0) && errno == ESRCH;
}

static void look_at(const char *path, const char *host)
{
	struct pn_buf text = {0};
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) &&
	    pn_time_now_ns() / 1000000000 - st.st_mtime >= OLD_S &&
	    !pn_file_read(&text, path, TEXT_MAX, NULL) &&
	    is_dead(pn_buf_text(&text), host))
		unlink(path);
	pn_buf_release(&text);
}

void pn_transport_sweep(const struct pn_repo *repo)
{
	struct pn_pack_names names = {0};
	struct pn_buf path = {0};
	struct utsname host;
	size_t i, dir;

	pn_buf_printf(&path, "%s/objects/pack", repo->common_dir);
	pn_pack_names_read(&names, pn_buf_text(&path), "pack-");
	dir = path.len;
	for (i = 0; !uname(&host) && i < names.count; i++) {
		if (!pn_file_ends_with(names.items[i], ".keep"))
			continue;
		pn_buf_printf(&path, "/%s", names.items[i]);
		look_at(pn_buf_text(&path), host.nodename);
		pn_buf_cut(&path, dir);
	}
	pn_pack_names_release(&names);
	pn_buf_release(&path);
}
