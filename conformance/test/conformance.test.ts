import { expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { createBackOffice, playScenarios, scenarioNames } from '../src/run.ts';
import { type Flaw, SamplePlatform, WEBHOOK } from './platform.ts';

const CREDENTIALS = { key: 'conformance-key', secret: 'conformance-secret' };
/** Shorter than those of a run by hand: the platform is in the same process. */
const TIMING = { patienceMs: 10_000, quietMs: 150, outageMs: 1_000 };

type Results = Record<'mends' | 'skipped', Record<string, string>>;

/** Plays scenarios against the sample platform. @returns what it must mend and why scenarios were skipped, by scenario */
async function playAgainst(flaw: Flaw | undefined, names: readonly string[], way: Way = {}): Promise<Results> {
  const office = createBackOffice(CREDENTIALS);
  const platform = new SamplePlatform({
    url: await office.listen(0),
    ...CREDENTIALS,
    ...(flaw === undefined ? {} : { flaw }),
    ...(way.leases ? { leases: true } : {}),
  });
  const control = await platform.start();
  const results: Results = { mends: {}, skipped: {} };
  const target = { control, screens: true, ...(way.webhook ? { webhook: `${control}${WEBHOOK}` } : {}) };
  for await (const { name, mend, skipped } of playScenarios(office, target, TIMING, names)) {
    if (mend) results.mends[name] = mend;
    if (skipped) results.skipped[name] = skipped;
  }
  await platform.stop();
  await office.close();
  return results;
}

/** How the platform receives commands. */
interface Way {
  leases?: boolean;
  webhook?: boolean;
}
const namesOf = (kind: string): string[] => scenarioNames.filter((name) => name.startsWith(kind));
const LEASE_NAMES = ['lease-lost', 'lost-receipt', 'receipt-kill', 'new-lease'];

test('a correct platform passes a scenario of each kind', async () => {
  const names = ['lost-answer', 'redelivery', 'lease-lost', 'webhook-duplicate', 'screening', 'signature', 'form'];
  const results = await playAgainst(undefined, names, { leases: true, webhook: true });
  expect(results).toEqual({ mends: {}, skipped: {} });
});

test('a correct platform passes every scenario', { tags: ['full'] }, async () => {
  expect(scenarioNames.length).toBeGreaterThan(17);
  const results = await playAgainst(undefined, scenarioNames, { leases: true, webhook: true });
  expect(results).toEqual({ mends: {}, skipped: {} });
});

test('scenarios of ways that a platform does not use are skipped with a word', async () => {
  const { mends, skipped } = await playAgainst(undefined, ['redelivery', ...LEASE_NAMES, ...namesOf('webhook-')]);
  expect(mends).toEqual({});
  expect(Object.keys(skipped)).toEqual([...LEASE_NAMES, ...namesOf('webhook-')]);
  expect(skipped['lease-lost']).toContain('without leases');
  expect(skipped['webhook-late']).toContain('--webhook');
});

const LEASES: Way = { leases: true };
const HOOK: Way = { webhook: true };

/** A run begins with these: later scenarios look at the requests so far, and at the leases of commands. */
const OPENING = ['lost-answer', 'redelivery'];

// The full run plays the scenarios that must notice the flaw, the long run also those that must not.
test.concurrent.each<[Flaw, Record<string, string>, Way?]>([
  ['ignores lost leases', { 'lease-lost': 'Do nothing with a command' }, LEASES],
  ['takes a repeated receipt for a lost one', { 'lost-receipt': 'answered duplicate: it is yours' }, LEASES],
  [
    'takes a received command for an executed one',
    { 'receipt-kill': 'after a crash a received payout was not paid' },
    LEASES,
  ],
  ['acknowledges with an old lease', { 'new-lease': 'with the lease of the latest delivery' }, LEASES],
  ['pays for every webhook', { 'webhook-duplicate': 'Pay once' }, HOOK],
  ['accepts unsigned webhooks', { 'webhook-signature': 'not authentic' }, HOOK],
  ['drops older commands', { 'webhook-late': 'by id, not by seq' }, HOOK],
  ['acknowledges a webhook only once', { 'webhook-ack': 'Repeat an ack' }, HOOK],
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
  ['screens on every delivery', { screening: 'under a new eventId' }],
  ['pays on every delivery', { redelivery: 'paid 3 times', crash: 'the wallet paid', 'late-payout': 'paid 2 times' }],
  [
    'acknowledges a command only once',
    {
      redelivery: 'each time it is delivered',
      crash: 'Start at after=0',
      'late-payout': 'sent again after it was executed',
      screening: 'each time it is delivered',
    },
  ],
])('a platform that %s fails there and nowhere else', { tags: ['full', 'soak'] }, async (flaw, expected, way = {}) => {
  // With leases, `crash` may kill between a receipt and its execution, as receipt-kill does.
  const all = scenarioNames.filter((name) => !way.leases || name !== 'crash');
  const names = sized({ full: [...new Set([...OPENING, ...Object.keys(expected)])], long: all });
  const { mends } = await playAgainst(flaw, names, way);
  expect(Object.keys(mends)).toEqual(Object.keys(expected));
  for (const [name, part] of Object.entries(expected)) expect(mends[name]).toContain(part);
});
