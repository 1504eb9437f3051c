import { Decimal } from '@hengtai/contract/values/decimal';
import type { Scenario, Stage } from './stage.ts';

interface Expected {
  record: string;
  kind: 'deposit' | 'payout';
  /** What moves: below zero if it leaves. */
  amount: string;
}

/** Waits for the move of a record. @returns its number */
async function expectMove(stage: Stage, { record, kind, amount }: Expected): Promise<string> {
  const { events } = stage.office;
  const moves = () => events.find('chain.moved', { record, kind });
  await stage.expect(
    () => moves().length > 0,
    `Report chain.moved of the kind ${kind} with the record ${record} when its money moves.`,
  );
  await stage.beQuiet();
  stage.require(moves().length === 1, `Report each move once: ${record} has ${moves().length} of them.`);
  const { no, amount: moved, wallet } = moves()[0]?.event.data ?? {};
  const isSame = new Decimal(String(moved)).eq(amount);
  stage.require(isSame, `Report what moved on the chain: ${record} moved ${String(moved)} instead of ${amount}.`);
  const isSaved = events.arrivals.find(({ event }) => event.data['wallet'] === wallet)?.event.type === 'wallet.saved';
  stage.require(isSaved, `Report wallet.saved before anything else of a wallet: ${String(wallet)} was not saved.`);
  return String(no);
}

export const walletMoves: Scenario = {
  name: 'wallet-moves',
  summary: 'a deposit arrives, a payout leaves, and the deposit disappears from the chain',
  needs: ['payout', 'reversal'],
  skip: (stage) => stage.skipWithout('wallets'),
  run: async (stage) => {
    const { events } = stage.office;
    const account = await stage.makeCustomer();
    const deposit = stage.findDeposit(account) ?? '';
    const no = await expectMove(stage, { record: deposit, kind: 'deposit', amount: '1000' });
    const payout = await stage.pay(account);
    await stage.expectPaidOnce(payout);
    const net = new Decimal(payout.data.amount).negated().toFixed();
    await expectMove(stage, { record: payout.data.no, kind: 'payout', amount: net });
    await stage.platform.reverse(account);
    await stage.expect(
      () => events.find('chain.reverted', { no }).length > 0,
      `Report chain.reverted when the chain has dropped a move: ${no} has no event.`,
    );
  },
};
