// npm run drill -- upgrade: the last release serves under load, while this checkout migrates and starts beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import type { Envelope } from '@hengtai/contract/wire/envelope';
import { Client } from 'pg';
import { findFreePort } from '../bench/lib/child.ts';
import { startEmbedded } from '../server/src/embedded/embedded.ts';
import { UpgradeLoad } from '../server/test/upgrade-load.ts';
import { compareBooks } from './lib/books.ts';
import { type Program, startProgram } from './program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The revision of the last release, which is built and started as it was. */
const LAST = { release: '0.1.0', revision: '0e132cf8' };
const ADMIN = { account: 'admin', password: 'drill-password-1' };
const PLATFORM = { key: 'drill', secret: 'drill-secret' };
/** Milliseconds of load before the upgrade, and in each of its phases. */
const PHASE_MS = 20_000;
const BUILT_AT = process.env['DRILL_LAST_RELEASE'];

interface Installation {
  url: string;
  program: Program;
}

/** Builds the last release in a folder, with the dependencies of its own lock file. */
function buildLast(folder: string): void {
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', LAST.revision], { cwd: root, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const args of [
    ['ci', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ])
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit' });
}

/** Starts an installation of a checkout as an operator would, and waits until it serves. */
async function startInstallation(folder: string, dataDir: string, databaseUrl: string): Promise<Installation> {
  const port = await findFreePort();
  const hasCommandLine = existsSync(join(folder, 'scripts/hengtai.mjs'));
  const program = startProgram(folder, hasCommandLine ? ['scripts/hengtai.mjs', 'start'] : ['scripts/start.mjs'], {
    ...environmentOf(dataDir, databaseUrl),
    PORT: String(port),
  });
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(`${url}/healthz`).catch(() => undefined))?.status !== 200) {
    if (program.hasEnded()) throw new Error(`The installation in ${folder} ended:\n${program.output()}`);
    await sleep(200);
  }
  return { url, program };
}

const environmentOf = (dataDir: string, databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  AUDIT_DIR: join(dataDir, 'audit'),
  SIMULATOR: 'off',
  ADMIN_PASSWORD: ADMIN.password,
  PLATFORM_KEY: PLATFORM.key,
  PLATFORM_SECRET: PLATFORM.secret,
});

/** Another machine has the same keys; only its login to the database is its own. */
function copyKeys(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from).filter((file) => file.endsWith('-key.json')))
    cpSync(join(from, name), join(to, name));
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}${API_BASE}login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { token, msg } = (await response.json()) as Envelope;
  if (token === undefined) throw new Error(`The login failed: ${msg}`);
  return token;
}

async function query(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until the jobs have no work left, and compares what was acknowledged with what is recorded. */
async function findLosses(databaseUrl: string, load: UpgradeLoad): Promise<string[]> {
  const waiting = `select 1 from audit_pending union all select 1 from notice where seq is null`;
  for (let tries = 0; (await query(databaseUrl, waiting)).length > 0; tries += 1) {
    if (tries === 100) return ['The jobs do not finish their work.'];
    await sleep(200);
  }
  const { requested, credited, passed } = load;
  console.log(
    `acknowledged: ${requested.length} withdrawals, ${credited.length} recharges, ${passed.length} decisions`,
  );
  const [found] = await query(
    databaseUrl,
    `select (select count(*)::int from withdraw where no = any($1)) as requested,
       (select count(*)::int from command c join withdraw w on w.id = c.ref_id
         where c.type = 'withdraw.payout' and w.no = any($2)) as payouts`,
    [requested, passed],
  );
  const expected = { requested: requested.length, payouts: passed.length };
  const books = { recharges: new Set(credited), passed: new Set(passed) };
  return [
    ...(JSON.stringify(found) === JSON.stringify(expected) ? [] : [`recorded: ${JSON.stringify(found)}`]),
    ...(await compareBooks(databaseUrl, books)),
  ];
}

/** Runs a command of this checkout to its end. */
async function runCommand(args: readonly string[], dataDir: string, databaseUrl: string): Promise<boolean> {
  const startedAt = Date.now();
  const program = startProgram(root, ['scripts/hengtai.mjs', ...args], environmentOf(dataDir, databaseUrl));
  const code = await program.exited;
  console.log(`hengtai ${args.join(' ')}: exit code ${code} after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  console.log(program.output().replaceAll(/^/gm, '  ').trimEnd());
  return code === 0;
}

async function main(directory: string): Promise<number> {
  const last = BUILT_AT ?? join(directory, 'last');
  if (BUILT_AT === undefined) buildLast(last);
  execFileSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' });
  const log = (message: string): void => console.log(message);
  const postgres = await startEmbedded({ dataDir: join(directory, 'postgres'), log });
  const [oldData, newData] = [join(directory, 'old'), join(directory, 'new')];
  mkdirSync(oldData, { mode: 0o700 });
  const started: Program[] = [];
  try {
    const before = await startInstallation(last, oldData, postgres.url);
    started.push(before.program);
    await query(postgres.url, `update config set state = 0 where key = 'policy.withdraw.pass'`);
    const load = new UpgradeLoad({ targets: [before.url], platform: PLATFORM, token: await logIn(before.url) });
    await load.start();
    const measure = async (phase: string): Promise<void> => {
      const [requests, failures] = [load.requests, load.failures.length];
      await sleep(PHASE_MS);
      console.log(`${phase}: ${load.requests - requests} requests, ${load.failures.length - failures} failures`);
    };
    await measure(`${LAST.release} alone`);
    copyKeys(oldData, newData);
    const failures = load.failures.length;
    const isMigrated = await runCommand(['migrate'], newData, postgres.url);
    console.log(`during the migration: ${load.failures.length - failures} failures`);
    await measure(`${LAST.release} on the new schema`);
    const after = await startInstallation(root, newData, postgres.url);
    started.push(after.program);
    await load.retarget([before.url, after.url]);
    await measure('both releases');
    await runCommand(['migrate', '--plan'], newData, postgres.url);
    await load.retarget([after.url]);
    console.log(`${LAST.release} ends with ${await before.program.stop()}`);
    await measure('the new release alone');
    await load.stop();
    const losses = await findLosses(postgres.url, load);
    const isVerified = await runCommand(['verify'], newData, postgres.url);
    const errors = [before, after].flatMap(({ program }) => program.output().match(/.*"level":50.*/g) ?? []);
    for (const line of [...load.failures, ...losses, ...errors].slice(0, 40)) console.log(`  ${line.slice(0, 500)}`);
    console.log(
      `${load.failures.length} failed requests, ${losses.length} losses, ${errors.length} errors in the logs`,
    );
    return isMigrated && isVerified && load.failures.length + losses.length + errors.length === 0 ? 0 : 1;
  } finally {
    for (const program of started) await program.stop();
    await postgres.stop();
  }
}

const directory = mkdtempSync(join(tmpdir(), 'hengtai-upgrade-'));
const code = await main(directory).finally(() => rmSync(directory, { recursive: true, force: true }));
process.exit(code);
