/*
 * Which mapping is the program: by pprof's convention the first one. Formats
 * that meet mappings on stacks begin with the loader, a library or the kernel.
 */
#ifndef PN_CODEC_PROGRAM_H
#define PN_CODEC_PROGRAM_H

#include "model/profile.h"

/* The first mapping of a file with the base name of `command`, or PN_NONE. */
uint32_t pn_program_named(const struct pn_profile *p, const char *command);
/* The first mapping of a file that is not named like a library, nor like
 * "[vdso]", or PN_NONE. As legacy_profile.go of github.com/google/pprof. */
uint32_t pn_program_guess(const struct pn_profile *p);
/* The mapping of this file (a string), added when new. */
uint32_t pn_program_mapping(struct pn_profile *p, uint32_t file);
/* A command line as a tool wrote it: its first word is the program, the rest
 * are its arguments. */
void pn_program_command(struct pn_profile *p, const char *text, size_t len);
/* The mapping of the command comes first, else the one that is guessed; a
 * program that is on no stack gets a mapping of its own. */
void pn_program_of_command(struct pn_profile *p);
/* That mapping comes first, the others stay in order; PN_NONE is none. */
void pn_program_first(struct pn_profile *p, uint32_t program);

#endif
