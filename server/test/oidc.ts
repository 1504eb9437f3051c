import type { OidcBegun } from '@hengtai/contract/house/oidc/schema';
import type { FactorOffer } from '@hengtai/contract/house/passkey/schema';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { sql } from 'kysely';
import { type OidcProvider, startOidcProvider } from '../../testing/oidc-provider.ts';
import type { OidcSettings } from '../src/host/oidc-settings.ts';
import { type ApiResponse, type TestServer, call } from './server.ts';

export type OidcAnswer = ApiResponse<LoginData & FactorOffer>;

/** For tests that link operators, but let nobody log in. */
export const UNREACHABLE_PROVIDER: OidcSettings = {
  issuer: 'http://127.0.0.1:9',
  clientId: 'hengtai',
  clientSecret: 'provider-secret',
  scope: 'openid',
  groupsClaim: 'groups',
  groups: undefined,
  sessionMinutes: 240,
  timeoutSeconds: 1,
  origin: 'http://localhost:8080',
};

/** The settings for a provider. A new value is discovered again. */
export const settingsFor = (provider: OidcProvider, more: Partial<OidcSettings> = {}): OidcSettings => ({
  ...UNREACHABLE_PROVIDER,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: provider.clientSecret,
  ...more,
});

/** Starts a provider and configures the server for it. */
export async function useOidc(server: TestServer, more: Partial<OidcSettings> = {}): Promise<OidcProvider> {
  const provider = await startOidcProvider();
  server.app.oidc = settingsFor(provider, more);
  return provider;
}

/** Links an operator directly in the database. */
export const linkDirectly = async (server: TestServer, provider: OidcProvider, id: number, subject: string) =>
  server.query(sql`insert into oidc_link (operator_id, issuer, subject, created_at)
    values (${id}, ${provider.issuer}, ${subject}, ${server.clock.now()})`);

export const begin = (server: TestServer): Promise<ApiResponse<OidcBegun>> =>
  call<OidcBegun>(server, 'POST', 'login/oidc/begin');

export const finish = (server: TestServer, input: object): Promise<OidcAnswer> =>
  call(server, 'POST', 'login/oidc', input);

/** Begins a login and lets the provider answer. */
export async function visit(server: TestServer, provider: OidcProvider): Promise<{ flow: string; response: string }> {
  const { code, msg, data } = await begin(server);
  if (code !== 200) throw new Error(`login/oidc/begin: ${msg}`);
  return { flow: data.flow, response: await provider.visit(data.url) };
}

/** The whole login of the account that is logged in at the provider, with a second factor if one is given. */
export async function logInByOidc(
  server: TestServer,
  provider: OidcProvider,
  factor: object = {},
): Promise<OidcAnswer> {
  return finish(server, { ...(await visit(server, provider)), ...factor });
}
