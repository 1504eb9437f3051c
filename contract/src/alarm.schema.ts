import { type Static, Type } from '@sinclair/typebox';
import { alarm } from './alarm.ts';
import { Id, Ms, Nullable, RequiredReason, Signed, Strict, endpoint, listEndpoint, page } from './schema.ts';

const row = {
  id: Id,
  kind: Type.String(),
  state: Type.Integer({ description: '0 open, 1 closed' }),
  targetType: Type.String({ description: 'noun of the record that it is about' }),
  targetId: Type.Integer(),
  userId: Nullable(Id),
  account: Nullable(Type.String({ description: 'user; null where the alarm is about no user' })),
  agent: Nullable(Type.String()),
  amount: Nullable(Signed),
  marketName: Nullable(Type.String()),
  txHash: Type.String({ description: 'empty where there is no transaction' }),
  explorer: Type.String({ description: "URL template of the network's block explorer" }),
  reason: Type.String({ description: 'why it was closed' }),
  by: Nullable(Type.String({ description: 'operator who closed it' })),
  closedAt: Nullable(Ms),
  createdAt: Ms,
};
const Row = Type.Object(row);
export type AlarmRow = Static<typeof Row>;

const Detail = Type.Object({
  ...row,
  happened: Type.String(),
  next: Type.String({ description: 'what the operator has to do' }),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'what was recorded when it was raised' }),
});
export type AlarmDetail = Static<typeof Detail>;

const ById = Strict({ id: Id });
export type AlarmId = Static<typeof ById>;
const Close = Strict({ id: Id, reason: RequiredReason });
export type AlarmClose = Static<typeof Close>;

export const alarmEndpoints = {
  list: listEndpoint(alarm.list, page(Row)),
  detail: endpoint(alarm.detail, ById, Detail),
  close: endpoint(alarm.close, Close, Row),
};
