import { OIDC_RETURN_PATH } from '@hengtai/contract/house/oidc/calls';
import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';
import * as client from 'openid-client';
import type { OidcSettings } from '../../../host/oidc-settings.ts';
import { discover, doubtDiscovery } from './discovery.ts';
import type { OpenFlow } from './oidc.store.ts';

/** Clocks of provider and server may differ by this time. */
const CLOCK_DIFFERENCE_S = 300;

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

const redirectUri = ({ origin }: OidcSettings): string => `${origin}${OIDC_RETURN_PATH}`;

/**
 * The page of the provider for a new login, and what its answer will be compared with.
 *
 * @throws ProviderError
 */
export async function beginFlow(settings: OidcSettings, now: number): Promise<{ url: string; flow: OpenFlow }> {
  const flow: OpenFlow = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  try {
    const configuration = await discover(settings, now);
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
export async function finishFlow(
  settings: OidcSettings,
  response: string,
  flow: OpenFlow,
  now: number,
): Promise<Claims> {
  try {
    const configuration = await discover(settings, now);
    const tokens = await client.authorizationCodeGrant(configuration, new URL(`${redirectUri(settings)}?${response}`), {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('The answer has no ID token.');
    // The library ignores this time. It reads the system's clock for the others.
    if (claims.iat > Date.now() / 1_000 + CLOCK_DIFFERENCE_S) throw new TokenFromFuture(claims.iat);
    return { subject: claims.sub, groups: await findGroups(settings, configuration, tokens.access_token, claims) };
  } catch (error) {
    // Keys, algorithms and addresses may have changed since they were read.
    if (!(error instanceof client.AuthorizationResponseError)) doubtDiscovery(settings);
    throw new ProviderError(refusalOf(error), error);
  }
}

class TokenFromFuture extends Error {
  override name = 'TokenFromFuture';

  constructor(iat: number) {
    super(`The ID token was issued at ${iat}, more than ${CLOCK_DIFFERENCE_S} s ahead of this clock.`);
  }
}

/** The claim of the groups; some providers have it only in the account's userinfo, whose subject must be the same. */
async function findGroups(
  { groups, groupsClaim }: OidcSettings,
  configuration: client.Configuration,
  accessToken: string,
  claims: client.IDToken,
): Promise<unknown> {
  const inToken = claims[groupsClaim];
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
  if (inToken !== undefined || groups === undefined || !hasUserInfo) return inToken;
  return (await client.fetchUserInfo(configuration, accessToken, claims.sub))[groupsClaim];
}

/** The sentence for an error of the client; each attack and each defect of the provider has one. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof client.AuthorizationResponseError) return refusals.oidcDenied;
  if (error instanceof TokenFromFuture) return refusals.oidcTokenEarly;
  const [code, claim] = [codeOf(error), claimOf(error)];
  switch (code) {
    case 'OAUTH_TIMEOUT':
      return refusals.oidcSlow;
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return claim === 'nbf' ? refusals.oidcTokenEarly : refusals.oidcTokenExpired;
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED':
      // Either of the discovery document or of the userinfo.
      return attributeOf(error) === 'sub' ? refusals.oidcInvalid : refusals.oidcIssuer;
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

/** The claim of an ID token that is not accepted; undefined for another error. */
const claimOf = (error: unknown): unknown => detailOf(error, 'claim');
/** The attribute of another document that differs. */
const attributeOf = (error: unknown): unknown => detailOf(error, 'attribute');

function detailOf(error: unknown, field: string): unknown {
  const details = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined;
  return typeof details === 'object' && details !== null ? Reflect.get(details, field) : undefined;
}
