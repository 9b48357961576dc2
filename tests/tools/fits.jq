# Of a profile as Perun has it, with models: the R² of those that least squares
# give in closed form, beside what follows from the points, which is made of
# correlations: [[function, model, R², R² of the points], ...].
def sum(f): map(f) | add;
def correlation(f; g):
	(sum(f) / length) as $f | (sum(g) / length) as $g |
	sum((f - $f) * (g - $g)) /
		(sum(f - $f | . * .) * sum(g - $g | . * .) | sqrt);
def size: .[0];
def square: .[0] * .[0];
def amount: .[1];
def fit(model):
	correlation(size; amount) as $a | correlation(square; amount) as $b |
	correlation(size; square) as $c |
	if model == "linear" then $a * $a
	elif model == "logarithmic" then correlation(size | log; amount) | . * .
	else ($a * $a + $b * $b - 2 * $a * $b * $c) / (1 - $c * $c) end;
def name: if type == "object" then .function else . end;

. as $p | [.resources | to_entries[] | {
	key: ($p.resource_type_map[.key].uid | name),
	value: ([.value["structure-unit-size"], .value.amount] | transpose)}] |
from_entries as $points |
[$p.models[] | select(.model | IN("linear", "quadratic", "logarithmic")) |
	.model as $model | (.uid | name) as $uid |
	[$uid, $model, .r_square, ($points[$uid] | fit($model))]]
