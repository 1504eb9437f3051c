import { expect, test } from 'vitest';
import { sized } from '../../testing/level.ts';
import { createBackOffice, playScenarios, scenarioNames } from '../src/run.ts';
import { FEATURES } from '../src/stage.ts';
import type { Flaw } from './flaws.ts';
import { SamplePlatform, WEBHOOK } from './platform.ts';

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
  const target = { control, features: FEATURES, ...(way.webhook ? { webhook: `${control}${WEBHOOK}` } : {}) };
  for await (const { name, mend, skipped } of playScenarios(office, target, TIMING, names)) {
    if (mend) results.mends[name] = mend;
    if (skipped) results.skipped[name] = skipped;
  }
  await platform.stop();
  await office.close();
  return results;
}

/** How the platform receives commands, and which scenarios bring its flaw to light. */
interface Way {
  leases?: boolean;
  webhook?: boolean;
  after?: readonly string[];
}
const namesOf = (kind: string): string[] => scenarioNames.filter((name) => name.startsWith(kind));
const LEASE_NAMES = ['lease-lost', 'lost-receipt', 'receipt-kill', 'new-lease'];

test('a correct platform passes a scenario of each kind', async () => {
  const names = ['lost-answer', 'payout', 'lease-lost', 'webhook-duplicate', 'screening', 'signature', 'form'];
  const results = await playAgainst(undefined, names, { leases: true, webhook: true });
  expect(results).toEqual({ mends: {}, skipped: {} });
});

test('a correct platform passes every scenario', { tags: ['full'] }, async () => {
  expect(scenarioNames.length).toBeGreaterThan(30);
  const results = await playAgainst(undefined, scenarioNames, { leases: true, webhook: true });
  expect(results).toEqual({ mends: {}, skipped: {} });
});

test('scenarios of ways that a platform does not use are skipped with a word', async () => {
  const { mends, skipped } = await playAgainst(undefined, ['payout', ...LEASE_NAMES, ...namesOf('webhook-')]);
  expect(mends).toEqual({});
  expect(Object.keys(skipped)).toEqual([...LEASE_NAMES, ...namesOf('webhook-')]);
  expect(skipped['lease-lost']).toContain('without leases');
  expect(skipped['webhook-late']).toContain('--webhook');
});

const LEASES: Way = { leases: true };
const HOOK: Way = { webhook: true };

/** A run begins with these: later scenarios look at the requests so far, and at the leases of commands. */
const OPENING = ['lost-answer', 'payout'];

/** Flaws, each with the scenario that fails and a part of what it says. */
const flaws: readonly [flaw: Flaw, scenario: string, part: string, way?: Way][] = [
  ['ignores lost leases', 'lease-lost', 'Do nothing with a command', LEASES],
  ['takes a repeated receipt for a lost one', 'lost-receipt', 'answered duplicate: it is yours', LEASES],
  [
    'takes a received command for an executed one',
    'receipt-kill',
    'after a crash a received payout was not paid',
    LEASES,
  ],
  ['acknowledges with an old lease', 'new-lease', 'with the lease of the latest delivery', LEASES],
  ['pays for every webhook', 'webhook-duplicate', 'Pay once', HOOK],
  ['accepts unsigned webhooks', 'webhook-signature', 'not authentic', HOOK],
  ['drops older commands', 'webhook-late', 'by id, not by seq', HOOK],
  ['acknowledges a webhook only once', 'webhook-ack', 'Repeat an ack', HOOK],
  ['repeats events under new ids', 'lost-answer', 'same eventIds'],
  ['retries without a pause', 'outage', 'Wait longer between tries'],
  ['sends the newest event first', 'outage', 'in the order in which they happened'],
  ['stops at a rejected event', 'rejection', 'Go on after a rejected event'],
  ['pays another address', 'payout', 'the wallet paid address "'],
  ['pays the gross amount', 'payout', 'the wallet paid 100.123456 instead of 99.123456'],
  ['rounds the amount', 'payout', 'the wallet paid 99.12 instead of 99.123456'],
  ['pays another coin', 'payout', 'the wallet paid market "USDC" instead of "USDT"'],
  ['pays an attempt under the next number', 'payout', 'the wallet paid attempt 2'],
  ['pays at the request', 'payout', 'was paid when it was requested'],
  ['pays nothing', 'payout', 'the wallet paid 0 times'],
  ['never acknowledges payouts', 'payout', 'delivered and never answered'],
  ['acknowledges twice', 'payout', 'Acknowledge each delivery once'],
  ['never reports payments', 'payout', 'Report withdraw.paid'],
  ['drops the memo', 'memo', 'the wallet paid memo "" instead of "20260101"'],
  ['pays on its usual network', 'memo', 'the wallet paid network "TRC20" instead of "XRPL"'],
  ['pays on every delivery', 'redelivery', 'paid 3 times'],
  ['acknowledges a command only once', 'redelivery', 'each time it is delivered'],
  ['forgets its payments in a crash', 'crash', 'the wallet paid'],
  ['forgets accepted payouts in a crash', 'ack-kill', 'Store a payout before you acknowledge it'],
  ['reports again with another hash', 'second-hash', 'was paid with the hashes'],
  ['reports again under another id', 'second-hash', 'came under 2 ids'],
  ['changes the hash of a repeated event', 'repeats', 'txHash was "0x', { after: ['second-hash'] }],
  ['ignores the attempt', 'second-attempt', 'attempt 2'],
  ['reports every payment as attempt 1', 'second-attempt', 'was reported as 1'],
  ['pays what it gave up', 'second-attempt', 'Pay only attempt 2'],
  ['leaves the attempt out of failures', 'late-failure', 'Name the attempt in withdraw.failed'],
  ['forgets an attempt when the next one comes', 'late-failure', 'when a payout was given up: attempt 1'],
  ['reports payments only after the ack', 'late-payout', 'even if the ack of the payout has no answer'],
  ['cancels filled orders', 'cancel-race', 'order.cancelled was reported as well'],
  ['closes on every delivery', 'futures-close', 'position.close: 2 of P-'],
  ['closes the whole position', 'futures-close', 'position.close: 3 of P-'],
  ['reports a close as one of the customer', 'futures-close', 'with closeType 5'],
  ['closes what is not open', 'futures-close', 'as failed, with a reason, if nothing is open'],
  ['keeps silent about a reversal', 'reversal', 'has no event'],
  ['reports a reversal as a failure', 'reversal', 'not recharge.failed'],
  ['reports a reversal twice', 'reversal', 'has 2 of them'],
  ['adds a changed balance to its own', 'balance-changed', 'may use 2500 USDT instead of 1500'],
  ['takes older balances', 'balance-changed', 'may use 1600 USDT instead of 1700'],
  ['leaves withheld deposits to the customer', 'recharge-reviewed', 'may use 1000 USDT instead of 0'],
  ['credits a released deposit twice', 'recharge-reviewed', 'may use 2000 USDT instead of 1000'],
  ['ignores the time of the server', 'clock', 'sign with the time of the server'],
  ['acknowledges unknown commands as done', 'unknown-command', 'as failed, with a reason'],
  ['screens on every delivery', 'screening', 'under a new eventId'],
  ['names no record of a move', 'wallet-moves', 'of the kind deposit with the record'],
  ['moves the gross amount of a payout', 'wallet-moves', 'moved -100.123456 instead of -99.123456'],
  ['reports moves of an unknown wallet', 'wallet-moves', 'Report wallet.saved before'],
  ['keeps silent about a dropped move', 'wallet-moves', 'Report chain.reverted'],
  ['moves coins on every delivery', 'wallet-transfer', 'Move coins once for each number'],
  ['reports one move of a transfer', 'wallet-transfer', 'Report both moves'],
  ['moves less than was ordered', 'wallet-transfer', 'Move exactly 10.123456 out of hot into cold'],
  ['reads without a signature', 'signature', 'markets (unknown_key)'],
  ['sends amounts as numbers', 'form', 'data/amount has the wrong form, 1000: a text is expected'],
  ['sends times in seconds', 'form', 'is in seconds, not milliseconds'],
  ['reports a malformed event', 'form', 'user.login'],
];
const firstOfEach = [...new Map(flaws.toReversed().map((one) => [one[1], one])).values()];

test.concurrent.each(sized({ full: firstOfEach, long: flaws }))(
  'a platform that %s fails in %s and nowhere else',
  { tags: ['full', 'soak'] },
  async (flaw, scenario, part, way = {}) => {
    // With leases, `crash` may kill between a receipt and its execution, as receipt-kill does.
    const all = scenarioNames.filter((name) => !way.leases || name !== 'crash');
    const { mends } = await playAgainst(
      flaw,
      sized({ full: [...OPENING, ...(way.after ?? []), scenario], long: all }),
      way,
    );
    expect(Object.keys(mends)).toEqual([scenario]);
    expect(mends[scenario]).toContain(part);
  },
);

test(
  'a fault of form is named before what is missing because of it, also by one scenario',
  { tags: ['full'] },
  async () => {
    const { mends, skipped } = await playAgainst('sends amounts as numbers', ['payout', 'cancel-race']);
    expect(Object.keys(mends)).toEqual(['form']);
    for (const name of ['payout', 'cancel-race'])
      expect(skipped[name]).toContain('Not judged, because the form is wrong');
  },
);
