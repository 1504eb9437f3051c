import type { CallSpec } from '@hengtai/contract/endpoint';
import type { MutatingCall } from '@hengtai/contract/four-eyes';
import { endpoints } from '@hengtai/contract/index.schema';
import { nouns } from '@hengtai/contract/index';
import { AMOUNT_PATTERN, POSITIVE_AMOUNT_PATTERN } from '@hengtai/contract/money';
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
  /** Complete inputs, sent unchanged or with one changed field. */
  saved: Readonly<Record<string, readonly Record<string, unknown>[]>>;
}

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

/** A random input: most ids exist, optional fields are present at random. */
export function makeInput(call: ModelCall, pools: ExistingValues, below: RandomBelow): Record<string, unknown> {
  const row = pickRandom(below, pools.saved[call.name] ?? []);
  if (row && below(2) === 0) return row;
  if (row) {
    const field = pickRandom(
      below,
      Object.keys(row).filter((name) => !/^(id|version|marketType|marketName)$/.test(name)),
    );
    const schema = field === undefined ? undefined : call.properties[field];
    return field === undefined || !schema ? row : { ...row, [field]: valueOf(field, schema, call, pools, below) };
  }
  const input: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(call.properties)) {
    if (!call.required.includes(field) && (below(2) === 0 || SKIPPED_FIELDS.has(field))) continue;
    input[field] = valueOf(field, schema, call, pools, below);
  }
  return input;
}

/** Optional fields that reject the input if they do not match the current state. */
const SKIPPED_FIELDS = new Set(['seen', 'version', 'hash']);

function valueOf(field: string, schema: TSchema, call: ModelCall, pools: ExistingValues, below: RandomBelow): unknown {
  const noun = call.spec.targetBy === field && call.spec.target ? call.spec.target : (ID_FIELDS[field] ?? call.noun);
  const idsOf = (): readonly number[] => pools.ids[noun] ?? [];
  if (field === 'ids') return [...new Set([0, 1, 2].map(() => pickRandom(below, idsOf()) ?? UNKNOWN_ID))];
  if (field === 'id' || ID_FIELDS[field] !== undefined) return pickRandom(below, idsOf()) ?? UNKNOWN_ID;
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
