/* What git's hooks call: quick, silent, without libgit2. */
#ifndef CMD_HOOK_RUN_H
#define CMD_HOOK_RUN_H

/*
 * `hooks run <hook> [<git's arguments>...]`: queue what git has just made and
 * see to it that a worker runs. Always EXIT_DONE: the commit is made, and no
 * fault of ours may look like one of its own.
 */
int run_hook(int argc, char **argv);

#endif
