import type { PasskeyCreation, PasskeyRequest, PasskeyRow } from '@hengtai/contract/house/passkey/schema';
import { digestOf } from '../src/authority/fresh.ts';
import { type Authenticator, type Lies, makeAuthenticator } from './authenticator.ts';
import { PASSWORD, type TestOperator, makeOperator } from './factories.ts';
import { type ApiResponse, type TestServer, call, unique } from './server.ts';

export const enrol = (server: TestServer, token: string, password?: string): Promise<ApiResponse<PasskeyCreation>> =>
  call<PasskeyCreation>(server, 'POST', 'passkey/enrol', { ...(password !== undefined && { password }) }, { token });

export const add = (
  server: TestServer,
  token: string,
  passkey: ReturnType<Authenticator['create']>,
  name = 'YubiKey',
): Promise<ApiResponse<PasskeyRow>> => call<PasskeyRow>(server, 'POST', 'passkey/add', { name, ...passkey }, { token });

export interface PasskeyOperator extends TestOperator {
  authenticator: Authenticator;
  passkey: PasskeyRow;
}

/** Adds the first second factor of a logged-in operator. */
export async function addFirstPasskey(
  server: TestServer,
  token: string,
  { password = PASSWORD, authenticator = makeAuthenticator() } = {},
): Promise<Pick<PasskeyOperator, 'authenticator' | 'passkey'>> {
  const options = await enrol(server, token, password);
  if (options.code !== 200) throw new Error(`passkey/enrol: ${options.msg}`);
  const added = await add(server, token, authenticator.create(options.data));
  if (added.code !== 200) throw new Error(`passkey/add: ${added.msg}`);
  return { authenticator, passkey: added.data };
}

/** Creates an agent as `makeOperator` does, with one passkey. */
export async function makePasskeyOperator(
  server: TestServer,
  admin: string,
  options: Parameters<typeof makeOperator>[2] & { authenticator?: Authenticator } = {},
): Promise<PasskeyOperator> {
  const { authenticator = makeAuthenticator(), ...rest } = options;
  const agent = await makeOperator(server, admin, rest);
  return { ...agent, ...(await addFirstPasskey(server, agent.token, { authenticator })) };
}

/** A call that is sent with an idempotency key, so that a passkey can confirm it. */
export interface KeyedCall {
  path: string;
  body: object;
  key: string;
}
export const keyed = (path: string, body: object): KeyedCall => ({ path, body, key: unique('key') });

export const begin = (server: TestServer, token: string, one: KeyedCall): Promise<ApiResponse<PasskeyRequest>> =>
  call<PasskeyRequest>(server, 'POST', 'passkey/begin', { digest: digestOf(one) }, { token });

/** Confirms a call with a passkey. */
export async function confirm(
  server: TestServer,
  { token, authenticator }: Pick<PasskeyOperator, 'token' | 'authenticator'>,
  one: KeyedCall,
  lies?: Lies,
): Promise<ApiResponse> {
  const { data } = await begin(server, token, one);
  return call(server, 'POST', 'passkey/fresh', { passkey: authenticator.get(data, lies) }, { token });
}

export const send = <T = unknown>(
  server: TestServer,
  token: string,
  { path, body, key }: KeyedCall,
): Promise<ApiResponse<T>> => call<T>(server, 'POST', path, body, { token, key });
