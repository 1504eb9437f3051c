import { type Static, Type } from '@sinclair/typebox';
import { AnswerAmount, Id, IdInput, Int, Ms, Nullable, page } from '../../wire/schema.ts';
import { WalletSchema } from '../wallet/schema.ts';
import { type ProposalKind, type UnderWayKind, proposalKinds, underWayKinds } from './facts.ts';

/** Null while a platform with balances of the coin has no wallet with a reading. */
const known = (description: string) => Nullable({ ...AnswerAmount, description });

const ProposalWallet = Type.Pick(WalletSchema, [
  'id',
  'name',
  'kind',
  'platformId',
  'platformName',
  'marketId',
  'marketName',
  'network',
]);

const Proposal = Type.Object({
  kind: Type.Unsafe<ProposalKind>(Type.String({ enum: Object.keys(proposalKinds) })),
  from: ProposalWallet,
  to: ProposalWallet,
  amount: { ...AnswerAmount, description: 'with the decimals of the coin, and not more than `from` has' },
  missing: {
    ...AnswerAmount,
    description: 'what hot wallets still lack or have too much afterwards, because `from` has less',
  },
  ordered: {
    ...AnswerAmount,
    description: 'what is on its way into hot wallets, or out of them, and is counted already',
  },
  days: { ...AnswerAmount, description: 'days that hot wallets cover, with what is ordered' },
  boundDays: { ...AnswerAmount, description: 'the setting that `days` are below or above' },
  targetDays: { ...AnswerAmount, description: 'what hot wallets are to cover' },
});
export type WalletProposal = Static<typeof Proposal>;

const Row = Type.Object({
  id: { ...Id, description: 'of the coin' },
  marketId: Id,
  marketName: Type.String(),
  state: Type.Integer({ description: '0 not connected, 1 equal, 2 different' }),
  liabilities: { ...AnswerAmount, description: 'what users own' },
  custody: { ...AnswerAmount, description: 'what wallets must hold by the ledger' },
  wallets: known('what wallets hold'),
  underWay: known('what only ledger or wallets count yet: added to wallets, it gives what the ledger says'),
  difference: known('wallets and under way less custody'),
  hot: known('what hot wallets in use hold'),
  outflow: Nullable({
    ...AnswerAmount,
    description: 'net outflow of a day, 95th percentile of 30 days; null without outflow',
  }),
  days: Nullable({ ...AnswerAmount, description: 'days of this outflow that hot wallets cover' }),
  proposal: Nullable(Proposal),
  readAt: Nullable({ ...Ms, description: 'the oldest of the last readings of wallets in use' }),
  createdAt: { ...Ms, description: 'when ledger and wallets were compared' },
});
export type WalletCoinRow = Static<typeof Row>;

const UnderWay = Type.Object({
  kind: Type.Unsafe<UnderWayKind>(Type.String({ enum: Object.keys(underWayKinds) })),
  refId: { ...Id, description: 'of the move, the recharge, the withdrawal or the chain fee' },
  no: Type.String({ description: "the platform's number; of a fee its transaction" }),
  amount: { ...AnswerAmount, description: 'what the ledger has above the wallets because of it' },
  txHash: Type.String({ description: 'empty if unknown' }),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  network: Type.String(),
  at: Ms,
});
export type UnderWayItem = Static<typeof UnderWay>;

const Detail = Type.Object({
  row: Row,
  wallets: Type.Array(WalletSchema, { description: 'those that differ first, then the largest; at most 100' }),
  walletCount: Int,
  underWay: Type.Array(UnderWay, { description: 'oldest first, at most 100' }),
  underWayCount: Int,
  missing: Type.Array(Type.String(), { description: 'names of platforms with balances and without a reading' }),
});
export type WalletCoinDetail = Static<typeof Detail>;

export const walletCoinSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
};
