import { mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareBooks } from '../lib/books.ts';
import { Acknowledged, Load, userAt } from '../lib/load.ts';
import { type Server, startServer, verify } from '../lib/server.ts';
import { Host, PASSWORD } from './host.ts';

const FIRST_PORT = Number(process.env['DRILL_PORT'] ?? 28_300);
const [POSTGRES_PORT, SERVER_PORT] = [FIRST_PORT + 60, FIRST_PORT + 61];
const RECHARGES = 40;

const problems: string[] = [];
function expect(isTrue: boolean, what: string): void {
  console.log(`${isTrue ? 'passed' : 'FAILED'}  ${what}`);
  if (!isTrue) problems.push(what);
}

function expectBooks(differences: readonly string[], what: string): void {
  for (const difference of differences.slice(0, 20)) console.error(`        ${difference}`);
  expect(differences.length === 0, what);
}

function backUp(host: Host): { name: string; bytes: number } {
  const startedAt = Date.now();
  const said = host.script('base-backup.sh');
  const name = /(20[^/]*)\.tar\.gz\.age/.exec(said)?.[1] ?? '';
  const { size: bytes } = statSync(host.path(`base/${name}.tar.gz.age`));
  console.log(
    `        ${name}: ${(bytes / 2 ** 20).toFixed(1)} MiB in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`,
  );
  return { name, bytes };
}

/** Restores a backup up to a moment into a new data directory. @returns seconds until it accepts writes */
async function restore(host: Host, backup: string, moment: string, data: string): Promise<number> {
  const startedAt = Date.now();
  console.log(`        ${host.script('restore-base.sh', backup, host.inside(data), moment)}`);
  await host.start(data);
  return (Date.now() - startedAt) / 1_000;
}

/** Changes one byte of a file, and puts it back after the attempt. @returns whether the attempt failed */
function refusesDamage(host: Host, name: string, attempt: () => void): boolean {
  const file = host.path(name);
  const intact = readFileSync(file);
  const damaged = Buffer.from(intact);
  const middle = Math.floor(damaged.length / 2);
  damaged.writeUInt8(damaged.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, damaged);
  try {
    attempt();
    return false;
  } catch {
    return true;
  } finally {
    writeFileSync(file, intact);
  }
}

/** PostgreSQL takes a file that cannot be restored for the end of the archive, unless the code is above 125. */
function stopsAtDamage(host: Host): boolean {
  const file = host.files('wal').findLast((name) => name.endsWith('.age')) ?? '';
  const attempt = (): string =>
    host.run('bash', [
      '-c',
      `${host.inside('deploy/postgres/restore-wal.sh')} ${file.slice(0, -4)} ${host.inside('damaged-wal')}; [ $? -le 125 ]`,
    ]);
  return refusesDamage(host, `wal/${file}`, attempt);
}

/** After a restore the copies of the audit heads are newer than the chain in the database. */
function setHeadsAside(dataDir: string): void {
  for (const [folder, name] of [
    ['audit', 'audit-heads.jsonl'],
    ['', 'audit-last-head.json'],
  ] as const)
    renameSync(join(dataDir, folder, name), join(dataDir, folder, `${name}.before-restore`));
}

/** A further full backup, with one to keep, removes the older ones and the archive that only they needed. */
function checkRetention(host: Host): void {
  process.env['BASE_KEEP'] = '1';
  for (const name of host.files('base').filter((one) => one.endsWith('-full.manifest'))) host.age(`base/${name}`);
  const newest = backUp(host).name;
  expect(
    host.files('base').every((name) => name.startsWith(newest)),
    'only the newest full backup is kept',
  );
  const segment = readFileSync(host.path(`base/${newest}.segment`), 'utf8').trim();
  const kept = host.files('wal').filter((name) => /^[0-9A-F]{24}\.age$/.test(name));
  expect(
    kept.every((name) => name.slice(8) >= segment.slice(8)),
    'the archive starts at the oldest backup',
  );
}

async function main(host: Host, directory: string, stops: (() => Promise<unknown>)[]): Promise<void> {
  console.log(`PostgreSQL ${host.version}`);
  stops.push(() => host.end());
  await host.create();
  host.createDatabase();
  const database = { DATABASE_URL: `postgres://hengtai:${PASSWORD}@127.0.0.1:${POSTGRES_PORT}/hengtai` };
  const dataDir = join(directory, 'server');
  const start = async (): Promise<Server> => {
    const server = await startServer(dataDir, SERVER_PORT, database);
    stops.push(() => server.running.end('SIGTERM'));
    return server;
  };
  const server = await start();
  const acknowledged = new Acknowledged();
  const load = new Load('recovery', SERVER_PORT, acknowledged);
  // One operator passes withdrawals alone.
  host.query(`update config set state = 0 where key like 'policy.%'`, 'hengtai');
  load.token = await load.logIn();
  await load.prepare();

  const full = backUp(host);
  const backups = [full];
  let marked = 0;
  const addRecharges = async (label: string): Promise<void> => {
    const numbers = Array.from({ length: RECHARGES }, () => `${label}-${(marked += 1)}`);
    for (const no of numbers) await load.recharge(no);
    // An action of an operator adds to the audit chain.
    await load.withdraw(`${label}-withdraw`, userAt(1), 10);
  };
  await addRecharges('first');
  await sleep(1_100);
  if (host.version >= 17) {
    backups.push(backUp(host));
    await addRecharges('second');
    await sleep(1_100);
    backups.push(backUp(host));
    const largest = Math.max(...backups.slice(1).map(({ bytes }) => bytes));
    expect(largest < full.bytes, 'an incremental backup is smaller than the full one');
  }
  await addRecharges('before');
  const expected = acknowledged.copy();
  const moment = host.query('select clock_timestamp()');
  await sleep(1_000);
  await addRecharges('after');
  await host.archive();
  await server.running.end('SIGTERM');
  await host.kill();

  const last = backups.at(-1)?.name ?? '';
  const tryDamaged = (): string => host.script('restore-base.sh', last, host.inside('damaged'));
  expect(refusesDamage(host, `base/${last}.tar.gz.age`, tryDamaged), 'a damaged backup is refused');
  expect(stopsAtDamage(host), 'a damaged file of the archive stops the recovery');
  const seconds = await restore(host, last, moment, 'restored');
  console.log(`        restored to ${moment} in ${seconds.toFixed(1)} s`);
  const settings = readFileSync(host.path('restored/postgresql.auto.conf'), 'utf8');
  expect(!/^(restore|recovery)_/m.test(settings), 'the settings of the recovery have ended with it');
  expectBooks(await compareBooks(database.DATABASE_URL, expected), 'the books are those of the moment');
  setHeadsAside(dataDir);
  const restored = await start();
  await new Load('again', SERVER_PORT, expected).recharge('again-1');
  expectBooks(await compareBooks(database.DATABASE_URL, expected), 'HengTai serves the restored database');
  expect(verify(restored), 'hengtai verify finds nothing');
  host.query(`delete from recharge where no = 'again-1'`, 'hengtai');
  const lost = await compareBooks(database.DATABASE_URL, expected);
  expect(lost.length === 1, 'the check of the books finds a recharge that was deleted by hand');

  checkRetention(host);
}

const directory = mkdtempSync(join(tmpdir(), 'hengtai-recovery-'));
const stops: (() => Promise<unknown>)[] = [];
async function stop(): Promise<void> {
  for (let one = stops.pop(); one; one = stops.pop()) await one();
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)));
try {
  await main(new Host(process.argv[2] ?? '', POSTGRES_PORT), directory, stops);
} finally {
  await stop();
}
process.exit(problems.length === 0 ? 0 : 1);
