import { type Static, Type } from '@sinclair/typebox';
import { AnswerAmount, Id, Int, Ms, Nullable, RequiredReason, Strict, page } from '../../wire/schema.ts';
import { type WalletItemCause, type WalletItemKind, walletItemCauses, walletItemKinds } from './item.ts';

const payment = {
  id: Id,
  no: Type.String({ description: "the platform's number" }),
  marketName: Type.String(),
  network: Type.String(),
  amount: { ...AnswerAmount, description: 'above zero into the wallet, below zero out of it' },
  address: Type.String({ description: 'of the other side; empty if unknown' }),
  memo: Type.String(),
  txHash: Type.String({ description: 'empty if unknown' }),
  index: Nullable(Int),
  attempt: Nullable(Int),
  at: Ms,
};

const Move = Type.Object({
  ...payment,
  kind: Type.String({ description: 'deposit, payout, move, fee or other' }),
  wallet: Type.String({ description: "the platform's id of the wallet" }),
  walletName: Type.String(),
  fee: Nullable(AnswerAmount),
  feeMarket: Nullable(Type.String()),
  record: Nullable(Type.String({ description: 'the number of the record, if the platform named it' })),
  block: Nullable(Type.Integer()),
  revertedAt: Nullable(Ms),
});

const Record = Type.Object({
  ...payment,
  type: Type.Unsafe<'withdraw' | 'recharge'>(Type.String({ enum: ['withdraw', 'recharge'] })),
  account: Type.String({ description: 'of the user' }),
  state: Type.Integer({ description: 'of the withdrawal or recharge' }),
});

const Item = Type.Object({
  id: Id,
  kind: Type.Unsafe<WalletItemKind>(Type.String({ enum: Object.keys(walletItemKinds) })),
  why: Type.Unsafe<WalletItemCause>(Type.String({ enum: Object.keys(walletItemCauses) })),
  state: Type.Integer({ description: '0 waiting, 1 matched, 2 different, 3 explained, 4 reverted' }),
  platformId: Id,
  platformName: Type.String(),
  marketId: Nullable(Id),
  marketName: Type.String(),
  network: Type.String(),
  amount: { ...AnswerAmount, description: 'of the move, or of the record without one; signed as the wallet sees it' },
  excess: {
    ...AnswerAmount,
    description: 'what wallets hold above what the ledger says because of the item; an explanation as own posts it',
  },
  txHash: Type.String(),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  move: Nullable(Move),
  record: Nullable(Record),
  differs: Type.Array(Type.String(), { description: 'fields in which move and record differ' }),
  alarmId: Nullable({ ...Id, description: 'of an outflow that nobody ordered' }),
  reason: Type.String({ description: 'of the explanation' }),
  by: Nullable(Type.String()),
  secondBy: Nullable(Type.String()),
  own: Nullable(Type.Boolean({ description: 'whether it was explained as money of the owner' })),
  explainedAt: Nullable(Ms),
  createdAt: { ...Ms, description: 'when the item was opened' },
});
export type WalletItem = Static<typeof Item>;

const Explain = Strict({
  id: Id,
  own: Type.Boolean({
    description: 'no user owns it: the excess is posted between custody and the own capital; false posts nothing',
  }),
  reason: RequiredReason,
});
export type WalletExplain = Static<typeof Explain>;

export const walletItemSchemas = {
  items: { output: page(Item) },
  explain: { input: Explain, output: Item },
};
