# fish's own completion of git looks for "git-perf" where it should look for
# "perf" (3.6.0): it is told here, when fish begins.
complete -c git -f -n '__fish_git_using_command perf' \
    -a '(__fish_git_complete_custom_command perf)'
