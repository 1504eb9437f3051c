import { type Static, Type } from '@sinclair/typebox';
import {
  ActionInput,
  AnswerAmount,
  Id,
  Int,
  Ms,
  Nullable,
  PositiveAmount,
  RequiredReason,
  Strict,
  page,
  priceAge,
} from '../../wire/schema.ts';
import type { WalletKind } from '../wallet/facts.ts';

const Kind = Type.Unsafe<WalletKind>(Type.String({ description: 'hot, warm, cold, deposit, gas or exchange' }));
const Hash = Nullable(Type.String({ description: 'hash of the move on the chain; null until it is reported' }));

const Row = Type.Object({
  id: Id,
  no: Type.String({ description: 'number in the command and in `record` of the moves' }),
  state: Int,
  platformId: Id,
  platformName: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  network: Type.String(),
  fromId: Id,
  fromWallet: Type.String({ description: 'name of the wallet, or its id at the platform' }),
  fromKind: Kind,
  toId: Id,
  toWallet: Type.String({ description: 'name of the wallet, or its id at the platform' }),
  toKind: Kind,
  amount: AnswerAmount,
  outHash: Hash,
  inHash: Hash,
  reason: Type.String({ description: 'why it was ordered' }),
  answer: Type.String({ description: 'what the wallet said, or the person who cancelled or resolved it' }),
  by: Type.String(),
  secondBy: Nullable(Type.String()),
  resolvedBy: Nullable(Type.String({ description: 'who cancelled or resolved it' })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type WalletTransferRow = Static<typeof Row>;

const wallets = {
  fromId: { ...Id, description: 'the wallet that pays' },
  toId: { ...Id, description: 'another wallet of the same platform, coin and network' },
};

const Request = Strict({ ...wallets, amount: PositiveAmount, reason: RequiredReason });
export type WalletTransferRequest = Static<typeof Request>;

const PreviewInput = Strict({ ...wallets, amount: Type.Optional(PositiveAmount) });
export type WalletTransferPreviewInput = Static<typeof PreviewInput>;

const Preview = Type.Object({
  available: Nullable({
    ...AnswerAmount,
    description: 'last reading less what open transfers take; null without a reading',
  }),
  valuation: Nullable(Type.String({ description: 'the amount in USDT; null if the coin has no price' })),
  ...priceAge,
  needsApproval: Type.Boolean({ description: 'whether the call will need a second person' }),
  refusal: Nullable(Type.String({ description: 'why the call would be refused now' })),
});
export type WalletTransferPreview = Static<typeof Preview>;

const Resolve = Strict({
  id: Id,
  done: Type.Boolean({ description: 'whether the wallet has moved the coins' }),
  reason: RequiredReason,
});
export type WalletTransferResolve = Static<typeof Resolve>;

export const walletTransferSchemas = {
  list: { output: page(Row) },
  preview: { input: PreviewInput, output: Preview },
  request: { input: Request, output: Row },
  cancel: { input: ActionInput, output: Row },
  resolve: { input: Resolve, output: Row },
};
