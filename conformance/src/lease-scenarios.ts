import type { Scenario, Stage } from './stage.ts';

const skip = ({ office }: Stage): string | undefined =>
  office.commands.usesLeases ? undefined : 'The platform reads commands without leases.';

/** Answers to the receipts of a command so far. */
const receiptsOf = ({ office }: Stage, id: number): string[] =>
  office.commands.receipts.filter((receipt) => receipt.id === id).map(({ result }) => result);

const leaseLost: Scenario = {
  name: 'lease-lost',
  summary: 'the lease of a payout runs out before its receipt arrives, and another program has the payout',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { commands, network } = stage.office;
    const account = await stage.makeCustomer();
    network.harm('commands/receipt', 'lost call');
    const payout = await stage.pay(account);
    await stage.expect(
      () => network.hasHarmed('commands/receipt'),
      'Confirm the receipt of each leased command before it is executed.',
    );
    commands.endLease(payout.id, true);
    network.heal();
    await stage.expect(
      () => receiptsOf(stage, payout.id).includes('lost'),
      'Repeat a receipt until it is answered: without the answer nobody knows who has the command.',
    );
    await stage.beQuiet();
    stage.require(
      (await stage.platform.payments(payout.data.no)).length === 0,
      'Do nothing with a command whose receipt was answered lost: another program executes it.',
    );
    commands.endLease(payout.id);
    stage.office.notify();
    await stage.expectPaidOnce(payout);
  },
};

const lostReceipt: Scenario = {
  name: 'lost-receipt',
  summary: 'the receipt of a payout takes effect, and its answer is lost',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const account = await stage.makeCustomer();
    stage.office.network.harm('commands/receipt', 'lost answer', 1);
    const payout = await stage.pay(account);
    await stage.expect(
      () => receiptsOf(stage, payout.id).includes('duplicate'),
      'Repeat a receipt until it is answered, with the same lease.',
    );
    await stage.expect(
      () => stage.office.commands.acksOf(payout.id).length > 0,
      'Execute a command whose receipt was answered duplicate: it is yours, only the first answer was lost.',
    );
    await stage.expectPaidOnce(payout);
  },
};

const receiptKill: Scenario = {
  name: 'receipt-kill',
  summary:
    'the platform is killed after the receipt of a payout and before the payment; later the payout is sent again',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { commands, network } = stage.office;
    const account = await stage.makeCustomer();
    network.harm('commands/receipt', 'lost answer');
    const payout = await stage.pay(account);
    await stage.expect(
      () => receiptsOf(stage, payout.id).length > 0,
      'Confirm the receipt of each leased command before it is executed.',
    );
    await stage.platform.crash();
    network.heal();
    const paid = (await stage.platform.payments(payout.data.no)).length;
    stage.require(paid === 0, 'Wait for the answer to a receipt before you execute the command.');
    commands.resend(payout.id);
    stage.office.notify();
    await stage.expect(
      () => stage.office.events.find('withdraw.paid', { no: payout.data.no }).length > 0,
      'Keep apart what was received and what was executed: after a crash a received payout was not paid.',
    );
    await stage.expectPaidOnce(payout);
  },
};

const newLease: Scenario = {
  name: 'new-lease',
  summary: 'the leases of a payout and of a command that fails run out before their acks arrive; both are sent again',
  needs: ['payout'],
  skip,
  run: async (stage) => {
    const { commands, network } = stage.office;
    const account = await stage.makeCustomer();
    network.harm('commands/ack', 'lost call');
    const payout = await stage.pay(account);
    await stage.expect(() => network.hasHarmed('commands/ack'), 'Acknowledge each payout.');
    commands.resend(payout.id);
    network.heal();
    stage.office.notify();
    await stage.expectPaidOnce(payout);
    network.harm('commands/ack', 'lost call');
    const failing = commands.sendAny('conformance.unknown', { no: '2' });
    stage.office.notify();
    await stage.expect(() => network.hasHarmed('commands/ack'), 'Acknowledge commands of unknown types.');
    commands.resend(failing);
    network.heal();
    stage.office.notify();
    await stage.expect(
      () => commands.acksOf(failing).length > 0,
      'Acknowledge with the lease of the latest delivery: failed and unknown with an older lease are lost.',
    );
  },
};

/** Played with a platform that leases its commands. */
export const leaseScenarios: readonly Scenario[] = [leaseLost, lostReceipt, receiptKill, newLease];
