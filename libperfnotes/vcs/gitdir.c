/*
 * A repository by its files: gitrepository-layout(5) says which. HEAD and
 * loose refs are read as they are; everything else git is asked for.
 */
#include "vcs/gitdir.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL_MAX 8192	      /* HEAD, a gitfile, a ref: one line each */
#define CONFIG_MAX (1u << 20) /* a larger file is left to git */
#define LOG_TAIL 4096	      /* bytes; a longer line is left to git */
#define DEPTH_MAX 64	      /* folders to go up before git is asked */
#define LINKED "/worktrees/"  /* below the common folder */

const char *const pn_gitdir_variables[] = {"GIT_ALTERNATE_OBJECT_DIRECTORIES",
					   "GIT_CONFIG",
					   "GIT_CONFIG_PARAMETERS",
					   "GIT_CONFIG_COUNT",
					   "GIT_OBJECT_DIRECTORY",
					   "GIT_DIR",
					   "GIT_WORK_TREE",
					   "GIT_IMPLICIT_WORK_TREE",
					   "GIT_GRAFT_FILE",
					   "GIT_INDEX_FILE",
					   "GIT_NO_REPLACE_OBJECTS",
					   "GIT_REPLACE_REF_BASE",
					   "GIT_PREFIX",
					   "GIT_SHALLOW_FILE",
					   "GIT_COMMON_DIR",
					   "GIT_INTERNAL_SUPER_PREFIX",
					   NULL};

/* The first line of a small file, to be freed; NULL when there is none. */
static char *read_line(const char *dir, const char *name)
{
	struct pn_buf path = {0}, text = {0};
	char *line = NULL;

	pn_buf_printf(&path, "%s/%s", dir, name);
	if (!pn_file_read(&text, pn_buf_text(&path), SMALL_MAX, NULL) &&
	    text.len) {
		text.data[strcspn((char *)text.data, "\r\n")] = '\0';
		line = pn_buf_detach(&text);
	}
	pn_buf_release(&path);
	pn_buf_release(&text);
	return line;
}

/* `path` as seen from `dir`, without links; NULL when it is not there. */
static char *real_path(const char *dir, const char *path)
{
	struct pn_buf full = {0};
	char *real;

	if (*path != '/')
		pn_buf_printf(&full, "%s/", dir);
	pn_buf_add_text(&full, path);
	real = realpath(pn_buf_text(&full), NULL);
	pn_buf_release(&full);
	return real;
}

static bool is_git_dir(const char *dir)
{
	return pn_file_is_in(dir, "HEAD") &&
	       (pn_file_is_in(dir, "commondir") ||
		(pn_file_is_in(dir, "objects") && pn_file_is_in(dir, "refs")));
}

static bool is_own(const char *dir, const char *name)
{
	struct pn_buf path = {0};
	struct stat st;
	bool own;

	pn_buf_printf(&path, "%s/%s", dir, name);
	own = !lstat(pn_buf_text(&path), &st) && st.st_uid == geteuid();
	pn_buf_release(&path);
	return own;
}

/* The git folder that `dir` has; NULL when it has none. */
static char *git_dir_at(const char *dir)
{
	char *real = real_path(dir, ".git"), *line, *to = NULL;

	if (real && is_git_dir(real))
		return real;
	free(real);
	line = read_line(dir, ".git");
	if (line && !strncmp(line, "gitdir: ", 8))
		to = real_path(dir, line + 8);
	free(line);
	if (to && is_git_dir(to))
		return to;
	free(to);
	return NULL;
}

/* What git may refuse, or understand in another way: somebody else's
 * (safe.directory), a bare one (safe.bareRepository), a gitfile that leads
 * nowhere. */
static bool is_for_git(const char *dir, const char *found)
{
	if (found)
		return !is_own(dir, ".") || !is_own(dir, ".git") ||
		       !is_own(found, ".");
	return is_git_dir(dir) || pn_file_is_in(dir, ".git");
}

/* NULL: git has to be asked. */
static char *find_git_dir(void)
{
	const char *given = getenv("GIT_DIR");
	char *at, *found = NULL, *slash;
	int depth;

	if (given)
		return real_path(".", given);
	at = realpath(".", NULL);
	for (depth = 0; at && depth < DEPTH_MAX; depth++) {
		found = git_dir_at(at);
		slash = strrchr(at, '/');
		if (is_for_git(at, found)) {
			free(found);
			found = NULL;
			break;
		}
		if (found || !slash || slash == at)
			break;
		*slash = '\0';
	}
	free(at);
	return found;
}

/* Cut the next line off *at; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at;
	char *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return pn_strndup(path, len);
}

/* git prints what it can before it dies for want of a work tree. */
int pn_gitdir_ask(char **git_dir, char **common_dir, char **work_dir,
		  const char *dir, struct pn_error *err)
{
	static const char *const argv[] = {
		"git",	     "rev-parse",	 "--path-format=absolute",
		"--git-dir", "--git-common-dir", "--show-toplevel",
		NULL};
	static const char *const set[] = {"LC_ALL=C", NULL};
	struct pn_process_options options = {
		.in = -1, .dir = dir, .env_set = set};
	char said[1024] = "";
	struct pn_buf text = {0};
	char *at, *own, *common;
	int status, code;

	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (code)
		goto out;
	pn_buf_add(&text, "", 0);
	at = (char *)text.data;
	own = next_line(&at);
	common = own ? next_line(&at) : NULL;
	if (!common) {
		code = pn_error_set(err,
				    strstr(said, "not a git repository")
					    ? PN_ENOTFOUND
					    : PN_EREFUSED,
				    "%s", pn_child_said(said));
		goto out;
	}
	*git_dir = without_slash(own);
	*common_dir = without_slash(common);
	own = next_line(&at);
	*work_dir = own && *own ? without_slash(own) : NULL;
out:
	pn_buf_release(&text);
	return code;
}

static int find_dirs(struct pn_gitdir *out, struct pn_error *err)
{
	char *line, *work_dir = NULL;
	int code;

	out->git_dir = getenv("GIT_COMMON_DIR") ? NULL : find_git_dir();
	if (out->git_dir) {
		line = read_line(out->git_dir, "commondir");
		out->common_dir = line ? real_path(out->git_dir, line)
				       : pn_strdup(out->git_dir);
		free(line);
		if (out->common_dir)
			return 0;
	}
	free(out->git_dir);
	out->git_dir = NULL;
	code = pn_gitdir_ask(&out->git_dir, &out->common_dir, &work_dir, NULL,
			     err);
	free(work_dir);
	return code;
}

static void set_worktree(struct pn_gitdir *dir)
{
	size_t len = strlen(dir->common_dir);
	const char *rest = dir->git_dir + len;

	dir->worktree = "";
	if (!strncmp(dir->git_dir, dir->common_dir, len) &&
	    !strncmp(rest, LINKED, strlen(LINKED)))
		dir->worktree = rest + strlen(LINKED);
}

/* A whole id and nothing else. */
static bool take_id(struct pn_oid *out, const char *text)
{
	return text && strlen(text) == PN_OID_HEX && !pn_oid_parse(out, text);
}

/* HEAD, and a branch that is a loose ref: what git has just written. */
static bool read_head(struct pn_gitdir *dir)
{
	char *head = read_line(dir->git_dir, "HEAD"), *id = NULL;
	bool good = false;

	if (head && !strncmp(head, "ref: refs/heads/", 16) &&
	    !strstr(head, "..")) {
		id = read_line(dir->common_dir, head + 5);
		good = take_id(&dir->commit, id);
		if (good)
			dir->branch = pn_strdup(head + 5);
	} else if (take_id(&dir->commit, head)) {
		dir->branch = pn_strdup("");
		good = true;
	}
	free(head);
	free(id);
	return good;
}

/* The first line that git prints, to be freed; NULL when it fails. */
static char *ask_git(const char *const *argv)
{
	struct pn_process_options options = {.in = -1};
	struct pn_buf text = {0};
	char said[1024];
	int status;

	if (pn_process_capture(&text, said, &status, argv, &options,
			       PN_CHILD_TEXT_MAX, NULL) ||
	    status || !text.len) {
		pn_buf_release(&text);
		return NULL;
	}
	text.data[strcspn((char *)text.data, "\n")] = '\0';
	return pn_buf_detach(&text);
}

static void ask_head(struct pn_gitdir *dir)
{
	static const char *const name[] = {"git", "symbolic-ref", "-q", "HEAD",
					   NULL};
	static const char *const verify[] = {"git", "rev-parse",     "--verify",
					     "-q",  "HEAD^{commit}", NULL};
	char *id = ask_git(verify);

	dir->branch = ask_git(name);
	if (!dir->branch)
		dir->branch = pn_strdup("");
	dir->unborn = !take_id(&dir->commit, id);
	free(id);
}

/* The last line of HEAD's reflog: "<old id> <new id> <who and when> TAB
 * <message>" LF; to be freed. NULL when it is not about the commit. */
static char *last_log_line(const struct pn_gitdir *dir)
{
	char text[LOG_TAIL + 1], hex[PN_OID_HEX + 1], *line = NULL;
	struct pn_buf path = {0};
	struct stat st;
	ssize_t n = -1;
	int fd;

	pn_buf_printf(&path, "%s/logs/HEAD", dir->git_dir);
	fd = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st))
		n = pread(fd, text, LOG_TAIL,
			  st.st_size > LOG_TAIL ? st.st_size - LOG_TAIL : 0);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&path);
	if (n <= 0 || text[n - 1] != '\n')
		return NULL;
	text[n - 1] = '\0';
	line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	pn_oid_hex(hex, &dir->commit);
	if (strlen(line) < (size_t)2 * PN_OID_HEX + 2 ||
	    memcmp(line + PN_OID_HEX + 1, hex, PN_OID_HEX) != 0)
		return NULL;
	return pn_strdup(line);
}

bool pn_gitdir_is_merge(const struct pn_gitdir *dir)
{
	static const char *const argv[] = {"git",      "rev-parse", "-q",
					   "--verify", "HEAD^2",    NULL};
	char *line = last_log_line(dir), *other;
	const char *message = line ? strchr(line, '\t') : NULL;
	bool known = message && !strncmp(message, "\tcommit: ", 9);

	free(line);
	if (known)
		return false;
	other = ask_git(argv);
	free(other);
	return other != NULL;
}

int pn_gitdir_find(struct pn_gitdir *out, struct pn_error *err)
{
	struct pn_gitdir dir = {0};
	int code = find_dirs(&dir, err);

	if (code) {
		pn_gitdir_release(&dir);
		return code;
	}
	set_worktree(&dir);
	if (!read_head(&dir))
		ask_head(&dir);
	*out = dir;
	return 0;
}

void pn_gitdir_release(struct pn_gitdir *dir)
{
	if (!dir)
		return;
	free(dir->git_dir);
	free(dir->common_dir);
	free(dir->branch);
	memset(dir, 0, sizeof(*dir));
}

/* Whether `text` has `word` in any case. */
static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (; *text; text++)
		if (!strncasecmp(text, word, len))
			return true;
	return false;
}

/* Whether a configuration file may set the variable. */
static bool file_may_set(const char *path, const char *name)
{
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, CONFIG_MAX, NULL);
	bool may = code == PN_ELIMIT;

	if (!code)
		may = has_word(pn_buf_text(&text), name) ||
		      has_word(pn_buf_text(&text), "[include");
	pn_buf_release(&text);
	return may;
}

static bool below_may_set(const char *dir, const char *path, const char *name)
{
	struct pn_buf full = {0};
	bool may;

	if (!dir || !*dir)
		return false;
	pn_buf_printf(&full, "%s/%s", dir, path);
	may = file_may_set(pn_buf_text(&full), name);
	pn_buf_release(&full);
	return may;
}

/* `git -c`, and what git-config(1) lists under ENVIRONMENT. */
static bool environment_may_set(const char *name)
{
	const char *given = getenv("GIT_CONFIG_PARAMETERS");

	return getenv("GIT_CONFIG_COUNT") || (given && has_word(given, name));
}

static bool user_may_set(const char *name)
{
	const char *file = getenv("GIT_CONFIG_GLOBAL");
	const char *home = getenv("HOME");
	const char *config = getenv("XDG_CONFIG_HOME");

	if (file)
		return file_may_set(file, name);
	return below_may_set(home, ".gitconfig", name) ||
	       (config && *config
			? below_may_set(config, "git/config", name)
			: below_may_set(home, ".config/git/config", name));
}

static bool system_may_set(const char *name)
{
	const char *file = getenv("GIT_CONFIG_SYSTEM");

	if (getenv("GIT_CONFIG_NOSYSTEM"))
		return false;
	return file_may_set(file ? file : "/etc/gitconfig", name);
}

int pn_gitdir_config(char **out, const struct pn_gitdir *dir, const char *key,
		     struct pn_error *err)
{
	const char *name = strrchr(key, '.') + 1;
	const char *const argv[] = {"git", "config", "-z", "--get", key, NULL};
	struct pn_process_options options = {.in = -1};
	struct pn_buf text = {0};
	char said[1024];
	int status, code;

	*out = NULL;
	if (!environment_may_set(name) &&
	    !below_may_set(dir->common_dir, "config", name) &&
	    !below_may_set(dir->git_dir, "config.worktree", name) &&
	    !user_may_set(name) && !system_may_set(name))
		return 0;
	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (!code && !status)
		*out = pn_buf_detach(&text);
	pn_buf_release(&text);
	return code;
}
