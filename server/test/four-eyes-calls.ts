import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import type { MutatingCall } from '@hengtai/contract/authority/guards';
import { endpoints } from '@hengtai/contract/index.schema';
import { nouns } from '@hengtai/contract/index';
import { Decimal } from '@hengtai/contract/values/decimal';
import { AMOUNT_PATTERN, POSITIVE_AMOUNT_PATTERN } from '@hengtai/contract/values/money';
import type { TSchema } from '@sinclair/typebox';
import { PASSWORD } from './factories.ts';
import { unique } from './server.ts';

/** Random inputs for every mutating call, built from its schema and the existing records. */

const OWN_LOGIN = 'opens, ends or secures only the own session';
const TEXT = 'writes text or marks, which no limit and no policy reads';
const SHOWN = 'shows customers links, which lock-switches.test.ts covers';
const SIGNED = 'has an effect only with signatures of several persons';
const STEERS = 'says who works on a record, and decides nothing';
const SCREEN = "changes only the caller's own screen";

/** Calls that the model skips because they neither move money nor loosen a protection. It plays all others. */
export const SKIPPED_CALLS: Partial<
  Record<MutatingCall | 'session.me' | 'otp.state' | 'passkey.list' | 'passkey.offer' | 'oidc.offer', string>
> = {
  'session.login': OWN_LOGIN,
  'session.logout': OWN_LOGIN,
  'session.me': OWN_LOGIN,
  'session.password': OWN_LOGIN,
  'session.kick': OWN_LOGIN,
  'session.kickOthers': OWN_LOGIN,
  'otp.state': OWN_LOGIN,
  'otp.setup': OWN_LOGIN,
  'otp.confirm': OWN_LOGIN,
  'otp.disable': OWN_LOGIN,
  'otp.recovery': OWN_LOGIN,
  'otp.fresh': OWN_LOGIN,
  'passkey.list': OWN_LOGIN,
  'passkey.enrol': OWN_LOGIN,
  'passkey.add': OWN_LOGIN,
  'passkey.rename': OWN_LOGIN,
  'passkey.del': OWN_LOGIN,
  'passkey.begin': OWN_LOGIN,
  'passkey.fresh': OWN_LOGIN,
  'passkey.offer': OWN_LOGIN,
  'passkey.loginBegin': OWN_LOGIN,
  'passkey.login': OWN_LOGIN,
  'signing.enrol': SIGNED,
  'signing.propose': SIGNED,
  'signing.add': SIGNED,
  'signing.close': SIGNED,
  'oidc.offer': OWN_LOGIN,
  'oidc.begin': OWN_LOGIN,
  'oidc.login': OWN_LOGIN,
  'agent.remark': TEXT,
  'user.noteAdd': TEXT,
  'user.remark': TEXT,
  'fund.check': TEXT,
  'fund.doubt': TEXT,
  'fund.reset': TEXT,
  'auth.reveal': TEXT,
  'auth.find': TEXT,
  'announce.add': SHOWN,
  'announce.save': SHOWN,
  'announce.del': TEXT,
  'announce.imageAdd': TEXT,
  'second.evidence': TEXT,
  'service.open': TEXT,
  'service.send': TEXT,
  'service.close': TEXT,
  'service.assign': TEXT,
  'service.read': TEXT,
  'service.replySave': TEXT,
  'service.replyDel': TEXT,
  'report.make': TEXT,
  'alarm.close': TEXT,
  'autoPayout.review': TEXT,
  'addressList.upload': TEXT,
  'screening.requestWithdraw': TEXT,
  'screening.requestAuth': TEXT,
  'queue.next': STEERS,
  'queue.claim': STEERS,
  'queue.release': STEERS,
  'queue.park': STEERS,
  'queue.handOver': STEERS,
  'queue.escalate': STEERS,
  'queue.comment': STEERS,
  'queue.absent': STEERS,
  'preference.save': SCREEN,
  'view.save': SCREEN,
  'view.del': SCREEN,
  'channel.save': SCREEN,
  'channel.test': SCREEN,
  'channel.del': SCREEN,
  'schedule.add': SCREEN,
  'schedule.save': SCREEN,
  'schedule.del': SCREEN,
  'export.cancel': SCREEN,
  'export.remove': SCREEN,
};

export interface ModelCall {
  name: string;
  noun: string;
  spec: CallSpec;
  properties: Record<string, TSchema>;
  required: readonly string[];
}

type Endpoints = Readonly<Record<string, Record<string, { input: TSchema }>>>;

/** Every mutating call that is not skipped, with the schema of its input. */
export const modelCalls: readonly ModelCall[] = Object.entries(nouns).flatMap(([noun, calls]) =>
  Object.entries<CallSpec>(calls)
    .filter(([call, { kind }]) => (kind === 'action' || kind === 'session') && !(`${noun}.${call}` in SKIPPED_CALLS))
    .map(([call, spec]) => {
      const input = (endpoints as Endpoints)[noun]?.[call]?.input;
      if (!input) throw new Error(`${noun}.${call} has no schema.`);
      return {
        name: `${noun}.${call}`,
        noun,
        spec,
        properties: input['properties'] ?? {},
        required: input['required'] ?? [],
      };
    }),
);

/** Existing values that a call can name: ids by noun, accounts of agents, and complete rows to save. */
export interface ExistingValues {
  ids: Readonly<Record<string, readonly number[]>>;
  agents: readonly string[];
  /** Complete inputs, sent unchanged or with a few changed fields. */
  saved: Readonly<Record<string, readonly Input[]>>;
  /** Inputs of earlier calls and of open requests, by noun: what they named is preferred. */
  touched: readonly { noun: string; input: Input }[];
}

export type Input = Readonly<Record<string, unknown>>;
type RandomBelow = (n: number) => number;

export function pickRandom<T>(below: RandomBelow, from: readonly T[]): T | undefined {
  return from[below(from.length || 1)];
}

const AMOUNTS = ['1', '40', '100', '400', '999.999999', '1000', '1000', '1000.000001', '5000', '0.000000000000000001'];
const NUMBERS = ['0', '1', '0.5', '99', '999', '1000', '100000'];
const UNKNOWN_ID = 999_999_999;

/** Fields that hold the id of another noun than that of the call. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  userId: 'user',
  marketId: 'market',
  historyId: 'history',
  operatorId: 'agent',
  deleteId: 'agent',
};
const ACCOUNT_FIELDS = ['parent', 'parentAccount', 'agent', 'replaceAccount'];

/** Fields that say which record an input is about. They never change. */
const IDENTITY_FIELDS = ['id', 'marketId', 'level', 'groupId', 'marketType', 'list', 'type'];
const VERSION_FIELDS = ['version', 'seen', 'managed'];

const isSameRecord = (one: Input, other: Input): boolean =>
  IDENTITY_FIELDS.every(
    (field) => one[field] === undefined || other[field] === undefined || one[field] === other[field],
  );

/** Two of three draws name what an earlier call or an open request named: most attacks need several calls of one record. */
function preferTouched<T>(from: readonly T[], isTouched: (one: T) => boolean, below: RandomBelow): T | undefined {
  const touched = below(3) > 0 ? from.filter(isTouched) : [];
  return pickRandom(below, touched.length > 0 ? touched : from);
}

/** A random input: most ids exist, optional fields are present at random. */
export function makeInput(call: ModelCall, pools: ExistingValues, below: RandomBelow): Input {
  const inputs = pools.touched.filter(({ noun }) => noun === call.noun).map(({ input }) => input);
  const isTouched = (row: Input) => inputs.some((input) => isSameRecord(row, input));
  const row = preferTouched(pools.saved[call.name] ?? [], isTouched, below);
  if (row) return changeRow(row, call, pools, below);
  const input: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(call.properties)) {
    if (!call.required.includes(field) && (below(2) === 0 || SKIPPED_FIELDS.has(field))) continue;
    input[field] = valueOf(field, schema, call, pools, below);
  }
  return input;
}

/** A row with up to two changed fields. Half of the inputs leave out the optional fields that stay: single parts of a record. */
function changeRow(row: Input, call: ModelCall, pools: ExistingValues, below: RandomBelow): Input {
  const isFixed = (field: string) => IDENTITY_FIELDS.includes(field) || VERSION_FIELDS.includes(field);
  const fields = Object.keys(row).filter((field) => !isFixed(field));
  const changed = new Set(Array.from({ length: below(3) }, () => pickRandom(below, fields) ?? ''));
  const isPart = changed.size > 0 && below(2) === 0;
  const entries = Object.entries(row).flatMap(([field, value]): [string, unknown][] => {
    const schema = call.properties[field];
    if (changed.has(field) && schema) return [[field, valueNear(value, field, schema, call, pools, below)]];
    return isPart && !isFixed(field) && !call.required.includes(field) ? [] : [[field, value]];
  });
  const reason = call.properties['reason'] && below(2) === 0 ? { reason: 'x' } : {};
  return { ...Object.fromEntries(entries), ...reason };
}

/** Factors of an amount, so that values near a bound and far above it occur. */
const FACTORS = ['0', '0.5', '0.9', '1.1', '2', '10', '1000000'];
const NAMES = ['vip', 'watched', 'gold', 'silver'];
const NETWORKS = [[], ['10.0.0.0/8'], ['10.1.0.0/16'], ['10.0.0.0/8', '192.0.2.1'], ['0.0.0.0/0']];

/** Another value of a field, from its present one if that is an amount. */
function valueNear(
  value: unknown,
  field: string,
  schema: TSchema,
  call: ModelCall,
  pools: ExistingValues,
  below: RandomBelow,
): unknown {
  if (field === 'name') return pickRandom(below, NAMES);
  if (field === 'addresses') return pickRandom(below, NETWORKS);
  const isAmount = typeof value === 'string' && new RegExp(AMOUNT_PATTERN).test(value);
  if (!isAmount || below(4) === 0) return valueOf(field, schema, call, pools, below);
  return new Decimal(value).mul(pickRandom(below, FACTORS) ?? 1).toFixed();
}

/** Optional fields that reject the input if they do not match the current state. */
const SKIPPED_FIELDS = new Set(['seen', 'version', 'hash']);

function valueOf(field: string, schema: TSchema, call: ModelCall, pools: ExistingValues, below: RandomBelow): unknown {
  const noun = call.spec.targetBy === field && call.spec.target ? call.spec.target : (ID_FIELDS[field] ?? call.noun);
  const idsOf = (): readonly number[] => pools.ids[noun] ?? [];
  const named = pools.touched.flatMap((one) => (one.noun === noun ? [one.input['id']] : [one.input[field]]));
  if (field === 'ids') return [...new Set([0, 1, 2].map(() => pickRandom(below, idsOf()) ?? UNKNOWN_ID))];
  if (field === 'id' || ID_FIELDS[field] !== undefined)
    return preferTouched(idsOf(), (id) => named.includes(id), below) ?? UNKNOWN_ID;
  if (ACCOUNT_FIELDS.includes(field)) {
    const account = pickRandom(below, pools.agents) ?? '';
    return schema['type'] === 'array' ? [account] : account;
  }
  if (field === 'account') return unique('puppet');
  if (/password/i.test(field)) return PASSWORD;
  if (field === 'token') return 'x'.repeat(43);
  return valueOfSchema(schema, call, pools, below);
}

function valueOfSchema(schema: TSchema, call: ModelCall, pools: ExistingValues, below: RandomBelow): unknown {
  const anyOf: unknown = schema['anyOf'];
  if (Array.isArray(anyOf)) return valueOfSchema(pickRandom(below, anyOf as TSchema[]) ?? schema, call, pools, below);
  if (schema['const'] !== undefined) return schema['const'];
  if (schema['type'] === 'null') return null;
  if (schema['type'] === 'boolean') return below(2) === 0;
  if (schema['type'] === 'integer') {
    const minimum = Number(schema['minimum'] ?? 0);
    return minimum + below(Math.min(Number(schema['maximum'] ?? 20) - minimum, 20) + 1);
  }
  if (schema['type'] === 'array') {
    const items: TSchema | undefined = schema['items'];
    return items && below(2) === 0 ? [valueOfSchema(items, call, pools, below)] : [];
  }
  if (schema['type'] === 'object') {
    const parts = Object.entries<TSchema>(schema['properties'] ?? {});
    return Object.fromEntries(parts.map(([name, part]) => [name, valueOf(name, part, call, pools, below)]));
  }
  const isAmount = schema['pattern'] === AMOUNT_PATTERN || schema['pattern'] === POSITIVE_AMOUNT_PATTERN;
  if (isAmount) return pickRandom(below, call.noun === 'asset' ? AMOUNTS : NUMBERS);
  return 'https://evil.example/';
}
