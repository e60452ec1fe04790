# SPDX-License-Identifier: GPL-2.0
#
# bench.txt: costs as the text of Go's benchmarks, which benchstat reads:
#
#     benchstat -col /place bench.txt            inside against outside
#     benchstat -col kernel old.txt new.txt      one kernel against another
#
# benchstat keeps apart what was measured in different surroundings; so only
# what makes costs incomparable is a key, the rest is a comment. The number
# after the name says how many pairs of batches are behind the two values.

function head(	i, key)
{
	headed = 1
	print "# selftests " fact["suite"] ", " fact["date"] ", config " \
		fact["config"]
	for (i = 1; i <= facts; i++) {
		key = fact_order[i]
		if (key ~ /^(kernel|machine|cpus|virtualisation|clocksource|governor|slow)$/ &&
		    fact[key] != "")
			print key ": " fact[key]
	}
}

function is_value(text) { return text ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ }

function each_record(	start)
{
	if (!headed)
		head()
	if (!is_cost || !is_value(rec["outside"]) || !is_value(rec["inside"]))
		return
	start = "Benchmark" rec["path"] "/place="
	if (rec["verdict"] !~ /^(within|over)$/)
		print "# not judged (" rec["verdict"] "):"
	print start "outside", rec["n"] + 0, rec["outside"], rec["unit"]
	print start "inside", rec["n"] + 0, rec["inside"], rec["unit"], \
		ratio(), "inside/outside"
}

function the_end()
{
	if (!headed)
		head()
}
