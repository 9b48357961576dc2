# What a document has, by the page that json.sh has made of the manual page's
# rows: "seen OBJECT.KEY" of each member, one line "printed" of what it is, and
# a line of another kind for each fault. $object is what the page calls it.

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

$pages[0] as $page |
	"printed \([.command, .view // "", $object] | join("\t"))",
	faults($page; $object; $object)
