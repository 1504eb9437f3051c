#!/bin/sh
# Ledger 3.3.0, hledger 1.25 and Beancount 2.3.5: when a stated balance is true.
#
# Most expect: a line that states what a wallet held on a day is true or false in all three programs, wherever in the file
# it stands, and holds for the end of that day.
# What happens: Ledger adds up what stands above the line, whatever its date, so a deposit that is written down late makes
# a true reading false. hledger sorts by date first, and by place within a day. Beancount takes the morning of that day, so
# a payout of the same day is not in it even if it stands above. So each accepts another pair of files.
set -eu
[ "$(id -u)" = 0 ] || { echo 'needs root, to install three Debian packages'; exit 1; }
apt-get install -y -qq --no-install-recommends ledger=3.3.0-3 hledger=1.25-2+b5 beancount=2.3.5-2 >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
deposit='2026-01-02 * "deposit"
  Assets:Wallet  30 USDT
  Liabilities:Users'
payout='2026-01-03 * "payout"
  Assets:Wallet  -5 USDT
  Liabilities:Users'
journal='2026-01-03 * "reading"
  Assets:Wallet  0 USDT = 30 USDT
  Liabilities:Users'
printf '%s\n\n%s\n' "$journal" "$deposit" >late.journal
printf '%s\n\n%s\n\n%s\n' "$deposit" "$payout" "$journal" >same-day.journal
opened='2026-01-01 open Assets:Wallet
2026-01-01 open Liabilities:Users'
reading='2026-01-03 balance Assets:Wallet 30 USDT'
printf '%s\n%s\n%s\n' "$opened" "$reading" "$deposit" >late.beancount
printf '%s\n%s\n%s\n%s\n' "$opened" "$deposit" "$payout" "$reading" >same-day.beancount
judge() { "$@" >/dev/null 2>&1 && printf true || printf false; }
echo "$(ledger --version | head -1); $(hledger --version); $(bean-check --version 2>&1 | head -1)"
seen=
for file in late same-day; do
  line="Ledger $(judge ledger -f $file.journal balance), hledger $(judge hledger -f $file.journal check), Beancount $(judge bean-check $file.beancount)"
  echo "30 USDT on the day, $file: $line"
  seen="$seen|$line"
done
expected='|Ledger false, hledger true, Beancount true|Ledger false, hledger false, Beancount true'
[ "$seen" = "$expected" ] && echo 'as described' || { echo "CHANGED: $seen"; exit 1; }
