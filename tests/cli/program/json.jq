# What a document has, by the rows that json.awk makes of the manual page:
# "seen OBJECT.KEY" of each member, and a line of another kind for each fault.
# $object is what the page calls the document.

def of_rows:
	reduce (split("\n")[] | select(. != "") | split("\t")) as $row ({};
		if $row[1] == "@" then .[$row[0]].of += [$row[2]]
		else .[$row[0]].keys[$row[1]] = {
			owner: $row[0], type: $row[2], optional: ($row[3] == "1")}
		end);

def members($page; $object):
	reduce ($page[$object].of // [])[] as $other ({};
		. + members($page; $other)) + ($page[$object].keys // {});

def plain: {
	string: (type == "string"),
	id: (type == "string" and test("^([0-9a-f]{40}|[0-9a-f]{64})$")),
	time: (type == "string" and test(
		"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*[1-9])?Z$")),
	integer: (type == "number" and . == floor),
	number: (type == "number"),
	boolean: (type == "boolean"),
	map: (type == "object" and all(.[]; type == "string")),
	any: (type == "object")
};

def faults($page; $is; $at):
	if $is | startswith("list of ") then
		if type != "array" then "\($at) is no list"
		else .[] | select(. != null or $is != "list of number") |
			faults($page; $is[8:]; $at + "[]") end
	elif $is | contains(" or ") then
		if [plain[$is | split(" or ")[]]] | any | not then
			"\($at) is no \($is)" else empty end
	elif plain | has($is) then
		if plain[$is] | not then "\($at) is no \($is)"
		else empty end
	elif $page | has($is) | not then
		"\($at): the page has no object '\($is)'"
	elif type != "object" then "\($at) is no object"
	else
		members($page; $is) as $members |
		(($members | keys[]) as $key | select(has($key) | not) |
			select($members[$key].optional | not) |
			"\($at).\($key) is missing"),
		(to_entries[] | .key as $key | .value |
			if $members | has($key) then
				"seen \($members[$key].owner).\($key)",
				faults($page; $members[$key].type;
					"\($at).\($key)")
			else "\($at).\($key) is not on the page" end)
	end;

($rows | of_rows) as $page | faults($page; $object; $object)
