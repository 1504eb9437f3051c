import { type Static, Type } from '@sinclair/typebox';
import { type AlarmStop, alarmStopLabels } from './stops.ts';
import { Id, Int, Ms, Nullable, AnswerAmount, page, IdInput, ReasonInput } from '../../wire/schema.ts';

const row = {
  id: Id,
  kind: Type.String(),
  state: Type.Integer({ description: '0 open, 1 closed' }),
  targetType: Type.String({ description: 'noun of the record that the alarm concerns' }),
  targetId: Type.Integer(),
  userId: Nullable(Id),
  account: Nullable(Type.String({ description: 'account of the user; null if the alarm concerns no user' })),
  agent: Nullable(Type.String()),
  amount: Nullable(AnswerAmount),
  marketName: Nullable(Type.String()),
  txHash: Type.String({ description: 'empty without a transaction' }),
  stops: Type.Unsafe<AlarmStop>(
    Type.String({
      enum: Object.keys(alarmStopLabels),
      description: 'automatic payouts that it stops; closed: nothing',
    }),
  ),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  reason: Type.String({ description: 'conclusion of the operator who closed it' }),
  by: Nullable(Type.String({ description: 'account of the operator who closed it' })),
  closedAt: Nullable(Ms),
  createdAt: Ms,
};
const Row = Type.Object(row);
export type AlarmRow = Static<typeof Row>;

const Detail = Type.Object({
  ...row,
  happened: Type.String(),
  next: Type.String({ description: 'instructions for the operator' }),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'values recorded when the alarm was raised' }),
  occurrences: Type.Object(
    {
      list: Type.Array(Type.Object({ id: Id, detail: Type.Record(Type.String(), Type.Unknown()), createdAt: Ms }), {
        description: 'at most 100, latest first',
      }),
      total: Int,
    },
    { description: 'what happened while the alarm was open' },
  ),
});
export type AlarmDetail = Static<typeof Detail>;

export const alarmSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
  close: { input: ReasonInput, output: Row },
};
