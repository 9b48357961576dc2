# Repositories with figures; source it behind ../lib.sh.

# fresh NAME: an empty repository
fresh()
{
	must git init -q -b main "$scratch/$1"
	cd "$scratch/$1" || exit 1
}

# figures METRIC=VALUE...: of one run, at HEAD; less is better
figures()
{
	for figure in "$@"; do
		printf '{"name": "%s", "unit": "count", "value": %s}\n' \
			"${figure%=*}" "${figure#*=}"
	done | jq -s . >"$scratch/figures.json"
	must git perf add --format=customSmallerIsBetter --name=prog \
		"$scratch/figures.json" 2>"$scratch/said"
}
