/*
 * Compare and swap of a ref. libgit2 does not wait for "<ref>.lock" (git waits
 * core.filesRefLockTimeout, by default 100 ms, which fifty writers exceed),
 * so the waiting is here. A lock file is not removed here: its owner may live
 * (lock.h says which one is).
 */
#include "vcs/ref/ref.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/number.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/lock.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define WAIT_MS 10000
#define STEP_MIN_US 500
#define STEP_MAX_US 200000

/* A random part of the step, so that waiting writers part. */
static void pause_us(int64_t step_us)
{
	int64_t us =
		step_us / 2 + (int64_t)(pn_hash_random() % (uint64_t)step_us);
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&time, NULL);
}

static int wait_limit_us(int64_t *out, struct pn_repo *repo,
			 struct pn_error *err)
{
	int64_t ms = WAIT_MS;
	char *value;
	int code =
		pn_repo_config(&value, repo, "core.filesRefLockTimeout", err);

	if (code)
		return code;
	if (value && !pn_number_int(&ms, value, strlen(value)))
		ms = WAIT_MS;
	free(value);
	/* -1: for ever, which for us is an hour. */
	*out = (ms < 0 || ms > 3600000 ? 3600000 : ms) * 1000;
	return 0;
}

static int locked(struct pn_repo *repo, const char *ref, struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	int64_t age_s;

	pn_buf_printf(&path, "%s/%s.lock", repo->common_dir, ref);
	if (stat(pn_buf_text(&path), &st)) {
		pn_error_set(err, PN_ELOCKED,
			     "cannot move '%s': others lock it all the time",
			     ref);
	} else {
		age_s = pn_time_now_ns() / 1000000000 - (int64_t)st.st_mtime;
		pn_error_set(err, PN_ELOCKED,
			     "cannot move '%s': '%s' is in the way since %lld "
			     "s; remove it when no git process is at work",
			     ref, pn_buf_text(&path), (long long)age_s);
	}
	pn_buf_release(&path);
	return PN_ELOCKED;
}

static int64_t now_us(void)
{
	return pn_time_monotonic_ns() / 1000;
}

/* Sleeps after an attempt that began at `from_us`, which itself may have
 * waited; false when the time is over. */
static bool wait_again(int64_t *waited_us, int64_t *step_us, int64_t from_us,
		       int64_t limit_us)
{
	bool again = *waited_us + (now_us() - from_us) < limit_us;

	if (again)
		pause_us(*step_us);
	*waited_us += now_us() - from_us;
	*step_us = *step_us < STEP_MAX_US ? *step_us * 2 : STEP_MAX_US;
	return again;
}

int pn_ref_wait(int64_t *waited_us, struct pn_repo *repo, const char *ref,
		struct pn_error *err)
{
	int64_t limit_us = 0, step_us = STEP_MIN_US, from_us = now_us();
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct pn_buf path = {0};
	struct stat st;
	int code = wait_limit_us(&limit_us, repo, err);

	pn_buf_printf(&path, "%s/%s.lock", repo->common_dir, ref);
	while (!code && !stat(pn_buf_text(&path), &st)) {
		if (!wait_again(waited_us, &step_us, from_us, limit_us))
			code = locked(repo, ref, err);
		else
			code = pn_lock_wait_on(&wait, repo, pn_buf_text(&path),
					       (double)limit_us / 1e6, err);
		from_us = now_us();
	}
	pn_buf_release(&path);
	return code;
}

bool pn_ref_has_left(struct pn_repo *repo, const char *ref,
		     const struct pn_oid *old)
{
	struct pn_oid now;
	git_oid id;

	if (git_reference_name_to_id(&id, repo->git, ref))
		return false;
	pn_git_from(&now, &id);
	return !pn_oid_equal(&now, old);
}

/* The reflog's signature is the repository's. */
static void set_ident(struct pn_repo *repo, const char *ident)
{
	const char *open = strstr(ident, " <");
	const char *end = open ? strchr(open, '>') : NULL;
	char *name, *mail;

	if (!end)
		return;
	name = pn_strndup(ident, (size_t)(open - ident));
	mail = pn_strndup(open + 2, (size_t)(end - open - 2));
	git_repository_set_ident(repo->git, name, mail);
	free(name);
	free(mail);
}

/* Of git's "Unable to create '<ref>.lock': <reason>": whether another one has
 * it, and not a full disk or the like. git's language may be another one. */
static bool is_taken(struct pn_repo *repo, const char *ref, const char *said)
{
	const char *reason = strstr(said, ".lock': ");
	struct pn_buf path = {0};
	struct stat st;
	bool there;

	if (!reason)
		return false;
	pn_buf_printf(&path, "%s/%s.lock", repo->common_dir, ref);
	there = !stat(pn_buf_text(&path), &st);
	pn_buf_release(&path);
	return there || strstr(reason, "File exists");
}

/*
 * libgit2 looks whether a ref is there before it locks it and never again, so
 * that of two that create it at once the first one is lost. git compares with
 * "not there" under the lock; it runs once in the life of a repository. The
 * folders that it makes it does not sync. Ctrl-C of a terminal does not reach
 * it: what it makes a ref of may be the user's commit.
 */
static int create(struct pn_repo *repo, const char *ref,
		  const struct pn_oid *to, const char *subject,
		  struct pn_error *err)
{
	static const char zeros[] = "0000000000000000000000000000000000000000";
	char hex[PN_OID_HEX + 1], said[1024];
	const char *argv[] = {
		"git", "-c", PN_CHILD_FSYNC, "update-ref", "-m", subject,
		ref,   hex,  zeros,	     NULL};
	struct pn_process_options options = pn_child_options(repo);
	struct pn_buf out = {0};
	git_oid now;
	int status = 0, code;

	pn_oid_hex(hex, to);
	options.own_group = true;
	code = pn_process_capture(&out, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	pn_buf_release(&out);
	if (!code && status > PN_PROCESS_SIGNALLED)
		pn_lock_announce_died(repo);
	if (!code && !status)
		code = pn_ref_sync(repo, ref, err);
	if (code || !status)
		return code ? GIT_EUSER : 0;
	if (!git_reference_name_to_id(&now, repo->git, ref))
		return GIT_EEXISTS;
	if (is_taken(repo, ref, said))
		return GIT_ELOCKED;
	pn_error_set(err, PN_EIO, "cannot move '%s': %s", ref,
		     pn_child_said(said));
	return GIT_EUSER;
}

/* Ctrl-C would leave "<ref>.lock", in the way of every git until the next
 * writer of ours: it has to wait for the few ms. */
static void hold_signals(sigset_t *before)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM,
				      SIGPIPE};
	sigset_t held;
	size_t i;

	sigemptyset(&held);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&held, signals[i]);
	pthread_sigmask(SIG_BLOCK, &held, before);
}

static int swap(struct pn_repo *repo, const char *ref, const struct pn_oid *old,
		const struct pn_oid *to, const char *ident, const char *subject,
		struct pn_error *err)
{
	git_reference *made = NULL;
	git_oid from, id;
	int result;

	result = pn_ref_move_file(repo, ref, old, to, ident, subject, err);
	if (result != GIT_PASSTHROUGH)
		return result;
	set_ident(repo, ident);
	pn_git_to(&id, to);
	pn_git_to(&from, old);
	result = git_reference_create_matching(&made, repo->git, ref, &id, 1,
					       &from, subject);
	git_reference_free(made);
	if (!result && pn_ref_sync(repo, ref, err))
		result = GIT_EUSER;
	return result;
}

static int move_once(struct pn_repo *repo, const char *ref,
		     const struct pn_oid *old, const struct pn_oid *to,
		     const char *ident, const char *subject,
		     struct pn_error *err)
{
	sigset_t before;
	int result;

	if (pn_oid_is_zero(old))
		return create(repo, ref, to, subject, err);
	hold_signals(&before);
	result = swap(repo, ref, old, to, ident, subject, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

/*
 * git-receive-pack(1), quarantine environment: what a push brings may still be
 * refused, and goes then, with what this program found to be stored there. git
 * moves no ref meanwhile, and neither do we.
 */
static int check_quarantine(const char *ref, struct pn_error *err)
{
	if (!getenv("GIT_QUARANTINE_PATH"))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "cannot move '%s' while a push is looked at "
			    "(GIT_QUARANTINE_PATH is set): a post-receive hook "
			    "can do it",
			    ref);
}

int pn_ref_move(int64_t *waited_us, struct pn_repo *repo, const char *ref,
		const struct pn_oid *old, const struct pn_oid *to,
		const char *ident, const char *message, struct pn_error *err)
{
	char *subject = pn_strndup(message, strcspn(message, "\n"));
	struct pn_lock_wait wait = pn_lock_wait_begin(repo);
	struct pn_buf path = {0};
	int64_t limit_us = 0, step_us = STEP_MIN_US, from_us;
	int result, code = check_quarantine(ref, err);

	if (!code)
		code = wait_limit_us(&limit_us, repo, err);
	if (code) {
		free(subject);
		return code;
	}
	pn_buf_printf(&path, "%s/%s.lock", repo->common_dir, ref);
	pn_lock_announce(repo, ref, to);
	do {
		from_us = now_us();
		result = move_once(repo, ref, old, to, ident, subject, err);
	} while (result == GIT_ELOCKED &&
		 wait_again(waited_us, &step_us, from_us, limit_us) &&
		 !(code = pn_lock_wait_on(&wait, repo, pn_buf_text(&path),
					  (double)limit_us / 1e6, err)));
	pn_lock_announce_end(repo);
	pn_buf_release(&path);
	free(subject);
	if (code)
		return code;
	if (!result)
		return 0;
	if (result == GIT_EUSER)
		return err->code;
	if (result == GIT_ELOCKED)
		return locked(repo, ref, err);
	if (result == GIT_EMODIFIED || result == GIT_EEXISTS ||
	    (result == GIT_ENOTFOUND && !pn_oid_is_zero(old)))
		return pn_error_set(err, PN_ECONFLICT,
				    "'%s' was moved by another writer", ref);
	/* now: looking for the object leaves another error in libgit2 */
	pn_git_fail(err, PN_EIO, "cannot move '%s'", ref);
	if (!pn_repo_has_object(repo, to))
		return pn_error_set(err, PN_ENOTFOUND,
				    "a new object of '%s' is gone again", ref);
	return PN_EIO;
}
