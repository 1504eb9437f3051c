import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import { agentSchemas } from './agent.schema.ts';
import { alarmSchemas } from './alarm.schema.ts';
import { announceSchemas } from './announce.schema.ts';
import { approvalSchemas } from './approval.schema.ts';
import { assetSchemas } from './asset.schema.ts';
import { auditSchemas } from './audit.schema.ts';
import { binaryContractSchemas } from './binary-contract.schema.ts';
import { commandSchemas } from './command.schema.ts';
import { configSchemas } from './config.schema.ts';
import type { Call, CallSpec } from './endpoint.ts';
import { exportSchemas, exportMadeSchema } from './export.schema.ts';
import { type ExportSpec, exportFormats } from './export.ts';
import { followSchemas } from './follow.schema.ts';
import { futureSchemas } from './future.schema.ts';
import { homeSchemas } from './home.schema.ts';
import { ieoSchemas } from './ieo.schema.ts';
import { nouns } from './index.ts';
import { installationSchemas } from './installation.schema.ts';
import { internalTransferSchemas } from './internal-transfer.schema.ts';
import { kycSchemas } from './kyc.schema.ts';
import { ledgerEntrySchemas } from './ledger-entry.schema.ts';
import { marketSchemas } from './market.schema.ts';
import { notifySchemas } from './notify.schema.ts';
import { otpSchemas } from './otp.schema.ts';
import { preferenceSchemas } from './preference.schema.ts';
import { priceProtectionSchemas } from './price-protection.schema.ts';
import { rechargeSchemas } from './recharge.schema.ts';
import { reportSchemas } from './report.schema.ts';
import { type Endpoint, PageNumber, PageSize, Strict, Text, listInput } from './schema.ts';
import { searchSchemas } from './search.schema.ts';
import { sessionSchemas } from './session.schema.ts';
import { signalSchemas } from './signal.schema.ts';
import { spotSchemas } from './spot.schema.ts';
import { supportSchemas } from './support.schema.ts';
import { userSchemas } from './user.schema.ts';
import { viewSchemas } from './view.schema.ts';
import { withdrawSchemas } from './withdraw.schema.ts';

const TITLE_MAX = 64;
const Zone = Type.String({ pattern: '^[A-Za-z0-9_+/-]{1,64}$', description: 'IANA name of a time zone' });
const Format = Type.Union(Object.keys(exportFormats).map((format) => Type.Literal(format)));

/** Paths of all list calls, so that a new list has views automatically. */
const paths: string[] = Object.values(nouns)
  .flatMap((calls) => Object.values<CallSpec>(calls))
  .flatMap((call) => (call.list ? [call.path] : []));
const ListPath = Type.Unsafe<string>(Type.Union(paths.map((path) => Type.Literal(path))));

/** The schemas of every call except exports, by noun. The input of a list derives from its filters. */
const schemas = {
  session: sessionSchemas,
  home: homeSchemas,
  agent: agentSchemas,
  user: userSchemas,
  market: marketSchemas,
  recharge: rechargeSchemas,
  asset: assetSchemas,
  withdraw: withdrawSchemas,
  fund: ledgerEntrySchemas,
  internalTransfer: internalTransferSchemas,
  approval: approvalSchemas,
  audit: auditSchemas,
  auth: kycSchemas,
  config: configSchemas,
  announce: announceSchemas,
  notify: notifySchemas,
  installation: installationSchemas,
  preference: preferenceSchemas,
  view: viewSchemas(ListPath),
  otp: otpSchemas,
  export: exportSchemas,
  plan: priceProtectionSchemas,
  trade: spotSchemas,
  ieo: ieoSchemas,
  second: binaryContractSchemas,
  signal: signalSchemas,
  follow: followSchemas,
  future: futureSchemas,
  service: supportSchemas,
  report: reportSchemas,
  search: searchSchemas,
  alarm: alarmSchemas,
  command: commandSchemas,
};

type Nouns = typeof nouns;
type Schemas = Readonly<Record<string, Readonly<Record<string, { input?: TSchema; output: TSchema }>>>>;
type Equal<T, S> = S extends TSchema ? (Static<S> extends T ? (T extends Static<S> ? S : never) : never) : never;
type Get<T, K> = K extends keyof T ? T[K] : never;
type Checked<C, S> =
  C extends Call<infer I, infer O>
    ? (C extends { kind: 'list' } ? unknown : { input: Equal<I, Get<S, 'input'>> }) & {
        output: Equal<O, Get<S, 'output'>>;
      }
    : never;
/** The schemas that the types of the calls require; `never` where a schema does not match. */
type Matching<S> = {
  [N in keyof Nouns]: {
    [C in keyof Nouns[N] as Nouns[N][C] extends ExportSpec ? never : C]: Checked<Nouns[N][C], Get<Get<S, N>, C>>;
  };
};

/** A GET call that answers an array accepts page and size, as lists do, and ignores them. */
function withPage(spec: CallSpec, input: TSchema, output: TSchema): TSchema {
  if (spec.method !== 'GET' || output['type'] !== 'array') return input;
  return Strict({ ...input['properties'], page: Type.Optional(PageNumber), size: Type.Optional(PageSize) });
}

/** The body of an export: the list's filters and order, and columns, zone and format of the file. */
function exportInput({ list }: ExportSpec): TObject {
  const { page: _page, size: _size, ...query } = listInput(list).properties;
  const field = Type.Union(list.columns.map((column) => Type.Literal(column.field)));
  const column = Type.Union([field, Strict({ field, title: Type.Optional(Text(TITLE_MAX)) })]);
  return Strict({
    ...query,
    columns: Type.Optional(Type.Array(column, { minItems: 1, maxItems: list.columns.length })),
    zone: Type.Optional(Zone),
    format: Type.Optional(Format),
  });
}

const isExport = (call: CallSpec): call is ExportSpec => call.kind === 'export';

/** Pairs a call with its schemas. The answer of an export is a file without an envelope; a refusal and a job have one. */
function pair(call: CallSpec, schema: Schemas[string][string] | undefined): Endpoint {
  if (isExport(call)) return { call, input: exportInput(call), output: exportMadeSchema };
  const input = call.list ? listInput(call.list) : schema?.input;
  if (!schema || !input) throw new Error(`The call ${call.path} has no schemas.`);
  return { call, input: withPage(call, input, schema.output), output: schema.output };
}

/** Pairs every call. A missing schema, or one that does not match the types of its call, is a type error. */
function pairAll<S extends Schemas>(
  all: S & Matching<S>,
): { readonly [N in keyof Nouns]: { readonly [C in keyof Nouns[N]]: Endpoint } } {
  const pairs = Object.entries<Schemas[string]>(all).map(([noun, schema]) => {
    const calls: Readonly<Record<string, CallSpec>> = nouns[noun as keyof Nouns];
    // The schemas have no exports: these follow the other calls.
    const ends = Object.keys({ ...schema, ...calls }).flatMap((name) => {
      const call = calls[name];
      return call ? [[name, pair(call, schema[name])] as const] : [];
    });
    return [noun, Object.fromEntries(ends)] as const;
  });
  return Object.fromEntries(pairs) as never;
}

/** Every endpoint with its schemas, by noun. */
export const endpoints = pairAll(schemas);
