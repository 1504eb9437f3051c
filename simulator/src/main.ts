import { join } from 'node:path';
import { systemClock } from './clock.ts';
import { log } from './log.ts';
import { run } from './run.ts';

const GRACE_MS = 3_000;
const POLL_SECONDS = 20;
const DEFAULT_SEED = 'hengtai';

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const number = (name: string, fallback: number, low: number, high: number): number => {
  const text = process.env[name];
  const value = text ? Number(text) : fallback;
  if (!(value >= low && value <= high)) throw new Error(`${name} must lie between ${low} and ${high}`);
  return value;
};

const whole = (name: string, fallback: number, low: number, high: number): number =>
  Math.round(number(name, fallback, low, high));

async function main(): Promise<void> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    // A call that hangs must not keep the process; what it carried is stored and is sent again by the next run.
    setTimeout(() => process.exit(0), GRACE_MS).unref();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // The supervisor is gone, whatever became of it; perhaps it went while this process was loading.
  process.on('disconnect', end);
  if ('connected' in process && !process.connected) end();

  const unknown = number('SIMULATOR_UNKNOWN', 0.04, 0, 1);
  const fail = number('SIMULATOR_FAIL', 0.08, 0, 1 - unknown);
  await run({
    url: required('PLATFORM_URL'),
    key: required('PLATFORM_KEY'),
    secret: required('PLATFORM_SECRET'),
    stateFile: join(required('DATA_DIR'), 'simulator-state.json'),
    // A seed that is set but empty means the default, as for every other variable.
    // oxlint-disable-next-line typescript/prefer-nullish-coalescing
    seed: process.env['SIMULATOR_SEED'] || DEFAULT_SEED,
    fail,
    unknown,
    late: number('SIMULATOR_LATE', Math.min(0.15, 1 - fail - unknown), 0, 1),
    speed: number('SIMULATOR_SPEED', 1, 0.01, 100),
    users: whole('SIMULATOR_USERS', 2_600, 40, 20_000),
    days: whole('SIMULATOR_DAYS', 90, 3, 365),
    clock: systemClock,
    wait: POLL_SECONDS,
    signal: stop.signal,
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    log('ended by an error', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(1);
  },
);
