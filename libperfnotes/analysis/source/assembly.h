/*
 * What the instructions of functions cost, of a report by addresses
 * (PN_BY_BINARY_ADDRESSES): pprof's `disasm` (github.com/google/pprof,
 * internal/report, PrintAssembly). Whoever has the binaries fills it.
 */
#ifndef PN_SOURCE_ASSEMBLY_H
#define PN_SOURCE_ASSEMBLY_H

#include "analysis/report.h"

struct pn_instruction {
	uint64_t address;	     /* in its file */
	const char *text;	     /* of the disassembler */
	const char *function, *file; /* "": unknown; the file's last name */
	int64_t line;		     /* 0: unknown */
	int64_t flat, cum;	     /* of it and of what is inside of it */
};

/* The function that a symbol is of. */
struct pn_assembly_routine {
	const char *name;
	const char *const *others; /* symbols of the same address */
	size_t other_count;
	const char *binary;
	uint64_t start, end; /* addresses in the file; end is not in it */
	int64_t flat, cum;   /* sums of the rows, before a mean's division */
	struct pn_instruction *items; /* by address */
	size_t count;
};

/* A row of the report in the file of its binary. */
struct pn_assembly_place {
	uint32_t row;
	const char *binary; /* the same pointer as the routine's */
	uint64_t address;
};

struct pn_assembly {
	struct pn_assembly_routine *routines; /* by name, then by address */
	size_t routine_count;
	/* Binaries that cannot be shown: a sentence each. */
	const char **missing;
	size_t missing_count;
	struct pn_arena arena; /* all that is in it */
};

/* By binary, then by address. */
void pn_assembly_sort(struct pn_assembly_place *places, size_t count);
/* Those of the routine among sorted ones; *out is the first. */
size_t pn_assembly_within(const struct pn_assembly_place **out,
			  const struct pn_assembly_place *places, size_t count,
			  const struct pn_assembly_routine *routine);
/* Give the routine, which has its instructions, the costs of its places. */
void pn_assembly_fill(struct pn_assembly_routine *routine,
		      const struct pn_report *report,
		      const struct pn_assembly_place *places, size_t count);
void pn_assembly_release(struct pn_assembly *assembly);

#endif
