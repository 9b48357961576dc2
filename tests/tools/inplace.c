/*
 * inplace begin <rev>... | recover | open: a run in place over commits, for
 * the scripts. At each commit the command in $INPLACE_BUILD is run by sh.
 * Prints what the report says.
 */
#include "vcs/inplace/inplace.h"
#include "base/buf.h"
#include "base/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int report(struct pn_inplace_report *r, int code, struct pn_error *err)
{
	static const char *const words[] = {"nothing", "undone", "restored",
					    "cleaned"};

	if (code) {
		if (r && r->leftovers)
			printf("leftovers %s\n", r->leftovers);
		fputs(r ? pn_buf_text(&r->notes) : "", stdout);
		fprintf(stderr, "fatal: %s\n", err->message);
		pn_inplace_report_release(r);
		return 128;
	}
	printf("%s\n", words[r->outcome]);
	if (r->leftovers)
		printf("leftovers %s\n", r->leftovers);
	fputs(pn_buf_text(&r->notes), stdout);
	pn_inplace_report_release(r);
	return 0;
}

static int build(struct pn_error *err)
{
	const char *command = getenv("INPLACE_BUILD");
	const char *const argv[] = {"sh", "-c", command, NULL};
	struct pn_process process;
	int status = 0, code;

	if (!command)
		return 0;
	code = pn_process_start(&process, argv, NULL, err);
	return code ? code : pn_process_wait(&status, &process, err);
}

static int begin(struct pn_repo *repo, int count, char **revs)
{
	struct pn_inplace_report r = {0};
	struct pn_error err = {0}, later = {0};
	struct pn_inplace *run = NULL;
	struct pn_oid targets[16];
	int i, code = 0;

	for (i = 0; !code && i < count && i < 16; i++)
		code = pn_repo_resolve(&targets[i], repo, revs[i], &err);
	if (!code)
		code = pn_inplace_begin(&run, &r, repo, targets, (size_t)i,
					&err);
	if (code)
		return report(&r, code, &err);
	for (i = 0; !code && i < count && i < 16; i++) {
		code = pn_inplace_step(run, &targets[i], &err);
		if (!code)
			code = build(&err);
	}
	if (code)
		fprintf(stderr, "step: %s\n", err.message);
	i = report(&r, pn_inplace_finish(&r, run, &later), &later);
	return i ? i : code ? 128 : 0;
}

int main(int argc, char **argv)
{
	struct pn_inplace_report r = {0};
	struct pn_error err = {0};
	struct pn_repo *repo;
	int code = pn_repo_open(&repo, NULL, &err);
	long process;

	if (code || argc < 2)
		return report(&r, -1, &err);
	if (!strcmp(argv[1], "begin"))
		code = begin(repo, argc - 2, argv + 2);
	else if (!strcmp(argv[1], "recover"))
		code = report(&r, pn_inplace_recover(&r, repo, &err), &err);
	else
		code = !pn_inplace_is_open(&process, repo);
	pn_repo_free(repo);
	return code;
}
