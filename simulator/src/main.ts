import { join } from 'node:path';
import { readSimulatorSettings, type SimulatorMessage } from '@hengtai/contract/gateway/simulator';
import { systemClock } from './clock.ts';
import { log } from './log.ts';
import { run } from './run.ts';

const GRACE_MS = 3_000;
const POLL_SECONDS = 20;

const requireVariable = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

/** Sends the share of the history that is imported to the supervisor; a process started by hand has none. */
function reportProgress(progress: number): void {
  const message: SimulatorMessage = { progress };
  // A broken channel is handled by the `disconnect` event.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

async function main(): Promise<void> {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    // A call that hangs must not keep the process alive; its events are stored, and the next run sends them again.
    setTimeout(() => process.exit(0), GRACE_MS).unref();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  // The supervisor has ended, perhaps while this process was loading.
  process.on('disconnect', end);
  if ('connected' in process && !process.connected) end();

  const { settings, problems } = readSimulatorSettings(process.env);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  await run({
    ...settings,
    url: requireVariable('PLATFORM_URL'),
    key: requireVariable('PLATFORM_KEY'),
    secret: requireVariable('PLATFORM_SECRET'),
    stateFile: join(requireVariable('DATA_DIR'), 'simulator-state.json'),
    reportProgress,
    clock: systemClock,
    wait: POLL_SECONDS,
    signal: stop.signal,
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    log('the simulator failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    process.exit(1);
  },
);
