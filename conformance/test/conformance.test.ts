import { expect, test } from 'vitest';
import { createBackOffice, playScenarios, scenarioNames } from '../src/run.ts';
import { type Flaw, SamplePlatform } from './platform.ts';

const CREDENTIALS = { key: 'conformance-key', secret: 'conformance-secret' };
/** Shorter than those of a run by hand: the platform is in the same process. */
const TIMING = { patienceMs: 10_000, quietMs: 150, outageMs: 1_000 };

/** Plays scenarios against the sample platform. @returns what it must mend, by scenario */
async function playAgainst(flaw: Flaw | undefined, names: readonly string[]): Promise<Record<string, string>> {
  const office = createBackOffice(CREDENTIALS);
  const platform = new SamplePlatform({
    url: await office.listen(0),
    ...CREDENTIALS,
    ...(flaw === undefined ? {} : { flaw }),
  });
  const control = await platform.start();
  const mends: Record<string, string> = {};
  for await (const { name, mend } of playScenarios(office, control, TIMING, names)) if (mend) mends[name] = mend;
  await platform.stop();
  await office.close();
  return mends;
}

test('a correct platform passes every scenario', async () => {
  expect(scenarioNames.length).toBeGreaterThan(9);
  expect(await playAgainst(undefined, scenarioNames)).toEqual({});
});

test.concurrent.each<[Flaw, Record<string, string>]>([
  ['repeats events under new ids', { 'lost-answer': 'same eventIds' }],
  ['retries without a pause', { outage: 'Wait longer between tries' }],
  ['sends the newest event first', { outage: 'in the order in which they happened' }],
  ['stops at a rejected event', { rejection: 'Go on after a rejected event' }],
  ['forgets its payments in a crash', { crash: 'the wallet paid' }],
  ['reports payments only after the ack', { 'late-payout': 'even if the ack of the payout has no answer' }],
  ['cancels filled orders', { 'cancel-race': 'order.cancelled was reported as well' }],
  ['ignores the time of the server', { clock: 'sign with the time of the server' }],
  ['acknowledges unknown commands as done', { 'unknown-command': 'as failed, with a reason' }],
  ['reads without a signature', { signature: 'markets (unknown_key)' }],
  ['reports a malformed event', { form: 'user.login' }],
  ['pays on every delivery', { redelivery: 'paid 3 times', crash: 'the wallet paid', 'late-payout': 'paid 2 times' }],
  [
    'acknowledges a command only once',
    {
      redelivery: 'each time it is delivered',
      crash: 'Start at after=0',
      'late-payout': 'sent again after it was executed',
    },
  ],
])('a platform that %s fails there and nowhere else', { tags: ['full'] }, async (flaw, expected) => {
  const mends = await playAgainst(flaw, scenarioNames);
  expect(Object.keys(mends)).toEqual(Object.keys(expected));
  for (const [name, part] of Object.entries(expected)) expect(mends[name]).toContain(part);
});
