// @module-tag full
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SimulatorMessage } from '@hengtai/contract/simulator';
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

function start(env: NodeJS.ProcessEnv = {}, stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  return spawn(process.execPath, ['--import', loader, program], {
    env: {
      ...process.env,
      PLATFORM_URL: url,
      PLATFORM_KEY: KEY,
      PLATFORM_SECRET: SECRET,
      DATA_DIR: directory,
      SIMULATOR_USERS: '60',
      SIMULATOR_DAYS: '3',
      ...env,
    },
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
}

/** Looks often, so that little happens between what is waited for and what is done then. */
async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; !what(); tries += 1) {
    if (tries === 30_000) throw new Error('it did not come about');
    await sleep(2);
  }
}
const busy = (): Promise<void> => until(() => gateway.applied.some((event) => event.type === 'tick'));

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

test('killed in the middle of its past it goes on, and nothing comes twice or is left out', async () => {
  const child = start();
  await until(() => gateway.applied.length >= 2_500);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(gateway.live).toBe(false);
  const again = start();
  await until(() => gateway.live);
  again.kill('SIGTERM');
  await once(again, 'exit');
  expect(gateway.live).toBe(true);
  const ids = gateway.applied.map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
  // Numbers follow each other in every kind that is counted.
  for (const kind of ['tick:BTC', 'tick:HTT', 'user.login']) {
    const numbers = ids.filter((id) => id.includes(`:${kind}:`)).map((id) => Number(id.split(':').at(-1)));
    expect(numbers).toEqual(numbers.map((_, index) => index));
  }
  expect(gateway.problems).toEqual([]);
});

test('a variable that is not accepted is named, and ends the start', async () => {
  const child = start({ SIMULATOR_DAYS: '2', SIMULATOR_FAIL: 'often' }, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(1);
  expect(output).toContain('SIMULATOR_DAYS=2 is not accepted: a whole number from 3 to 365.');
  expect(output).toContain('SIMULATOR_FAIL=often is not accepted: a number from 0 to 1.');
});

test('the supervisor hears how much of the history is imported', async () => {
  const child = start();
  const shares: number[] = [];
  child.on('message', (message) => shares.push((message as SimulatorMessage).progress));
  await until(() => gateway.live);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});
