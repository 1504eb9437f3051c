// @module-tag full
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatorMessage } from '@hengtai/contract/gateway/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeGateway, createFakeGateway, KEY, SECRET } from '../test/fake-gateway.ts';
import { nodeArguments } from '../../testing/program.ts';

let directory: string;
let gateway: FakeGateway;
let url: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'simulator-'));
  gateway = createFakeGateway();
  url = await gateway.listen();
});
afterEach(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

function start(env: NodeJS.ProcessEnv = {}, stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  return spawn(process.execPath, nodeArguments('simulator/src/main.ts'), {
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

/** Polls every 2 ms, so that the test acts soon after the condition holds; throws when it never does. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries === 30_000) throw new Error('the condition did not become true in time');
    await sleep(2);
  }
}
const untilTicking = (): Promise<void> => until(() => gateway.applied.some((event) => event.type === 'tick'));

test.each([
  ['it receives SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
  ['its supervisor disconnects', (child: ChildProcess) => child.disconnect()],
])('the process ends cleanly when %s', async (_, end) => {
  const child = start();
  await untilTicking();
  end(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(0);
  expect(existsSync(join(directory, 'simulator-state.json'))).toBe(true);
  expect(gateway.problems).toEqual([]);
});

test('a process killed during the import continues without duplicates or gaps, and tells its supervisor the progress', async () => {
  const child = start();
  await until(() => gateway.applied.length >= 2_500);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(gateway.isLive).toBe(false);
  const again = start();
  const shares: number[] = [];
  again.on('message', (message) => shares.push((message as SimulatorMessage).progress));
  await until(() => gateway.isLive);
  again.kill('SIGTERM');
  await once(again, 'exit');
  expect(gateway.isLive).toBe(true);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  const ids = gateway.applied.map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
  // Counted kinds have consecutive numbers.
  for (const kind of ['tick:BTC', 'tick:HTT', 'user.login']) {
    const numbers = ids.filter((id) => id.includes(`:${kind}:`)).map((id) => Number(id.split(':').at(-1)));
    expect(numbers).toEqual(numbers.map((_, index) => index));
  }
  expect(gateway.problems).toEqual([]);
});

test('an invalid variable is named and prevents the start', async () => {
  const child = start({ SIMULATOR_DAYS: '2', SIMULATOR_FAIL: 'often' }, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(1);
  expect(output).toContain('SIMULATOR_DAYS=2 is not accepted: a whole number from 3 to 365.');
  expect(output).toContain('SIMULATOR_FAIL=often is not accepted: a number from 0 to 1.');
});
