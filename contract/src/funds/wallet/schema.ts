import { type Static, Type } from '@sinclair/typebox';
import { AnswerAmount, Id, Int, Ms, Nullable, coinSum, pageWithSums } from '../../wire/schema.ts';
import { type WalletKind, walletKinds } from './facts.ts';
import { walletItemSchemas } from './item.schema.ts';

export const WalletSchema = Type.Object({
  id: Id,
  no: Type.String({ description: "the platform's own id" }),
  name: Type.String({ description: "its name, or the platform's own id without one" }),
  kind: Type.Unsafe<WalletKind>(Type.String({ enum: Object.keys(walletKinds) })),
  state: Type.Integer({ description: '1 in use, 0 out of use' }),
  platformId: Id,
  platformName: Type.String(),
  marketId: Id,
  marketName: Type.String(),
  network: Type.String(),
  address: Type.String({ description: 'empty if it has none' }),
  memo: Type.String(),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  amount: { ...AnswerAmount, description: 'the last reading and what moved since; without a reading what moved' },
  differs: Int,
  difference: Nullable({
    ...AnswerAmount,
    description: 'what the last reading has above the first one and the moves between them; null without a reading',
  }),
  reading: Nullable({ ...AnswerAmount, description: 'the last one' }),
  readAt: Nullable(Ms),
  block: Nullable(Type.Integer({ description: 'of the last reading' })),
  createdAt: { ...Ms, description: 'when the platform first saved it' },
});
export type WalletRow = Static<typeof WalletSchema>;

const Sum = coinSum({ amount: AnswerAmount });
export type WalletSum = Static<typeof Sum>;

export const walletSchemas = { ...walletItemSchemas, list: { output: pageWithSums(WalletSchema, Sum) } };
