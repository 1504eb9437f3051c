import type { GatewayError } from '@hengtai/contract/gateway/errors';
import { tronAddress } from './address.ts';
import { bookScenarios } from './book-scenarios.ts';
import { cancelRace } from './cancel-race.ts';
import type { Withdrawal } from './control.ts';
import { futuresClose } from './futures-scenario.ts';
import { leaseScenarios } from './lease-scenarios.ts';
import { walletMoves } from './moves-scenario.ts';
import { screening } from './screening-scenario.ts';
import type { Scenario } from './stage.ts';
import { walletScenarios } from './wallet-scenarios.ts';
import { walletTransfer } from './wallet-transfer-scenario.ts';
import { webhookScenarios } from './webhook-scenarios.ts';

/** Calls during an outage that a platform with a back-off does not exceed: about ten a second. */
const callsDuring = (outageMs: number): number => 10 + outageMs / 100;
const TEN_MINUTES = 600_000;

const withdrawalOf = (word: string): Withdrawal => ({
  market: 'USDT',
  network: 'TRC20',
  address: tronAddress(word),
  memo: '',
  amount: '5',
});

const lostAnswer: Scenario = {
  name: 'lost-answer',
  summary: 'two calls with events take effect, and their answers are lost',
  run: async (stage) => {
    const { events, network } = stage.office;
    const account = stage.newAccount();
    network.harm('events', 'lost answer', 2);
    await stage.platform.register(account);
    const arrivals = () => events.find('user.registered', { account });
    await stage.expect(
      () => arrivals().some(({ times }) => times > 2),
      'Send the same events again, with the same eventIds, until they are answered: an event without an answer may be lost.',
    );
    await stage.beQuiet();
    stage.require(
      arrivals().length === 1,
      'Choose the eventId once and store it with the event: a repeated event came under a new eventId.',
    );
  },
};

const outage: Scenario = {
  name: 'outage',
  summary: 'the back office answers 503 for some seconds while events happen',
  run: async (stage) => {
    const { events, network } = stage.office;
    const account = stage.newAccount();
    network.harm('events', 'unavailable');
    await stage.platform.register(account);
    await stage.expect(() => network.hasHarmed('events'), 'Report events as soon as they happen.');
    await stage.platform.deposit(account, 'USDT', '10');
    await stage.platform.withdraw(account, withdrawalOf('outage'));
    await stage.office.until(() => false, stage.timing.outageMs);
    const calls = network.harmed.get('events') ?? 0;
    network.heal();
    await stage.expect(
      () => events.find('withdraw.requested', { account }).length > 0,
      'Keep events during an outage and send them afterwards.',
    );
    const types = ['user.registered', 'recharge.credited', 'withdraw.requested'];
    const order = events.arrivals
      .filter(({ event }) => event.data['account'] === account)
      .map(({ event }) => event.type);
    stage.require(
      types.every((type, index) => order[index] === type),
      `Send events in the order in which they happened: expected ${types.join(', ')}, received ${order.join(', ')}.`,
    );
    stage.require(
      calls <= callsDuring(stage.timing.outageMs),
      `Wait longer between tries: ${calls} calls in ${stage.timing.outageMs} ms of an outage.`,
    );
  },
};

const rejection: Scenario = {
  name: 'rejection',
  summary: 'an event is rejected, and other events follow it',
  run: async (stage) => {
    const { events } = stage.office;
    const account = await stage.makeCustomer();
    events.reject = ({ type, data }) =>
      type === 'withdraw.requested' && data['account'] === account ? 'insufficient' : undefined;
    await stage.platform.withdraw(account, withdrawalOf('rejected'));
    const next = stage.newAccount();
    await stage.platform.register(next);
    await stage.expect(
      () => events.find('user.registered', { account: next }).length > 0,
      'Go on after a rejected event: the events behind it were not sent.',
    );
  },
};

const clock: Scenario = {
  name: 'clock',
  summary: 'the clock of the back office is ten minutes ahead',
  run: async (stage) => {
    const account = stage.newAccount();
    stage.office.clockOffsetMs = TEN_MINUTES;
    await stage.platform.register(account);
    await stage.expect(
      () => stage.office.events.find('user.registered', { account }).length > 0,
      'After the error clock_skew, sign with the time of the server: add the difference to data.serverTime to x-time.',
    );
  },
};

const unknownCommand: Scenario = {
  name: 'unknown-command',
  summary: 'a command has a type that the platform does not know',
  needs: ['payout'],
  run: async (stage) => {
    const { commands } = stage.office;
    const id = commands.sendAny('conformance.unknown', { no: '1' });
    stage.office.notify();
    await stage.expect(() => commands.acksOf(id).length > 0, 'Acknowledge commands of unknown types, and continue.');
    const [ack] = commands.acksOf(id);
    stage.require(
      ack?.state === 'failed' && Boolean(ack.reason),
      'Acknowledge a command of an unknown type as failed, with a reason.',
    );
    await stage.expectPaidOnce(await stage.pay(await stage.makeCustomer()));
  },
};

const SIGNATURE_ERRORS: ReadonlySet<GatewayError | undefined> = new Set([
  'unknown_key',
  'invalid_time',
  'bad_signature',
]);

const signature: Scenario = {
  name: 'signature',
  summary: 'every call of the run was signed',
  run: async (stage) => {
    const wrong = stage.office.calls.filter(({ refused }) => SIGNATURE_ERRORS.has(refused));
    const found = [...new Set(wrong.map(({ path, refused }) => `${path} (${refused})`))].join(', ');
    stage.require(wrong.length === 0, `Sign every call as docs/gateway.md describes: ${found}.`);
  },
};

const repeats: Scenario = {
  name: 'repeats',
  summary: 'every event of the run that came again was the same',
  run: async (stage) => {
    const { conflicts } = stage.office.events;
    stage.require(
      conflicts.length === 0,
      `Build an event once and store it as it was sent: ${conflicts.slice(0, 5).join('; ')}.`,
    );
  },
};

const form: Scenario = {
  name: 'form',
  summary: 'every call and event of the run had the right form',
  run: async (stage) => {
    const wrong = stage.office.calls.filter(({ refused }) => refused === 'invalid' || refused === 'not_found');
    const all = [...wrong.map(({ path, refused }) => `${path} was ${refused}`), ...stage.office.events.faults];
    const found = [...new Set(all)].slice(0, 5);
    stage.require(found.length === 0, `Correct the form of calls and events: ${found.join('; ')}.`);
  },
};

/** In this order: a scenario comes after those that it needs, and the last three look at the whole run. */
export const scenarios: readonly Scenario[] = [
  lostAnswer,
  outage,
  rejection,
  ...walletScenarios,
  cancelRace,
  futuresClose,
  ...bookScenarios,
  clock,
  unknownCommand,
  ...leaseScenarios,
  ...webhookScenarios,
  screening,
  walletMoves,
  walletTransfer,
  signature,
  repeats,
  form,
];
