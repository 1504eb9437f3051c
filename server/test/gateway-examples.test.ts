// @module-tag full
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandData } from '@hengtai/contract/gateway/commands.schema';
import { Value } from '@sinclair/typebox/value';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Language } from './client-process.ts';
import { findWithdraw } from './factories.ts';
import { type TestServer, call, login, platformCall, testServer } from './server.ts';

/** Every example of docs/gateway.md, docs/conformance.md and the READMEs of the clients runs. */

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The fenced blocks of a page by the words behind their fences. */
function findBlocks(path: string): Map<string, string> {
  const blocks = [...readText(path).matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)];
  return new Map(blocks.map(([, label = '', text = '']) => [label, text]));
}

let server: TestServer;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  server = await testServer();
  const { key, secret } = server.app.platform;
  const url = await server.server.listen({ host: '127.0.0.1', port: 0 });
  env = { PATH: process.env['PATH'], PLATFORM_URL: url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
});
afterAll(() => server.stop());

describe('the blocks of docs/gateway.md', () => {
  const blocks = findBlocks('docs/gateway.md');
  const block = (label: string): string => blocks.get(label) ?? '';

  test('are all run, here or in gateway-doc.test.ts', () => {
    const shell = ['sh signature', 'sh setup', 'sh request', 'sh pay'];
    const texts = ['text form', 'text nonce', 'text signed'];
    const bodies = [
      'request POST events',
      'response POST events',
      'response GET commands',
      'request POST commands/ack',
    ];
    expect(new Set(blocks.keys())).toEqual(new Set([...shell, ...texts, ...bodies.map((body) => `json ${body}`)]));
  });

  test('the signed text has the documented form and signature', () => {
    const signature = /^# ([0-9a-f]{64})$/m.exec(block('sh signature'))?.[1];
    // The last line feed belongs to the fence.
    const text = block('text signed').slice(0, -1);
    expect(createHmac('sha256', 'example-secret').update(text).digest('hex')).toBe(signature);
    const [time = '', method = '', path = ''] = text.split('\n');
    const form = block('text form')
      .trim()
      .replaceAll(String.raw`\n`, '\n');
    const filled = form.replace('<x-time>', time).replace('<METHOD>', method).replace('<path and query>', path);
    expect(filled.replace('<raw body>', '')).toBe(text);
    expect(block('text nonce').replace(' <x-nonce>', '')).toBe(block('text form'));
  });

  test('the events get the documented answer', async () => {
    const events: unknown = JSON.parse(block('json request POST events'));
    const answer = await platformCall(server, 'POST', 'events', events);
    expect(answer.data).toEqual(JSON.parse(block('json response POST events')));
  });

  test('the ack is accepted, and the command has the fields of a payout that needs no signatures', async () => {
    const acks = JSON.parse(block('json request POST commands/ack')) as { id: number }[];
    const [command] = JSON.parse(block('json response GET commands')) as { id: number; data: object }[];
    expect(acks[0]?.id).toBe(command?.id);
    expect(await platformCall(server, 'POST', 'commands/ack', acks)).toMatchObject({ code: 200 });
    expect(Value.Check(commandData['withdraw.payout'], command?.data)).toBe(true);
    const documented = Object.keys(command?.data ?? {}).toSorted();
    expect(documented).toEqual(commandData['withdraw.payout'].required?.toSorted());
  });
});

describe('the block of docs/conformance.md', () => {
  test('has options that the program knows', async () => {
    const line = findBlocks('docs/conformance.md').get('sh conformance') ?? '';
    const options = [...line.matchAll(/ (--[a-z]+)/g)].map(([, option]) => option);
    expect(options).toEqual(['--platform', '--port', '--key', '--secret']);
    const { stdout } = await execute('npx', ['tsx', 'conformance/src/main.ts', '--help'], { cwd: root });
    for (const option of options) expect(stdout).toContain(option);
  });
});

/** Installs a client from its archive into an empty folder, and writes the example of its README. @returns the program */
async function prepareExample(language: Language, archives: readonly string[], directory: string): Promise<string[]> {
  const archive = archives.find((path) => path.endsWith(language === 'python' ? '.whl' : '.tgz')) ?? '';
  if (language === 'python') {
    await execute('python3', ['-m', 'pip', 'install', '--no-index', '--no-compile', '--target', directory, archive]);
    const file = join(directory, 'example.py');
    await writeFile(file, findBlocks('clients/python/README.md').get('python example') ?? '');
    return ['python3', file];
  }
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
  await execute('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: directory });
  const require = createRequire(import.meta.url);
  await symlink(dirname(dirname(require.resolve('@types/node/package.json'))), join(directory, 'node_modules/@types'));
  await writeFile(join(directory, 'example.ts'), findBlocks('clients/typescript/README.md').get('ts example') ?? '');
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', 'example.ts'];
  await execute(process.execPath, [tsc, ...options], { cwd: directory });
  return [process.execPath, join(directory, 'example.js')];
}

let packed: string;
let archives: string[];
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'hengtai-clients-'));
  const { stdout } = await execute(process.execPath, ['scripts/release.mjs', '--clients', packed], { cwd: root });
  archives = stdout.trim().split('\n');
});
afterAll(() => rm(packed, { recursive: true, force: true }));

/** What must be there to install and run the Python client; developers have it, users of the other client need not. */
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

describe.each([
  ['typescript', 'ts', true],
  ['python', 'py', hasPip],
] as const)('the example of the %s client', (language, tag, hasRuntime) => {
  let directory: string;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hengtai-example-'));
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  test.runIf(hasRuntime)('installed alone, reports events, pays what an operator passes, and ends', async () => {
    const [program = '', ...args] = await prepareExample(language, archives, directory);
    child = spawn(program, args, { env, cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += String(chunk)));
    await vi.waitFor(() => expect(output).toContain('applied applied applied'), { timeout: 60_000 });

    const admin = await login(server);
    const { id } = await findWithdraw(server, admin, `W-${tag}`);
    await call(server, 'POST', 'withdraw/pass', { id }, { token: admin });
    await vi.waitFor(
      async () => expect(await findWithdraw(server, admin, `W-${tag}`)).toMatchObject({ state: 4, txHash: '0x123' }),
      { timeout: 60_000 },
    );
    expect(output).toContain(`paying 19 for W-${tag}`);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
