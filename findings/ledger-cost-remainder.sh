#!/bin/sh
# Ledger 3.3.0 and hledger 1.25: a trade may lose digits of its cost and still counts as balanced.
#
# Most expect: a double-entry program refuses each transaction whose postings do not add up to zero. Both do, as long as
# the postings are in one currency: 10.004 against -10.00 USDT does not balance.
# What happens: the same 10.004 as the cost of a trade (`1 BTC @@ 10.004 USDT`) balances against -10.00 USDT, because
# the remainder is rounded to the two digits that USDT has elsewhere. After six such trades the books at cost are 0.02
# USDT off, and neither program has said a word. To check books with them, add up the remainders yourself.
set -eu
[ "$(id -u)" = 0 ] || { echo 'needs root, to install two Debian packages'; exit 1; }
apt-get install -y -qq --no-install-recommends ledger=3.3.0-3 hledger=1.25-2+b5 >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >plain.journal <<'EOF'
2026/01/02 fee
    wallet   10.004 USDT
    user    -10.00 USDT
EOF
for day in 1 2 3 4 5 6; do
  printf '2026/01/0%s trade\n    wallet   1 BTC @@ 10.004 USDT\n    user    -10.00 USDT\n\n' "$day"
done >trades.journal
seen=
for program in ledger hledger; do
  $program --version | head -1
  if $program -f plain.journal balance >/dev/null 2>&1; then plain=accepted; else plain=refused; fi
  total=$($program -f trades.journal balance -B | tail -1 | tr -d ' ')
  echo "  10.004 against -10.00 in one currency: $plain; six trades at a cost of 10.004 against -10.00: total $total"
  seen="$seen $plain $total"
done
[ "$seen" = ' refused 0.02USDT refused 0.02USDT' ] && echo 'as described' || { echo CHANGED; exit 1; }
