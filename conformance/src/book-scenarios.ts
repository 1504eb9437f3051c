import type { CommandType } from '@hengtai/contract/gateway/gateway';
import type { CommandData } from '@hengtai/contract/gateway/commands.schema';
import { isAmount } from './payment.ts';
import type { Scenario, Stage } from './stage.ts';

const reversal: Scenario = {
  name: 'reversal',
  summary: 'a deposit that was credited disappears from the chain',
  run: async (stage) => {
    const { events } = stage.office;
    const account = await stage.makeCustomer();
    const no = stage.findDeposit(account) ?? '';
    await stage.platform.reverse(account);
    const failures = () => events.find('recharge.failed', { no }).length;
    await stage.expect(
      () => events.find('recharge.reversed', { no }).length + failures() > 0,
      `Report recharge.reversed when a credited deposit is gone: ${no} has no event.`,
    );
    await stage.beQuiet();
    stage.require(failures() === 0, `Report recharge.reversed for a credited deposit, not recharge.failed: ${no}.`);
    const reports = events.find('recharge.reversed', { no }).length;
    stage.require(reports === 1, `Report recharge.reversed once: ${no} has ${reports} of them.`);
  },
};

/** Sends a command and waits for its ack. */
async function tell<T extends CommandType>(stage: Stage, type: T, data: CommandData[T]): Promise<void> {
  const id = stage.office.commands.send(type, data);
  stage.office.notify();
  await expectDone(stage, type, id);
}

async function expectDone(stage: Stage, type: CommandType, id: number): Promise<void> {
  const { commands } = stage.office;
  await stage.expect(() => commands.acksOf(id).length > 0, `Acknowledge ${type}.`);
  stage.require(commands.acksOf(id)[0]?.state === 'done', `Acknowledge ${type} as done once it is stored.`);
}

/** Balances of the funding account, as they are after an entry of the ledger. */
const balanceOf = (account: string, active: string, entry: number): CommandData['balance.changed'] => ({
  account,
  market: 'USDT',
  platform: 1,
  active,
  frozen: '0',
  entry,
});

async function requireBalance(stage: Stage, account: string, amount: string, mend: string): Promise<void> {
  const active = await stage.platform.balance(account, 'USDT');
  stage.require(isAmount(active, amount), `${mend}: ${account} may use ${active} USDT instead of ${amount}.`);
}

const balanceChanged: Scenario = {
  name: 'balance-changed',
  summary: 'operators change a balance, and an older change arrives after a newer one',
  run: async (stage) => {
    const { commands } = stage.office;
    const account = await stage.makeCustomer();
    await tell(stage, 'balance.changed', balanceOf(account, '1500', 11));
    await requireBalance(stage, account, '1500', 'Take the balances of balance.changed as they are');
    const older = commands.send('balance.changed', balanceOf(account, '1600', 12));
    const newer = commands.send('balance.changed', balanceOf(account, '1700', 13));
    // Sent again before it was received: it has a higher seq than the newer one.
    commands.resend(older);
    stage.office.notify();
    for (const id of [older, newer]) await expectDone(stage, 'balance.changed', id);
    await requireBalance(stage, account, '1700', 'Ignore a balance.changed with a lower entry than the last one');
  },
};

const rechargeReviewed: Scenario = {
  name: 'recharge-reviewed',
  summary: 'a deposit is withheld, and released later',
  run: async (stage) => {
    const account = await stage.makeCustomer();
    const no = stage.findDeposit(account) ?? '';
    await tell(stage, 'recharge.reviewed', { no, state: 3, reason: '用户已冻结', reasonCode: 'frozen' });
    await requireBalance(stage, account, '0', 'Take a withheld deposit from what the customer may use');
    await tell(stage, 'balance.changed', balanceOf(account, '1000', 21));
    await tell(stage, 'recharge.reviewed', { no, state: 1 });
    await requireBalance(stage, account, '1000', 'Credit a released deposit once: balance.changed contains it');
  },
};

/** What the platform must take over from the chain and from operators. */
export const bookScenarios: readonly Scenario[] = [reversal, balanceChanged, rechargeReviewed];
