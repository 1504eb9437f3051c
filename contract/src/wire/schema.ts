import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { CallSpec } from './endpoint.ts';
import {
  type Filter,
  type ListSpec,
  filtersOf,
  singleField,
  BULK_MAX,
  INT_MAX,
  MS_MAX,
  PAGE_MAX,
  PAGE_SIZE_MAX,
} from './list.ts';
import {
  AMOUNT_PATTERN,
  POSITIVE_AMOUNT_PATTERN,
  SIGNED_AMOUNT_PATTERN,
  SIGNED_OR_ZERO_AMOUNT_PATTERN,
} from '../values/money.ts';
import { DATE_PATTERN } from '../values/real-date.ts';

/** Schema keyword: the property's value is ignored if another property has the given value. */
export const IGNORED_WHEN = 'x-ignored-when';
export interface IgnoredWhen {
  field: string;
  value: unknown;
}

/** Schema keyword: the property's amount must not be less than that of another property. */
export const AT_LEAST = 'x-at-least';

/** A closed object: unknown fields are refused, not ignored. */
export const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Format of integers that a body may also contain as decimal strings. */
export const ID_FORMAT = 'id';
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: ID_FORMAT });
/** As Id, or 0 for all or none. */
export const IdOrZero = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: ID_FORMAT });
/** A non-negative integer that fits PostgreSQL's integer columns. */
export const Int = Type.Integer({ minimum: 0, maximum: INT_MAX });
const msRange = { minimum: 0, maximum: MS_MAX };
export const Ms = Type.Integer({ ...msRange, description: 'unix milliseconds' });
export const Amount = Type.String({ pattern: AMOUNT_PATTERN, description: 'decimal string' });
export const PositiveAmount = Type.String({
  pattern: POSITIVE_AMOUNT_PATTERN,
  description: 'decimal string above zero',
});
export const SignedAmount = Type.String({
  pattern: SIGNED_AMOUNT_PATTERN,
  description: 'decimal string, above or below zero',
});
export const SignedOrZeroAmount = Type.String({
  pattern: SIGNED_OR_ZERO_AMOUNT_PATTERN,
  description: 'decimal string, may be negative',
});
const RealDate = Type.String({ pattern: DATE_PATTERN, description: 'YYYY-MM-DD, a date of the calendar' });
/** An amount in an answer; may be negative. */
export const AnswerAmount = Type.String({ description: 'canonical decimal string' });
export const Switch = Type.Union([Type.Literal(0), Type.Literal(1)]);
export const Account = Type.String({ pattern: '^[A-Za-z0-9._@+-]{2,64}$' });
export const Password = Type.String({ minLength: 8, maxLength: 128 });
/** A pattern without lone surrogates, which UTF-8 and the database's JSON cannot represent. */
const plainText = (excluded: string) => `(?:[^${excluded}\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])`;
const MULTI_LINE = plainText('\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f');
const SINGLE_LINE = plainText('\\u0000-\\u001f\\u007f');
/** Plain text of one or more lines, without control characters other than line ends and tabs. */
export const Text = (maxLength: number, minLength = 0) =>
  Type.String({ minLength, maxLength, pattern: `^${MULTI_LINE}*$` });
/** Addresses, hashes and numbers of the platform: neither format nor uniqueness is checked. */
export const OpaqueText = Type.String({ minLength: 1, maxLength: 256, pattern: `^${SINGLE_LINE}+$` });
/** One line without leading or trailing white space. */
export const Name = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?=\\S)(?=[\\s\\S]*\\S$)${SINGLE_LINE}+$` });
export const Reason = Text(200);
/** Text that is not only white space. */
export const FilledText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: `^(?=[\\s\\S]*\\S)${MULTI_LINE}*$` });
export const RequiredReason = FilledText(200);
export const Ids = Type.Array(Id, { minItems: 1, maxItems: BULK_MAX, uniqueItems: true });
export const EmptyInput = Strict({});
export const IdInput = Strict({ id: Id });
export type IdInput = Static<typeof IdInput>;
export const ActionInput = Strict({ id: Id, reason: Type.Optional(Reason) });
export type ActionInput = Static<typeof ActionInput>;
export const ReasonInput = Strict({ id: Id, reason: RequiredReason });
export type ReasonInput = Static<typeof ReasonInput>;
export const BulkInput = Strict({ ids: Ids, reason: Type.Optional(Reason) });
export type BulkInput = Static<typeof BulkInput>;
export const PageNumber = Type.Integer({ minimum: 1, maximum: PAGE_MAX });
export const PageSize = Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX });

/** Cancels all open orders of a market. */
export const MarketCancelInput = Strict({ marketId: Id, reason: RequiredReason });
export type MarketCancelInput = Static<typeof MarketCancelInput>;
export const MarketCancelled = Type.Object({ marketId: Id, marketName: Type.String(), orders: Int });
export type MarketCancelled = Static<typeof MarketCancelled>;
export const MarketInput = Strict({ marketId: Id });
export type MarketInput = Static<typeof MarketInput>;
/** The first fields of what such a cancel would affect. */
export const marketCancelPreview = {
  marketId: Id,
  marketName: Type.String(),
  orders: Type.Integer({ description: 'open orders without a pending cancel' }),
  users: Int,
  cancelling: Int,
  second: Type.Boolean({ description: 'whether the call needs a second person under the current policy' }),
};
export type MarketCancelPreview = Static<TObject<typeof marketCancelPreview>>;

/** Exact sums of one coin over a filtered list. */
export const coinSum = <P extends TProperties>(sums: P) =>
  Type.Object({ marketId: Id, marketName: Type.String(), count: Int, ...sums });

/** Amounts in several coins. They are never added up. */
export const CoinAmounts = Type.Array(Type.Object({ marketName: Type.String(), amount: AnswerAmount }));
export type CoinAmounts = Static<typeof CoinAmounts>;

/** The first fields of a row that is about a user and has a number of the platform. */
export const userRecord = {
  id: Id,
  no: Type.String({ description: "the platform's own number" }),
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
};
/** As `userRecord`, with the market or coin of the row. */
export const marketRecord = { ...userRecord, marketId: Id, marketName: Type.String() };

/** The price behind a value in USDT. */
export const priceAge = {
  pricedAt: Nullable(
    Type.Integer({ ...msRange, description: 'time of the oldest price in it; null without a price, as for USDT' }),
  ),
  priceOld: Type.Boolean({ description: 'the price is older than the setting allows: above every limit of a policy' }),
};

/** The open approval of a record, or the one that decided it. Without either, all fields are null. */
export const recordApproval = {
  openId: Nullable({ ...Id, description: 'null unless it waits' }),
  maker: Nullable(Type.String({ description: "null outside the caller's tree" })),
  checker: Nullable(Type.String({ description: "the one who decided it; null outside the caller's tree" })),
  submittedAt: Nullable(Ms),
};
const RecordApproval = Type.Object(recordApproval);
export type RecordApproval = Static<typeof RecordApproval>;

/** The user of a record, as shown to its reviewer. `valuation` is in USDT. */
export const Customer = Type.Object({
  id: Id,
  account: Type.String(),
  agent: Type.String(),
  agentRoot: Type.String(),
  remark: Type.String(),
  state: Int,
  auth: Int,
  createdAt: Ms,
  lastLoginAt: Nullable(Ms),
  lastLoginIp: Nullable(Type.String()),
  valuation: Nullable(AnswerAmount),
});

/** What the timeline of a record under review shows of its user, latest first. */
export const customerTimeline = {
  logins: Type.Array(Type.Object({ id: Id, ip: Type.String(), device: Nullable(Type.String()), at: Ms })),
  notes: Type.Array(
    Type.Object({
      id: Id,
      text: Type.String(),
      by: Type.String({ description: "-- if the operator is outside the caller's tree" }),
      createdAt: Ms,
    }),
  ),
};
/** How long a record may wait in its queue. */
export const QueueTarget = Type.Integer({ description: 'target waiting time in minutes; 0 if there is none' });

export const page = <R extends TSchema>(row: R) => Type.Object({ list: Type.Array(row), total: Int });
export const pageWithSums = <R extends TSchema, S extends TSchema>(row: R, sum: S) =>
  Type.Object({ list: Type.Array(row), total: Int, summary: Type.Optional(Type.Array(sum)) });

/** The result for each id of a bulk call. */
export const BulkResult = Type.Object({
  results: Type.Array(Type.Object({ id: Id, code: Type.Integer(), msg: Type.String() })),
});
export type BulkResult = Static<typeof BulkResult>;

/** The query schema of a list, derived from its filters. */
export function listInput(list: ListSpec): TObject {
  const properties: TProperties = {
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
    from: Type.Optional(Ms),
    to: Type.Optional(Ms),
    sort: Type.Optional(sortSchema(list)),
  };
  for (const filter of filtersOf(list)) {
    properties[filter.field] = Type.Optional(filterSchema(filter));
  }
  return Strict(properties);
}

function sortSchema(list: ListSpec): TSchema {
  const fields = ['id', 'createdAt', ...(list.sortable ?? [])];
  return Type.Union(fields.flatMap((field) => [Type.Literal(field), Type.Literal(`-${field}`)]));
}

function filterSchema(filter: Filter): TSchema {
  const { kind, type, options } = filter;
  if (type === 'text') return Text(256);
  if (type === 'date') return RealDate;
  if (type === 'ints') return severalSchema(singleField(filter), Object.keys(options ?? {}));
  if (type === 'amount' || type === 'signed') {
    const schema = type === 'signed' ? SignedOrZeroAmount : Amount;
    const description = `${schema.description}; ${kind === 'min' ? 'least' : 'greatest'} amount of the rows, inclusive`;
    return { ...schema, description, ...(kind === 'max' && { [AT_LEAST]: 'amountFrom' }) };
  }
  if (!options) return type === 'id' ? IdOrZero : Int;
  return Type.Union(Object.keys(options).map((value) => Type.Literal(Number(value))));
}

/** Some of the values, separated by commas. */
function severalSchema(single: string, values: readonly string[]): TSchema {
  const one = `(${values.join('|')})`;
  return Type.String({
    pattern: `^${one}(,${one}){0,${values.length - 1}}$`,
    description: `one or several of ${values.join(', ')}, separated by commas; together with ${single}, both apply`,
  });
}

/** A call with the schemas of its input and output data. */
export interface Endpoint {
  call: CallSpec;
  input: TSchema;
  /** The query string of a call whose raw body is a file. */
  fileQuery?: TSchema;
  output: TSchema;
}
