import { type Static, type TInteger, type TOptional, Type } from '@sinclair/typebox';
import {
  type CountKey,
  FACTS_SIZE_MAX,
  type FactNoun,
  type FactType,
  countKeys,
  countSpecs,
  factSpecs,
  notify,
} from './notify.ts';
import { Id, Int, Ms, Nothing, Nullable, Signed, Strict, endpoint } from './schema.ts';

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const StreamQuery = Strict({
  last: Type.Optional(Type.Integer({ ...Seq, description: 'id of the last fact that was seen; absent: from now on' })),
});
export type StreamInput = Static<typeof StreamQuery>;

const FactsQuery = Strict({
  after: Type.Optional(Type.Integer({ ...Seq, description: 'only facts with a greater id' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: FACTS_SIZE_MAX })),
});
export type FactsInput = Static<typeof FactsQuery>;

const counts = Object.fromEntries(
  countKeys.map((key) => [key, Type.Optional(Type.Integer({ minimum: 0, description: countSpecs[key].label }))]),
) as Record<CountKey, TOptional<TInteger>>;
const CountsAnswer = Type.Object(counts);
export type Counts = Static<typeof CountsAnswer>;

const FactRow = Type.Object({
  id: Seq,
  at: Ms,
  type: Type.Unsafe<FactType>(Type.String({ enum: Object.keys(factSpecs) })),
  noun: Type.Unsafe<FactNoun>(Type.String({ description: 'the list that it changes' })),
  refType: Type.String({ description: 'noun of the record that it is about' }),
  refId: Id,
  userId: Nullable(Id),
  account: Nullable(Type.String()),
  agent: Nullable(Type.String()),
  marketName: Nullable(Type.String()),
  amount: Nullable(Signed),
  state: Nullable(Int),
  detail: Type.String({ description: 'an approval’s action, an alarm’s kind, the list of an export' }),
  own: Type.Boolean({ description: 'the caller did it itself' }),
});
export type Fact = Static<typeof FactRow>;

const FactsPage = Type.Object({
  list: Type.Array(FactRow, { description: 'the latest first' }),
  last: Type.Integer({ ...Seq, description: 'the id up to which the answer is complete; streams go on from it' }),
});
export type FactsAnswer = Static<typeof FactsPage>;

export const notifyEndpoints = {
  stream: endpoint(notify.stream, StreamQuery, Type.Null()),
  counts: endpoint(notify.counts, Nothing, CountsAnswer),
  facts: endpoint(notify.facts, FactsQuery, FactsPage),
};
