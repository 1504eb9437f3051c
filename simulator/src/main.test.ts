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
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
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

test('a share that is none is refused at the start', async () => {
  const child = start({ SIMULATOR_FAIL: 'often' });
  const [code] = (await once(child, 'exit')) as [number | null];
  expect(code).toBe(1);
});
