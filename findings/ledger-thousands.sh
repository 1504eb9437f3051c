#!/bin/sh
# Ledger 3.3.0 and hledger 1.25: one journal, two books that differ by a factor of a thousand.
#
# Most expect: two programs that read the same file format read the same amounts, and a file that would mean different
# things is refused.
# What happens: `1,000 USDT` is a thousand for Ledger and one for hledger, which takes a single comma for the decimal mark
# of that line. Both find the books balanced. hledger then prints its sum with a comma for that mark, so that one and a
# half looks like fifteen hundred. Write amounts without separators of thousands, or with a declared format.
set -eu
[ "$(id -u)" = 0 ] || { echo 'needs root, to install two Debian packages'; exit 1; }
apt-get install -y -qq --no-install-recommends ledger=3.3.0-3 hledger=1.25-2+b5 >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat >deposits.journal <<'EOF'
2026/01/02 deposit
    wallet   1,000 USDT
    users   -1,000 USDT

2026/01/03 deposit
    wallet   0.50 USDT
    users   -0.50 USDT
EOF
{ printf 'D 1,000.00 USDT\n\n'; cat deposits.journal; } >declared.journal
seen=
for program in ledger hledger; do
  $program --version | head -1
  plain=$($program -f deposits.journal balance wallet | head -1 | tr -s ' ')
  declared=$($program -f declared.journal balance wallet | head -1 | tr -s ' ')
  echo "  deposits of 1,000 and 0.50:$plain; with the format declared by a D line:$declared"
  seen="$seen|$plain|$declared"
done
expected='| 1,000.50 USDT wallet| 1,000.50 USDT wallet| 1,500 USDT wallet| 1,000.50 USDT wallet'
[ "$seen" = "$expected" ] && echo 'as described' || { echo "CHANGED: $seen"; exit 1; }
