import { type Static, Type } from '@sinclair/typebox';
import { PRICE_PROTECTION_MINUTES_MAX } from '../../wire/input-values.ts';
import {
  Account,
  Id,
  Int,
  Ms,
  Nullable,
  PositiveAmount,
  Reason,
  RequiredReason,
  AnswerAmount,
  Strict,
  Switch,
  page,
  IdInput,
} from '../../wire/schema.ts';

const PriceProtectionType = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)]);
const Minutes = Type.Integer({ minimum: 1, maximum: PRICE_PROTECTION_MINUTES_MAX });

const Row = Type.Object({
  id: Type.Integer({ description: 'id of the market' }),
  marketName: Type.String(),
  icon: Type.String(),
  marketType: PriceProtectionType,
  price: Nullable(AnswerAmount),
  maxPrice: Nullable(AnswerAmount),
  minPrice: Nullable(AnswerAmount),
  planState: Int,
  /** Whether the price is monitored while trading is not halted. */
  watched: Switch,
  planMinute: Int,
  planPrice: Nullable(Type.String({ description: 'reference price shown with the band; never published as a price' })),
  triggeredAt: Nullable(Ms),
  triggerPrice: Nullable(AnswerAmount),
  haltedBy: Nullable(Type.String()),
  resumeAt: Nullable(Ms),
  pricePrecision: Int,
  /** Whether the market offers this kind of trading. */
  open: Switch,
  sort: Int,
  updatedBy: Nullable(Type.String()),
  version: Int,
  createdAt: Ms,
  updatedAt: Ms,
});
export type PriceProtectionRow = Static<typeof Row>;

/** As the list answers a plan, so null is a price that was never set, and state 2 that of a halted market. */
const Save = Strict({
  id: Id,
  marketType: PriceProtectionType,
  maxPrice: Nullable(PositiveAmount),
  minPrice: Nullable(PositiveAmount),
  planState: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
    description: '2 is accepted only while trading is halted, and leaves the monitoring as it is',
  }),
  planMinute: Minutes,
  planPrice: Nullable(PositiveAmount),
  version: Type.Optional(Int),
  reason: Type.Optional(Reason),
});
export type PriceProtectionSave = Static<typeof Save>;

const Halt = Strict({ id: Id, marketType: PriceProtectionType, planMinute: Minutes, reason: RequiredReason });
export type PriceProtectionHalt = Static<typeof Halt>;

const HaltsInput = Strict({ id: Id, marketType: PriceProtectionType });
export type PriceProtectionHaltsInput = Static<typeof HaltsInput>;

const HaltRow = Type.Object({
  id: Id,
  triggeredAt: Ms,
  triggerPrice: Nullable(Type.String({ description: 'price that left the band; null if an operator halted' })),
  minPrice: Nullable(Type.String({ description: 'the band at that time' })),
  maxPrice: Nullable(AnswerAmount),
  haltedBy: Nullable(Type.String()),
  reason: Type.String(),
  resumeAt: Type.Integer({ description: 'when trading was to resume by itself' }),
  resumedAt: Nullable(Ms),
  resumedBy: Nullable(Type.String({ description: 'operator who ended it early' })),
});
export type PriceProtectionHaltRow = Static<typeof HaltRow>;

const Resume = Strict({ id: Id, marketType: PriceProtectionType, reason: RequiredReason });
export type PriceProtectionResume = Static<typeof Resume>;

const agents = Type.Array(Account, { maxItems: 200, uniqueItems: true });
const Permission = Type.Object({
  marketId: Id,
  agent: Type.Array(Type.String()),
  version: Type.Integer({ description: 'raised by each save of the agents' }),
});
export type PriceProtectionPermission = Static<typeof Permission>;
const Permit = Strict({
  marketId: Id,
  agent: agents,
  version: Type.Optional(Type.Integer({ ...Int, description: 'version that was read; 409 if it changed since' })),
  reason: Type.Optional(Reason),
});
export type PriceProtectionPermit = Static<typeof Permit>;

export const priceProtectionSchemas = {
  list: { output: page(Row) },
  save: { input: Save, output: Row },
  halts: { input: HaltsInput, output: Type.Array(HaltRow) },
  halt: { input: Halt, output: Row },
  resume: { input: Resume, output: Row },
  permission: { input: IdInput, output: Permission },
  permit: { input: Permit, output: Permission },
};
