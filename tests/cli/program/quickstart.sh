#!/bin/sh
# contrib/quickstart does the main job, and does it again.
. "$(dirname "$0")/../lib.sh"
need cmake ninja asciidoctor gcc

# Not in the tree: a build folder of another user would be in the way.
must cp -R "$root/CMakeLists.txt" "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" \
	"$root/cmd" "$root/contrib" "$root/libperfnotes" "$root/tests" .
TMPDIR=$scratch
export TMPDIR
check 'quickstart works' exits 0 contrib/quickstart
check 'the profile is shown' mentions out ' sieve$'
check 'the measured time is listed' mentions out 'wall .* \(n 5\)'
check 'quickstart works a second time' exits 0 contrib/quickstart
check 'the second quickstart shows the profile' mentions out ' sieve$'
check 'the program is installed' exits 0 "$HOME/.local/bin/git-perf" --version
