import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ERASE, hasTerminal } from '../../test/terminal.ts';
import { readEnv } from '../programs/env.ts';
import { findFreePort } from '../../../testing/free-port.ts';

// The scripts run before anything is installed, so the tests run them in a copy with only the scripts and package
// files.

interface BuildState {
  isBuilt: (root: string) => boolean;
  sourceHash: (root: string) => string;
  writeStamp: (root: string, hash: string) => void;
  findServices: (root: string) => number[];
}

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const state = (await import(pathToFileURL(join(checkout, 'scripts/build-state.mjs')).href)) as BuildState;
let root: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'start-script-')));
  cpSync(join(checkout, 'scripts'), join(root, 'scripts'), { recursive: true });
  cpSync(join(checkout, 'package.json'), join(root, 'package.json'));
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/wanted': { version: '1' } } }),
  );
  writeFileSync(join(root, 'npm.js'), 'console.log("npm was called"); process.exit(1);');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  rmSync(root, { recursive: true, force: true });
});

function runScript(command: string, env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; output: string }> {
  const [name = '', ...args] = command.split(' ');
  const child = spawn(process.execPath, [join(root, 'scripts', name), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], npm_execpath: join(root, 'npm.js'), DATA_DIR: join(root, 'data'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Creates an installed and built checkout from stubs. */
function build(): void {
  mkdirSync(join(root, 'node_modules'));
  const packages = { 'node_modules/wanted': { version: '1' } };
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  for (const folder of ['server', 'simulator', 'console']) {
    mkdirSync(join(root, folder, 'dist'), { recursive: true });
    mkdirSync(join(root, folder, 'src'), { recursive: true });
  }
  writeFileSync(join(root, 'server/src/main.ts'), 'one');
  writeFileSync(join(root, 'server/dist/main.js'), 'process.stdout.write("up"); setInterval(() => {}, 1000);');
  writeFileSync(join(root, 'server/dist/hengtai.js'), 'console.log("ran", ...process.argv.slice(2));');
  state.writeStamp(root, state.sourceHash(root));
}

async function startService(entry = join(root, 'server/dist/main.js')): Promise<number> {
  const child = spawn(process.execPath, [entry], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child.pid ?? 0;
}

const makeStale = (): void => writeFileSync(join(root, 'server/src/main.ts'), 'two');

test('refuses a port that is in use before anything is installed', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { code, output } = await runScript('hengtai.mjs start', { PORT: String(port) });
  listener.close();
  expect({ code, output }).toEqual({
    code: 1,
    output: `Port ${port} is in use on 127.0.0.1: set PORT to another one. 端口已被占用。\n`,
  });
});

test('after a crash the start script does not check the ports, because the supervisor waits for them', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  mkdirSync(join(root, 'data'));
  // The recorded process id belongs to another program now: this test process.
  writeFileSync(join(root, 'data/server.pid'), `${process.pid}\n`);
  const port = typeof address === 'object' && address ? address.port : 0;
  const { output } = await runScript('hengtai.mjs start', { PORT: String(port) });
  listener.close();
  expect(output).toContain('Installing dependencies · 正在安装依赖 …');
  expect(output).toContain('npm was called');
});

test.skipIf(process.platform === 'win32')('reports a running installation before anything is installed', async () => {
  build();
  makeStale();
  const service = await startService();
  mkdirSync(join(root, 'data'));
  writeFileSync(join(root, 'data/server.pid'), `${service}\n`);
  const { code, output } = await runScript('hengtai.mjs start');
  expect(code).toBe(1);
  expect(output).toContain(`already running on ${join(root, 'data')} (process ${service})`);
});

describe('the start script rejects the same variables as the server, with the same message', () => {
  test.each([
    { PORT: '0' },
    { PORT: '80a', HOST: '127.0.0.1:80' },
    { HOST: '300.1.1.1' },
    { PROCESSES: '33' },
    { PORT: '65535', PROCESSES: '2' },
  ])('%o', async (env) => {
    let message = '';
    try {
      readEnv(env);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).not.toBe('');
    expect(await runScript('hengtai.mjs start', env)).toEqual({ code: 78, output: `${message}\n` });
  });
});

test('a build is up to date until a source changes; tests do not count as sources', () => {
  expect(state.isBuilt(root)).toBe(false);
  build();
  expect(state.isBuilt(root)).toBe(true);
  writeFileSync(join(root, 'server/src/main.test.ts'), 'a test');
  expect(state.isBuilt(root)).toBe(true);
  makeStale();
  expect(state.isBuilt(root)).toBe(false);
  state.writeStamp(root, state.sourceHash(root));
  rmSync(join(root, 'simulator/dist'), { recursive: true });
  expect(state.isBuilt(root)).toBe(false);
});

describe.skipIf(process.platform === 'win32')('while a service is running', () => {
  test('finds it by its absolute or relative path, and ignores services of other checkouts', async () => {
    build();
    expect(state.findServices(root)).toEqual([]);
    const absolute = await startService();
    expect(state.findServices(root)).toEqual([absolute]);
    expect(state.findServices(join(root, 'server'))).toEqual([]);
    const relative = await startService('server/dist/main.js');
    expect(new Set(state.findServices(root))).toEqual(new Set([absolute, relative]));
  });

  test('refuses to build or install, unless the build is up to date', async () => {
    build();
    const service = await startService();
    expect(await runScript('build.mjs')).toEqual({ code: 0, output: 'The build is up to date. 构建已是最新。\n' });
    makeStale();
    const port = String(await findFreePort());
    for (const script of ['build.mjs', 'hengtai.mjs start']) {
      const { code, output } = await runScript(script, { PORT: port });
      expect(code).toBe(1);
      const refusal = 'The build is older than its sources, but a service runs from this checkout';
      expect(output).toContain(`${refusal} (process ${service})`);
    }
    rmSync(join(root, 'node_modules'), { recursive: true });
    const { output } = await runScript('build.mjs');
    expect(output).toContain(`(process ${service})`);
    expect(output).not.toContain('npm was called');
  });

  test('other commands use the existing build', async () => {
    build();
    const service = await startService();
    makeStale();
    const { code, output } = await runScript('hengtai.mjs verify audit', { DATABASE_URL: 'postgres://a@b/c' });
    expect(code).toBe(0);
    expect(output).toContain(`is used as it is, because a service runs on it (process ${service})`);
    expect(output).toContain('ran verify audit');
  });
});

test.skipIf(!hasTerminal)('on a terminal a step is redrawn in place (needs script of util-linux)', () => {
  const program = `import('${join(checkout, 'scripts/steps.mjs')}').then(({ showSteps }) => { const steps = showSteps('Building', 'x', 2); steps.next('a'); steps.next('b'); steps.end(); });`;
  writeFileSync(join(root, 'steps.mjs'), program);
  const command = `${process.execPath} ${join(root, 'steps.mjs')}`;
  const { stdout } = spawnSync('script', ['-qefc', command, '/dev/null'], { encoding: 'utf8', input: '' });
  expect(stdout).toContain('Building · x [------------------------] 1/2 a');
  expect(stdout).toContain('[############------------] 2/2 b');
  expect(stdout.endsWith(ERASE)).toBe(true);
  const plain = spawnSync(process.execPath, [join(root, 'steps.mjs')], { encoding: 'utf8' });
  expect(plain.stdout).toBe('Building 1/2 a · x …\nBuilding 2/2 b · x …\n');
});
