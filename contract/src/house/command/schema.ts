import { type Static, Type } from '@sinclair/typebox';
import { COMMAND } from '../../gateway/gateway.ts';
import { Id, Int, Ms, Nullable, Reason, AnswerAmount, Strict, page, ActionInput } from '../../wire/schema.ts';

const Row = Type.Object({
  id: Id,
  type: Type.String(),
  state: Int,
  targetType: Type.String({ description: 'noun of the record that the command concerns' }),
  targetId: Type.Integer(),
  userId: Nullable(Id),
  account: Nullable(Type.String({ description: 'account of the user; null if the command concerns no user' })),
  agent: Nullable(Type.String()),
  no: Type.String({ description: "the record's number at the platform; empty if it has none" }),
  marketName: Nullable(Type.String()),
  amount: Nullable(AnswerAmount),
  attempt: Type.Integer({ description: 'how often it was queued' }),
  reason: Type.String({ description: "the platform's answer, or the text of the operator who resolved it" }),
  superseded: Type.Boolean({ description: 'whether a later command of the same kind was issued for the same record' }),
  by: Nullable(Type.String({ description: 'operator who last retried or resolved it' })),
  sentAt: Nullable(Ms),
  doneAt: Nullable(Ms),
  createdAt: Ms,
});
export type CommandRow = Static<typeof Row>;

const Resolve = Strict({
  id: Id,
  state: Type.Union([Type.Literal(COMMAND.done), Type.Literal(COMMAND.failed)], {
    description: '2: the platform carried it out; 3: it did not',
  }),
  reason: Type.Optional(Reason),
});
export type CommandResolve = Static<typeof Resolve>;

export const commandSchemas = {
  list: { output: page(Row) },
  retry: { input: ActionInput, output: Row },
  resolve: { input: Resolve, output: Row },
};
