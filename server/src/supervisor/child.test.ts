import { expect, test, vi } from 'vitest';
import { ConfigurationError } from '../host/configuration-error.ts';
import { keepChild } from './child.ts';
import { waitHealthy } from './supervise.ts';

/** A child that ends at once with an exit code, after its first end. */
async function endedWith(code: number) {
  const reports: string[] = [];
  const report = (message: string): void => void reports.push(message);
  const child = keepChild('server', ['-e', `process.exit(${code})`], process.env, { report });
  await vi.waitUntil(() => child.deaths() > 0, { timeout: 60_000 });
  return { child, reports };
}

test('a server that an operator must correct is restarted once a minute, and fails the start for good', async () => {
  const { child, reports } = await endedWith(78);
  expect(reports).toEqual(['The server has ended (exit code 78); restarting it in 60000 ms.']);
  await expect(waitHealthy('http://127.0.0.1:1', child)).rejects.toThrow(ConfigurationError);
  // Does not wait for the minute.
  await child.stop();
});

test('a server that failed otherwise is restarted soon, and the start may be tried again', async () => {
  const { child, reports } = await endedWith(1);
  expect(reports[0]).toBe('The server has ended (exit code 1); restarting it in 250 ms.');
  await expect(waitHealthy('http://127.0.0.1:1', child)).rejects.toSatisfy(
    (error) => error instanceof Error && !(error instanceof ConfigurationError),
  );
  await child.stop();
});
