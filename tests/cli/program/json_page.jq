# The page's rows, as json.awk has them, to objects by name: their keys, with
# those of the objects that they consist of.
reduce (inputs | select(. != "") | split("\t")) as $row ({};
	if $row[1] == "@" then .[$row[0]].of += [$row[2]]
	else .[$row[0]].keys[$row[1]] = {owner: $row[0], type: $row[2],
		optional: ($row[3] == "1")} end) |
. as $page |
def members($object):
	reduce ($page[$object].of // [])[] as $other ({};
		. + members($other)) + ($page[$object].keys // {});
with_entries(.value = members(.key))
