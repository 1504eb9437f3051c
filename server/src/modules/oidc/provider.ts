import { OIDC_RETURN_PATH } from '@hengtai/contract/oidc';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import * as client from 'openid-client';
import type { OidcSettings } from '../../core/oidc-settings.ts';
import type { OpenFlow } from './oidc.store.ts';

/** The discovery document is read again after this time. */
const FRESH_MS = 3_600_000;
/** After a failure, the provider is asked again after this time at the earliest. */
const RETRY_MS = 3_000;

/** The identity provider did not answer, or its answer is not accepted. The cause is for the log. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause: unknown) {
    super(refusal.msg, { cause });
    this.refusal = refusal;
  }
}

/** What the provider says about the account. */
export interface Claims {
  subject: string;
  groups: unknown;
}

interface Discovered {
  at: number;
  configuration: Promise<client.Configuration>;
}

/** One discovery per process serves all logins; concurrent ones share the request. */
const discoveries = new WeakMap<OidcSettings, Discovered>();

function discover(settings: OidcSettings): Promise<client.Configuration> {
  const now = performance.now();
  const known = discoveries.get(settings);
  if (known && now - known.at < FRESH_MS) return known.configuration;
  const configuration = requestConfiguration(settings);
  const found: Discovered = { at: now, configuration };
  discoveries.set(settings, found);
  configuration.catch(() => {
    // The failure is kept for a moment, so that logins do not pile up before a provider that is down.
    found.at = now - FRESH_MS + RETRY_MS;
  });
  return configuration;
}

async function requestConfiguration(settings: OidcSettings): Promise<client.Configuration> {
  const server = new URL(settings.issuer);
  // The settings allow plain HTTP on the own machine only.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  // The signature is verified although the token comes from the provider itself.
  const options = { timeout: settings.timeoutSeconds, execute: [...execute, client.enableNonRepudiationChecks] };
  return client.discovery(server, settings.clientId, undefined, authenticateWith(settings.clientSecret), options);
}

/** Sends the secret as the provider accepts it; the header is the default of the protocol. */
const authenticateWith = (secret: string): client.ClientAuth => {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, own, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, own, body, headers);
  };
};

const redirectUri = ({ origin }: OidcSettings): string => `${origin}${OIDC_RETURN_PATH}`;

/**
 * The page of the provider for a new login, and what its answer will be compared with.
 *
 * @throws ProviderError
 */
export async function beginFlow(settings: OidcSettings): Promise<{ url: string; flow: OpenFlow }> {
  const flow: OpenFlow = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  try {
    const configuration = await discover(settings);
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(settings),
      scope: settings.scope,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, flow };
  } catch (error) {
    throw new ProviderError(refusalOf(error), error);
  }
}

/**
 * Exchanges the code of an answer for the ID token and verifies it: state, issuer, signature, audience, times and nonce.
 *
 * @param response the query string that the browser came back with
 * @throws ProviderError
 */
export async function finishFlow(settings: OidcSettings, response: string, flow: OpenFlow): Promise<Claims> {
  try {
    const configuration = await discover(settings);
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirectUri(settings)}?${response}`), {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('The answer has no ID token.');
    return { subject: claims.sub, groups: claims[settings.groupsClaim] };
  } catch (error) {
    throw new ProviderError(refusalOf(error), error);
  }
}

/** The sentence for an error of the client; each attack and each defect of the provider has one. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof client.AuthorizationResponseError) return refusals.oidcDenied;
  const [code, claim] = [codeOf(error), claimOf(error)];
  switch (code) {
    case 'OAUTH_TIMEOUT':
      return refusals.oidcSlow;
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return refusals.oidcTokenExpired;
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      return refusals.oidcIssuer;
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
      return claim === 'iss' ? refusals.oidcIssuer : claim === 'nonce' ? refusals.oidcNonce : refusals.oidcInvalid;
    case 'OAUTH_KEY_SELECTION_FAILED':
      return refusals.oidcSignature;
    case 'OAUTH_INVALID_RESPONSE':
      return invalidResponse(error);
    // A refused connection has no code of the library.
    case undefined:
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
      return refusals.oidcDown;
    default:
      return refusals.oidcInvalid;
  }
}

function invalidResponse(error: unknown): Refusal {
  // The library has one code for these; only the sentence depends on the text.
  const text = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  if (text.includes('"iss"')) return refusals.oidcIssuer;
  if (text.includes('"state"')) return refusals.oidcFlow;
  return text.includes('signature') ? refusals.oidcSignature : refusals.oidcInvalid;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The claim of an ID token that differs; undefined for another error. */
function claimOf(error: unknown): unknown {
  const comparison = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined;
  return typeof comparison === 'object' && comparison !== null && 'claim' in comparison ? comparison.claim : undefined;
}
