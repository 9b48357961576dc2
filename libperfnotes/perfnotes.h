/*
 * libperfnotes: performance profiles in a git repository, as git-perf keeps
 * them. Other programs include this header; those that it names are all that
 * they may use, and may come to lie elsewhere.
 *
 *	codec/codec.h       bytes of any format to a profile and back
 *	model/profile.h     the profile
 *	analysis/report.h   what each function of it costs
 *	render/renderer.h   the same as text or JSON
 *	storage/store.h     profiles into a commit's note, and the note's lines
 *	storage/lookup/lookup.h  a stored profile by its name
 *	vcs/walk/history.h  a walk over commits
 *	analysis/history/figures.h  what the lines of a commit say together
 *
 * Errors: what can fail returns 0 or a negative enum pn_code and fills the
 * struct pn_error that it was given. The library never prints and never exits,
 * but that it aborts when there is no memory. It has no state of its own: a
 * thread may use what no other thread uses at that time.
 *
 * What is stable: the names in perfnotes.sym and the structs of these headers.
 * A version that changes one of them in a way that programs built before would
 * notice has another number behind libperfnotes.so.
 */
#ifndef PN_LIBPERFNOTES_PERFNOTES_H
#define PN_LIBPERFNOTES_PERFNOTES_H

/* What the others include of the system, before the braces. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "analysis/filter/filter.h"
#include "analysis/history/figures.h"
#include "analysis/nodes.h"
#include "analysis/report.h"
#include "analysis/timed/ordered.h"
#include "analysis/weight.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "base/reader/reader.h"
#include "base/strtab.h"
#include "base/version.h"
#include "codec/codec.h"
#include "codec/losses.h"
#include "model/entry.h"
#include "model/graph/timed.h"
#include "model/profile.h"
#include "model/series.h"
#include "model/summary.h"
#include "render/flame/style.h"
#include "render/renderer.h"
#include "storage/lookup/lookup.h"
#include "storage/pending.h"
#include "storage/record.h"
#include "storage/store.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"
#include "vcs/walk/history.h"

#ifdef __cplusplus
}
#endif

#endif
