import type { Scenario } from './stage.ts';

const AMOUNT = '10.123456';

export const walletTransfer: Scenario = {
  name: 'wallet-transfer',
  summary: 'coins are to be moved between two wallets, and the command is delivered again',
  skip: (stage) => stage.skipWithout('wallets'),
  run: async (stage) => {
    const { commands, events } = stage.office;
    const { from, to } = await stage.platform.wallets();
    const no = `T-${stage.newAccount()}`;
    const id = commands.send('wallet.move.requested', { no, from, to, amount: AMOUNT });
    stage.office.notify();
    await stage.expect(() => commands.acksOf(id).length > 0, 'Acknowledge wallet.move.requested.');
    stage.require(
      commands.acksOf(id)[0]?.state === 'done',
      'Acknowledge wallet.move.requested as done once the wallet has accepted it.',
    );
    const moves = () => events.find('chain.moved', { record: no, kind: 'move' });
    await stage.expect(
      () => moves().length > 1,
      `Report both moves of a transfer as chain.moved of the kind move, with its number as record: ${no} has ${moves().length}.`,
    );
    commands.resend(id);
    stage.office.notify();
    await stage.expect(() => commands.acksOf(id).length > 1, 'Acknowledge a transfer each time it is delivered.');
    await stage.beQuiet();
    const reported = moves().map(({ event: { data } }) => `${String(data['wallet'])} ${String(data['amount'])}`);
    stage.require(reported.length === 2, `Move coins once for each number: ${no} has ${reported.length} moves.`);
    stage.require(
      [`${from} -${AMOUNT}`, `${to} ${AMOUNT}`].every((move) => reported.includes(move)),
      `Move exactly ${AMOUNT} out of ${from} into ${to}: reported were ${reported.join(', ')}.`,
    );
  },
};
