/*
 * What counts as one thing in a view: frames of equal identity are one node.
 *
 * The identity follows pprof (profile.Aggregate and graph.NodeInfo): what the
 * granularity keeps of name, file, line, column and address; the binary's
 * file only where there is no name. One thing differs: lines where functions
 * start do not count, which by files makes several rows of one file there.
 * A location has one node a line, innermost first, or one when it has none.
 * Functions of a call graph that have one name stay apart, by their file: the
 * totals of two that call each other cannot be added.
 */
#ifndef PN_ANALYSIS_NODES_H
#define PN_ANALYSIS_NODES_H

#include "base/buf.h"
#include "model/profile.h"

enum pn_granularity {
	PN_BY_FUNCTIONS,
	PN_BY_FILEFUNCTIONS,
	PN_BY_FILES,
	PN_BY_LINES,
	PN_BY_ADDRESSES,
	/* Of no name: */
	PN_BY_BINARY_LINES, /* lines, apart by binary, as pprof lists sources */
	PN_BY_PLACES,	    /* lines of files, whatever function and binary */
	PN_BY_BINARY_ADDRESSES /* addresses, apart by binary */
};

/* By name: "functions", "filefunctions", ...; PN_ENOTFOUND lists them. */
int pn_granularity_find(enum pn_granularity *out, const char *name,
			struct pn_error *err);
/* Append the names, with `between` between two. */
void pn_granularity_names(struct pn_buf *out, const char *between);

struct pn_node_info {
	uint32_t name;	   /* string of the profile */
	uint32_t file;	   /* string of `pn_nodes.files`, cleaned */
	uint32_t object;   /* string of the profile: file of the mapping */
	uint32_t function; /* the first one that is this node, or PN_NONE */
	uint32_t apart;	   /* see below */
	bool called;	   /* of a path: not only inlined where it ends */
	int64_t line, column;
	uint64_t address;
};

#define PN_NODES_SEVERAL 0x80000000u

struct pn_nodes {
	const struct pn_profile *profile;
	enum pn_granularity granularity;
	bool paths; /* told apart by what leads to them: drawn/paths.h */
	struct pn_strtab files;
	struct pn_node_info *items;
	size_t count, cap;
	/* Nodes of location l: of[first[l]] up to of[first[l + 1]]. */
	uint32_t *first;
	uint32_t *of;
	/* The same for speed: the node of a location that has one, else
	 * PN_NODES_SEVERAL. */
	uint32_t *single;
};

/* Memory: 8 bytes a location and line, about 100 bytes a node. */
void pn_nodes_init(struct pn_nodes *out, const struct pn_profile *profile,
		   enum pn_granularity granularity, bool noinlines);
void pn_nodes_release(struct pn_nodes *nodes);

/* The node of a node of the profile's call graph: its location's innermost
 * line; PN_NONE when it has no location. */
uint32_t pn_nodes_of_graph(const struct pn_nodes *nodes, size_t at);

/* The name as pprof prints it, not escaped: address, function, file:line;
 * "[binary]" or "<unknown>" where there is nothing else. */
void pn_nodes_name(struct pn_buf *out, const struct pn_nodes *nodes,
		   uint32_t node);

/* A path as Go's filepath.Clean leaves it, without a leading
 * /proc/self/cwd/; "" stays "". */
void pn_path_clean(struct pn_buf *out, const char *path, size_t len);

#endif
