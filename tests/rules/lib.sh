# What the rules share: source it, call `broken` for each fault, end with
# `verdict`. $root is the source tree.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
LC_ALL=C
export LC_ALL
faults=$(mktemp) || exit 1
trap 'rm -f "$faults"' EXIT

# The lines on standard input are faults; the argument says of what kind.
broken()
{
	sed "s|^|$1: |" >>"$faults"
}

verdict()
{
	cat "$faults"
	[ ! -s "$faults" ]
}

skip()
{
	echo "SKIPPED rules/$(basename "$0" .sh): $*"
	exit 77
}
