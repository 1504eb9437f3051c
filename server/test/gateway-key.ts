import { createHmac } from 'node:crypto';
import { signedText, signedTime } from '@hengtai/contract/gateway/gateway';
import type { GatewayKeyIssued, GatewayKeyRow, GatewayKeySave } from '@hengtai/contract/house/gateway-key/schema';
import { gatewayRights } from '@hengtai/contract/gateway/rights';
import { type TestServer, call, unique } from './server.ts';

/** A key of the gateway as a program has it. */
export interface ProgramKey {
  id: number;
  key: string;
  secret: string;
}

export const everyRight = Object.keys(gatewayRights);

/** The input for a key with every right. */
export const keyInput = (terms: Partial<GatewayKeySave> = {}): GatewayKeySave => ({
  name: unique('key '),
  rights: everyRight,
  addresses: [],
  expiresAt: null,
  nonce: 0,
  ...terms,
});

/** How long a server may keep keys that it has read. */
const KEPT_MS = 1_000;

/** Adds and issues a key, and waits until the server has it. */
export async function makeKey(
  server: TestServer,
  token: string,
  terms: Partial<GatewayKeySave> = {},
): Promise<ProgramKey> {
  const { data: row, msg } = await call<GatewayKeyRow>(server, 'POST', 'gateway_key/save', keyInput(terms), { token });
  const { data } = await call<GatewayKeyIssued>(server, 'POST', 'gateway_key/issue', { id: row?.id }, { token });
  if (data?.secret === undefined) throw new Error(`the key was not issued: ${msg}`);
  server.clock.move(KEPT_MS);
  return { id: row.id, key: data.key, secret: data.secret };
}

export interface SignedCall {
  method?: 'GET' | 'POST';
  /** Below `/platform/v1/`. */
  path?: string;
  body?: unknown;
  nonce?: string;
  time?: number;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

export interface SignedAnswer {
  status: number;
  error?: string;
  msg: string;
  data: unknown;
}

/** Signs a call with a key of a program and sends it. */
export async function callAs(
  server: TestServer,
  { key, secret }: Pick<ProgramKey, 'key' | 'secret'>,
  {
    method = 'GET',
    path = 'markets',
    body,
    nonce,
    time = server.clock.now(),
    headers = {},
    remoteAddress,
  }: SignedCall = {},
): Promise<SignedAnswer> {
  const url = `/platform/v1/${path}`;
  const raw = body === undefined ? '' : JSON.stringify(body);
  const signature = createHmac('sha256', secret)
    .update(signedText(signedTime(String(time), nonce), method, url, raw))
    .digest('hex');
  const response = await server.server.inject({
    method,
    url,
    headers: {
      'x-key': key,
      'x-time': String(time),
      ...(nonce !== undefined && { 'x-nonce': nonce }),
      'x-signature': signature,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: raw }),
    ...(remoteAddress !== undefined && { remoteAddress }),
  });
  const { error, msg, data } = response.json<Omit<SignedAnswer, 'status'>>();
  return { status: response.statusCode, ...(error !== undefined && { error }), msg, data };
}
