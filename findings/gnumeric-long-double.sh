#!/bin/sh
# Gnumeric 1.12.55 as Debian 12 builds it (gnumeric 1.12.55-1), beside Node.js for the double of all others.
#
# Most expect: spreadsheet programs compute with doubles, so a sum or a difference of two columns of money has the same digits in
# each of them, and what is below 15 digits is gone as soon as the file is opened.
# What happens: this build computes with 80-bit numbers and writes 19 digits. Two amounts that every other program calls equal
# differ here by 5.5E-17, a column that is reconciled to zero elsewhere is not, and the difference itself is not 5.5E-17 either.
# Compare amounts as texts, or round both sides, before a spreadsheet decides whether books agree.
set -eu
[ "$(id -u)" = 0 ] || { echo 'needs root, to install a Debian package'; exit 1; }
apt-get install -y -qq --no-install-recommends gnumeric=1.12.55-1 >/dev/null 2>&1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
printf '1.000000000000000055,1,=A1-B1,=A1=B1\n' >amounts.csv
ssconvert amounts.csv result.csv 2>/dev/null
gnumeric=$(cat result.csv)
double=$(node -p '[1.000000000000000055, 1, 1.000000000000000055 - 1, 1.000000000000000055 === 1].join()')
ssconvert --version | head -1
printf 'Gnumeric: %s\ndoubles:  %s\n' "$gnumeric" "$double"
case "$gnumeric $double" in
'1.000000000000000055,1,5.4969050145015074804E-17,FALSE 1,1,0,true') echo 'as described' ;;
*) echo CHANGED && exit 1 ;;
esac
