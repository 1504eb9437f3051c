import { rippleAddress } from './address.ts';
import type { Payout, Scenario, Stage } from './stage.ts';

const payout: Scenario = {
  name: 'payout',
  summary: 'a withdrawal is requested and, some time later, its payout is sent',
  run: async (stage) => {
    const data = await stage.preparePayout(await stage.makeCustomer());
    await stage.beQuiet();
    stage.require(
      (await stage.platform.payments(data.no)).length === 0,
      `Pay when withdraw.payout commands it: ${data.no} was paid when it was requested.`,
    );
    const sent = stage.send(data);
    await stage.expectPaidOnce(sent);
    stage.require(
      !stage.office.commands.repeatedAcks.includes(sent.id),
      `Acknowledge each delivery once: the payout of ${data.no} was delivered once and acknowledged again.`,
    );
  },
};

const memo: Scenario = {
  name: 'memo',
  summary: 'a payout goes to an address with a memo, on another network than the others',
  needs: ['payout'],
  skip: (stage) => stage.skipWithout('memos'),
  run: async (stage) => {
    const account = await stage.makeCustomer('XRP');
    const destination = { market: 'XRP', network: 'XRPL', address: rippleAddress(account), memo: '20260101' };
    await stage.expectPaidOnce(stage.send(await stage.preparePayout(account, destination)));
  },
};

const redelivery: Scenario = {
  name: 'redelivery',
  summary: 'a payout that was acknowledged is delivered again, twice',
  needs: ['payout'],
  run: async (stage) => {
    const { commands } = stage.office;
    const account = await stage.makeCustomer();
    const payout = await stage.pay(account);
    for (const times of [1, 2, 3]) {
      await stage.expect(
        () => commands.acksOf(payout.id).length >= times,
        times === 1
          ? 'Acknowledge each payout.'
          : 'Acknowledge a command each time it is delivered: recognise it by its id, which is the same each time.',
      );
      if (times < 3) commands.resend(payout.id);
      stage.office.notify();
    }
    await stage.expectPaidOnce(payout);
  },
};

const crash: Scenario = {
  name: 'crash',
  summary: 'the platform is killed after it received a payout, and again when it acknowledges it',
  needs: ['redelivery'],
  run: async (stage) => {
    const { commands, network } = stage.office;
    const account = await stage.makeCustomer();
    network.harm('commands/ack', 'lost call');
    const payout = await stage.pay(account);
    await stage.expect(() => commands.deliveries.has(payout.id), 'Receive commands by GET /platform/v1/commands.');
    await stage.platform.crash();
    // With leases, the dead process still has the command.
    commands.endLease(payout.id);
    network.harm('commands/ack', 'lost call');
    await stage.expect(
      () => network.hasHarmed('commands/ack'),
      'Start at after=0 after a restart, and acknowledge commands that are returned again, also those already executed.',
    );
    await stage.platform.crash();
    commands.endLease(payout.id);
    network.heal();
    await stage.expectPaidOnce(payout);
  },
};

const latePayout: Scenario = {
  name: 'late-payout',
  summary: 'no ack of a payout arrives, so its outcome is unknown; later an operator sends it again',
  needs: ['redelivery'],
  run: async (stage) => {
    const { commands, events, network } = stage.office;
    const account = await stage.makeCustomer();
    network.harm('commands/ack', 'lost call');
    const payout = await stage.pay(account);
    await stage.expect(
      () => events.find('withdraw.paid', { no: payout.data.no }).length > 0,
      'Report withdraw.paid when the chain has decided, even if the ack of the payout has no answer yet.',
    );
    network.heal();
    await stage.expectPaidOnce(payout);
    const answered = commands.acksOf(payout.id).length;
    commands.resend(payout.id);
    stage.office.notify();
    await stage.expect(
      () => commands.acksOf(payout.id).length > answered,
      'Acknowledge a command that is sent again after it was executed.',
    );
    stage.require(
      commands.acksOf(payout.id).at(-1)?.state === 'done',
      'Acknowledge a payout that was executed before as done when it is sent again.',
    );
    await stage.expectPaidOnce(payout);
  },
};

const ackKill: Scenario = {
  name: 'ack-kill',
  summary: 'the platform is killed after the ack of a payout and before the payment',
  needs: ['payout'],
  run: async (stage) => {
    const account = await stage.makeCustomer();
    await stage.platform.hold();
    const held = await stage.pay(account);
    await stage.expectAcknowledged(held);
    await stage.platform.crash();
    await stage.expect(
      () => stage.office.events.find('withdraw.paid', { no: held.data.no }).length > 0,
      'Store a payout before you acknowledge it: it is not sent again, and after a crash nobody paid it.',
    );
    await stage.expectPaidOnce(held);
  },
};

const secondHash: Scenario = {
  name: 'second-hash',
  summary: 'withdraw.paid takes effect, its answers are lost, and the platform is killed',
  needs: ['lost-answer', 'payout'],
  run: async (stage) => {
    const { commands, events, network } = stage.office;
    const data = await stage.preparePayout(await stage.makeCustomer());
    network.harm('events', 'lost answer');
    const sent = stage.send(data);
    const reports = () => events.find('withdraw.paid', { no: data.no });
    await stage.expect(
      () => reports().some(({ times }) => times > 1),
      'Report withdraw.paid, and again until it is answered.',
    );
    await stage.platform.crash();
    commands.endLease(sent.id);
    const before = timesOf(stage, data.no);
    network.heal();
    await stage.expect(
      () => timesOf(stage, data.no) > before,
      'Send events that have no answer again after a restart.',
    );
    await stage.expectPaidOnce(sent);
  },
};

/** How often a payment was reported, in all tries. */
const timesOf = ({ office }: Stage, no: string): number =>
  office.events.find('withdraw.paid', { no }).reduce((sum, { times }) => sum + times, 0);

/** Waits for the failure of a payout. @returns the attempt that it names */
async function expectFailed(stage: Stage, { no, attempt }: Payout['data']): Promise<unknown> {
  const failures = () => stage.office.events.find('withdraw.failed', { no });
  await stage.expect(
    () => failures().length > 0,
    `Report withdraw.failed when a payout was given up: attempt ${attempt} of ${no} was.`,
  );
  return failures()[0]?.event.data['attempt'];
}

const secondAttempt: Scenario = {
  name: 'second-attempt',
  summary: 'a payout fails, and an operator orders it again',
  needs: ['payout'],
  run: async (stage) => {
    const account = await stage.makeCustomer();
    await stage.platform.hold();
    const first = await stage.pay(account);
    await stage.expectAcknowledged(first);
    await stage.platform.settle(first.data.no, 1, false);
    await expectFailed(stage, first.data);
    await stage.platform.release();
    await stage.expectPaidOnce(stage.send({ ...first.data, attempt: 2 }));
  },
};

const lateFailure: Scenario = {
  name: 'late-failure',
  summary: 'a payout fails after the next attempt was handed over',
  needs: ['second-attempt'],
  run: async (stage) => {
    const account = await stage.makeCustomer();
    await stage.platform.hold();
    const first = await stage.pay(account);
    await stage.expectAcknowledged(first);
    const second = stage.send({ ...first.data, attempt: 2 });
    await stage.expectAcknowledged(second);
    await stage.platform.settle(first.data.no, 1, false);
    stage.require(
      (await expectFailed(stage, first.data)) === 1,
      'Name the attempt in withdraw.failed: without it the failure counts for the newest attempt, which may be paid.',
    );
    await stage.platform.settle(first.data.no, 2, true);
    await stage.expectPaidOnce(second);
  },
};

/** What the wallet of the platform must keep right. Most other scenarios need the first. */
export const walletScenarios: readonly Scenario[] = [
  payout,
  memo,
  redelivery,
  crash,
  ackKill,
  secondHash,
  secondAttempt,
  lateFailure,
  latePayout,
];
