#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that finding.sh tells the median and how many searches found something,
# that searches which are kept aren't made again, and which are none of those: of
# another program, or given up sooner than is asked for.
set -euo pipefail

readonly finding="tools/fuzz/finding.sh"
readonly folder="${TEST_TMPDIR:-$(mktemp -d)}"
readonly program="${folder}/program" raw_program="${folder}/raw_program"
readonly calls="${folder}/calls"
export HOME="${folder}"

fail() {
  echo "$*" >&2
  exit 1
}

# Finds what is hidden after 1,000 ticks a seed, and nothing behind ticks_max.
cat >"${program}" <<'END'
#!/usr/bin/env bash
if [[ "$1" == games ]]; then printf 'lock\nmaze\n' && exit; fi
echo "$*" >>"${0%/*}/calls"
ticks=$((1000 * $3))
((ticks <= $4)) && echo "found after ${ticks} ticks" || echo "not found after $4 ticks"
END
cat >"${raw_program}" <<'END'
#!/usr/bin/env bash
echo "raw ${REPRISE_GAME} $1" >>"${0%/*}/calls"
echo "not found after ${REPRISE_TICKS_MAX} ticks"
END
chmod +x "${program}" "${raw_program}"

table() {
  "${finding}" --results "${folder}/results" --program "${program}" \
    --raw-program "${raw_program}" "$@"
}
expect() {
  [[ "$1" == *"$2"* ]] || fail "no '$2' in: $1"
}
expect_calls() {
  local actual
  actual="$(wc -l <"${calls}")"
  ((actual == $1)) || fail "$1 searches expected, ${actual} made: $(<"${calls}")"
}

# Of four, the larger one in the middle.
told="$(table --seeds 4 --ticks-max 3500)"
expect "${told}" "| lock | 3,000 | 3 of 4 | 3,000 | 3 of 4 | more than 3,500 | 0 of 4 |"
expect "${told}" "| maze | 3,000 |"
expect_calls 24

# Nothing is made again, of fewer seeds neither.
expect "$(table --seeds 3 --ticks-max 3500)" "| lock | 2,000 | 3 of 3 |"
expect_calls 24
# What was found later than the new bound counts as given up.
expect "$(table --seeds 3 --ticks-max 1500 --ways campaign lock)" \
  "| lock | more than 1,500 | 1 of 3 |"
expect_calls 24
# A search that was given up sooner is made again; those that found something
# aren't.
expect "$(table --seeds 4 --ticks-max 5000 --ways campaign lock)" "| lock | 3,000 | 4 of 4 |"
expect_calls 25
expect "$(tail -n 1 "${calls}")" "campaign lock 4 5000"
# Another program's are none.
echo "# another one" >>"${program}"
table --seeds 1 --ways random maze >/dev/null
expect_calls 26

# A search that says nothing is an error, and isn't kept.
printf '#!/usr/bin/env bash\necho "no pack" >&2\nexit 1\n' >"${program}"
if told="$(table --seeds 1 --ways campaign lock 2>&1)"; then fail "no error"; fi
expect "${told}" "finding: campaign, lock, seed 1: no pack"
if told="$(table --ways campaing 2>&1)"; then fail "no error"; fi
expect "${told}" "there is no 'campaing'"
echo passed
