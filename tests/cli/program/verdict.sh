#!/bin/sh
# What a test of the command line ends with: a check that failed counts more
# than a program that is missing, and a test without a check is none.
. "$(dirname "$0")/../lib.sh"

must mkdir -p "$scratch/tests/cli/room"
must cp "$root/tests/cli/lib.sh" "$scratch/tests/cli/"

# verdict CODE LINE...   a test of these lines exits with that code
verdict()
{
	wanted_code=$1
	shift
	{
		echo '. "$(dirname "$0")/../lib.sh"'
		printf '%s\n' "$@"
	} >"$scratch/tests/cli/room/some.sh"
	exits "$wanted_code" sh "$scratch/tests/cli/room/some.sh"
}

good="check 'true is true' true"
bad="check 'false is true' false"
missing='need no-such-program-at-all'

check 'a test whose checks hold passes' verdict 0 "$good"
check 'one failed check of two fails the test' verdict 1 "$bad" "$good"
check 'a missing program skips a test before its checks' \
	verdict 77 "$missing" "$bad"
check 'the missing program is named' \
	mentions out '^SKIPPED some: no-such-program-at-all is not installed$'
check 'a missing program skips a test whose checks held' \
	verdict 77 "$good" "$missing"
check 'a failed check counts more than a missing program' \
	verdict 1 "$bad" "$missing"
check 'the failed check is counted' mentions out '^some: 1 checks, 1 failed$'
check 'a test that ends early fails' verdict 1 "$good" 'exit 3'
check 'a failed preparation fails the test' verdict 1 "$good" 'must false'
check 'a test without a check fails' verdict 1 ':'
