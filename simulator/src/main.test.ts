import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, fakeGateway, KEY, SECRET } from '../test/fake-gateway.ts';

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const program = fileURLToPath(new URL('./main.ts', import.meta.url));
let directory: string;
let gateway: FakeGateway;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'simulator-'));
  gateway = fakeGateway();
  url = await gateway.listen();
});
afterEach(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, ['--import', loader, program], {
    env: { ...process.env, PLATFORM_URL: url, PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET, DATA_DIR: directory, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function busy(): Promise<void> {
  for (let tries = 0; tries < 2_000 && !gateway.applied.some((event) => event.type === 'tick'); tries += 1) {
    await sleep(10);
  }
}

test.each([
  ['told to', (child: ChildProcess) => child.kill('SIGTERM')],
  ['its supervisor is gone', (child: ChildProcess) => child.disconnect()],
])('it ends cleanly when %s', async (_, end) => {
  const child = start();
  await busy();
  end(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(join(directory, 'simulator-state.json'))).toBe(true);
  expect(gateway.problems).toEqual([]);
});

test('a share that is none is refused at the start', async () => {
  const child = start({ SIMULATOR_FAIL: 'often' });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(1);
});
