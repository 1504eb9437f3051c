import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { MS_MAX } from '../../wire/list.ts';
import {
  CHOICES_MAX,
  CONDITIONS_MAX,
  type ChoiceFact,
  type ChoiceOp,
  type FactName,
  type FlagFact,
  type NumberFact,
  type NumberOp,
  POINTS_MAX,
  RULES_MAX,
  RULE_NAME_MAX,
  choiceFacts,
  choiceOps,
  flagFacts,
  numberFacts,
  numberOps,
} from './catalogue.ts';
import {
  AnswerAmount,
  EmptyInput,
  Id,
  IdInput,
  Int,
  Ms,
  Name,
  Nullable,
  Reason,
  SignedOrZeroAmount,
  Strict,
} from '../../wire/schema.ts';

const oneOf = <V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>(Type.Union(values.map((value) => Type.Literal(value))));

const NumberCondition = Strict({
  fact: oneOf<NumberFact>(numberFacts),
  op: oneOf(Object.keys(numberOps) as NumberOp[]),
  value: SignedOrZeroAmount,
});
const FlagCondition = Strict({ fact: oneOf<FlagFact>(flagFacts), op: Type.Literal('is'), value: Type.Boolean() });
const ChoiceCondition = Strict({
  fact: oneOf<ChoiceFact>(choiceFacts),
  op: oneOf(Object.keys(choiceOps) as ChoiceOp[]),
  value: Type.Array(Name(64), { minItems: 1, maxItems: CHOICES_MAX, uniqueItems: true }),
});
export type NumberCondition = Static<typeof NumberCondition>;
export type ChoiceCondition = Static<typeof ChoiceCondition>;

const Condition = Type.Union([NumberCondition, FlagCondition, ChoiceCondition]);
/** A comparison of one fact with fixed values. */
export type Condition = Static<typeof Condition>;
const Conditions = Type.Array(Condition, { minItems: 1, maxItems: CONDITIONS_MAX });

const actionFields = {
  points: Type.Integer({ minimum: 0, maximum: POINTS_MAX, description: 'added to the points of the withdrawal' }),
  hold: Type.Boolean({ description: 'never passed automatically or in bulk' }),
  people: Type.Union([Type.Literal(0), Type.Literal(2), Type.Literal(3)], {
    description: 'least number of persons who pass it; 0: as the policy says',
  }),
  manual: Type.Boolean({ description: 'never passed automatically' }),
  openCase: Type.Boolean({ description: 'goes to the queue of cases' }),
  stopCoin: Type.Boolean({ description: 'stops automatic payouts of the coin' }),
};
const Actions = Strict(actionFields);
/** What follows for a withdrawal that a rule hits. */
export type RuleActions = Static<typeof Actions>;

const content = {
  name: Name(RULE_NAME_MAX),
  conditions: Conditions,
  actions: Actions,
  unknownHits: Type.Boolean({ description: 'whether conditions that are unknown count as true' }),
};
/** What an operator edits of a rule. */
export type RuleContent = Pick<RuleSave, keyof typeof content>;

const State = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
  description: '0 draft, 1 on trial, 2 in effect, 3 disabled',
});

const Row = Type.Object({
  id: Id,
  state: State,
  version: Type.Integer({ description: 'number of the current version, from 1' }),
  ...content,
  name: Type.String(),
  by: Type.String({ description: 'who changed it last; empty if it came with the installation' }),
  createdAt: Ms,
  updatedAt: Ms,
});
export type RuleRow = Static<typeof Row>;

const Version = Type.Object({
  version: Int,
  ...content,
  name: Type.String(),
  by: Type.String(),
  reason: Type.String(),
  createdAt: Ms,
});
export type RuleVersion = Static<typeof Version>;

const List = Type.Object({
  rules: Type.Array(Row),
  set: Int,
  backfill: Type.Object({
    recorded: Type.Integer({ description: 'id up to which facts of withdrawals are recorded, in the background' }),
    total: Type.Integer({ description: 'id of the last withdrawal' }),
  }),
});
export type RuleList = Static<typeof List>;

const Detail = Type.Object({
  row: Row,
  versions: Type.Array(Version, { description: 'latest first' }),
  sets: Type.Array(Type.Object({ set: Int, version: Int, trial: Type.Boolean(), by: Type.String(), at: Ms }), {
    description: 'the last rule sets with the rule, latest first',
  }),
});
export type RuleDetail = Static<typeof Detail>;

const Seen = Type.Integer({
  minimum: 0,
  maximum: MS_MAX,
  description: 'updatedAt that was read; 409 if it changed since',
});

const Save = Strict({
  id: Type.Optional(Id),
  seen: Type.Optional(Seen),
  ...content,
  reason: Type.Optional(Reason),
});
export type RuleSave = Static<typeof Save>;

const StateInput = Strict({ id: Id, state: State, seen: Seen, reason: Type.Optional(Reason) });
export type RuleStateInput = Static<typeof StateInput>;

/** Of the requests that are tested. */
export const BacktestPeriod = { from: Type.Optional(Ms), to: Type.Optional(Ms) };

const Backtest = Strict({
  conditions: Type.Optional(Conditions),
  unknownHits: Type.Optional(Type.Boolean({ description: 'of the conditions; default false' })),
  ids: Type.Optional(
    Type.Array(Id, { minItems: 1, maxItems: RULES_MAX, uniqueItems: true, description: 'rules, by current version' }),
  ),
  effective: Type.Optional(Type.Boolean({ description: 'every rule in effect as well' })),
  ...BacktestPeriod,
});
export type RuleBacktest = Static<typeof Backtest>;

const Hit = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  marketName: Type.String(),
  amount: AnswerAmount,
  valuation: Nullable(AnswerAmount),
  state: Int,
  createdAt: Ms,
});

export const BacktestResult = Type.Object({
  total: Type.Integer({ description: 'withdrawals with facts in the range' }),
  complete: Type.Boolean({ description: 'whether the facts of all earlier withdrawals are recorded' }),
  hits: Int,
  unknown: Type.Integer({ description: 'hits only because conditions were unknown' }),
  passed: Type.Integer({ description: 'hits that reviewers passed, whatever became of the payout' }),
  rejected: Int,
  cancelled: Int,
  open: Int,
  precision: Nullable(Type.String({ description: 'rejected hits in percent of the decided ones; two decimals' })),
  held: Type.String({ description: 'sum of the hits in USDT; those without a price are left out' }),
  unpriced: Type.Integer({ description: 'hits without a price' }),
  reviewMinutes: Nullable(Type.Integer({ description: 'median of the last reviews' })),
  addedMinutes: Nullable(Type.Integer({ description: 'hits times the median' })),
  days: Type.Array(Type.Object({ at: Ms, hits: Int }), { description: 'start of each day with hits' }),
  rules: Type.Array(Type.Object({ id: Nullable(Id), name: Type.String(), hits: Int }), {
    description: 'hits of each rule; without an id those of the bare conditions',
  }),
  newest: Type.Array(Hit),
});
export type BacktestResult = Static<typeof BacktestResult>;

/** A recorded fact: a decimal, yes or no, an option; null if unknown. */
const FactValue = Nullable(Type.Union([Type.String(), Type.Boolean()]));
export type FactValue = Static<typeof FactValue>;

const RuleHit = Type.Object({
  id: Id,
  name: Type.String(),
  trial: Type.Boolean({ description: 'it only recorded what it would have done' }),
  points: Int,
  rule: Nullable(
    Type.Object({
      version: Int,
      ...content,
      name: Type.String(),
      unknown: Type.Boolean({ description: 'it hit only because conditions were unknown' }),
    }),
  ),
});

const RuleRan = Type.Object({ id: Id, name: Type.String(), version: Int, trial: Type.Boolean() });
export type RuleRan = Static<typeof RuleRan>;

/** What the rules said about a withdrawal, for its detail. */
export const RuleResult = Type.Object({
  set: Type.Integer({ description: 'number of the rule set that ran' }),
  points: Int,
  hold: Type.Boolean(),
  people: Int,
  manual: Type.Boolean(),
  openCase: Type.Boolean(),
  stopCoin: Type.Boolean(),
  hits: Type.Array(RuleHit),
  ran: Nullable(Type.Array(RuleRan, { description: 'every rule of the set; only with full scope' })),
  facts: Nullable(
    Type.Unsafe<Partial<Record<FactName, FactValue>>>(
      Type.Record(Type.String(), FactValue as TSchema, { description: 'only with full scope' }),
    ),
  ),
});
export type RuleResult = Static<typeof RuleResult>;

export const ruleSchemas = {
  list: { input: EmptyInput, output: List },
  detail: { input: IdInput, output: Detail },
  save: { input: Save, output: Row },
  state: { input: StateInput, output: Row },
  backtest: { input: Backtest, output: BacktestResult },
};
