/* What a program may count on from its first line on. */
#ifndef PN_PROCESS_STANDARD_H
#define PN_PROCESS_STANDARD_H

/* 0, 1 and 2 are open, and SIGPIPE ends the program, whatever a parent left:
 * `git perf log | head` must end. A file that gets larger than setrlimit(2)
 * lets it is an error of write(2), as a full disk is. For the beginning of
 * main. */
void pn_process_standard(void);

#endif
