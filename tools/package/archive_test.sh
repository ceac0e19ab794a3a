#!/usr/bin/env bash
# Copyright 2026 The Reprise Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the library that is packaged has all of the command, and hands out
# no names but ours and those of messages: a game may have a Lua and a Bullet of
# its own, and others than ours.
set -euo pipefail

archive="$1"
symbols="${TEST_TMPDIR}/symbols"
nm --demangle --defined-only --extern-only "${archive}" 2>/dev/null |
  awk 'NF > 2 { kind = $2; $1 = $2 = ""; print kind $0 }' >"${symbols}"
failures=0

# Weak ones are inline functions, which the linker takes once from whomever.
others="$(grep -v '^[WV] ' "${symbols}" | cut -c 3- | sed 's/^ *//' |
  grep -Ev '^main$|reprise(::|_2f)|^(grpc|google)::|(grpc|google)_2f' || true)"
if [[ -n "${others}" ]]; then
  echo "names that aren't ours:"
  echo "${others}" | head -n 20
  failures=1
fi
for weak in 'lua' 'bt[A-Z]'; do
  if grep -Eq "^. ${weak}" "${symbols}"; then
    echo "names of a library inside:"
    grep -E "^. ${weak}" "${symbols}" | head -n 20
    failures=1
  fi
done
# The linker takes one of each only where it finds it in a group, and there is
# none left.
if grep -q '^u ' "${symbols}"; then
  echo "variables that a game could not have, too:"
  grep '^u ' "${symbols}" | head -n 20
  failures=1
fi
# Nobody calls them: they are there because they register themselves.
for word in ' main$' 'reprise::sim::CreateWorld\('; do
  if ! grep -Eq "${word}" "${symbols}"; then
    echo "it lacks ${word}"
    failures=1
  fi
done
exit "${failures}"
