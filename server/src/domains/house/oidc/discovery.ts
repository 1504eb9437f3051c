import * as client from 'openid-client';
import { fetchChecked } from '../../../outbound/checked-fetch.ts';
import type { OidcSettings } from '../../../host/oidc-settings.ts';

/** The discovery document is read again after this time. */
const FRESH_MS = 3_600_000;
/** After an answer that was refused it is read again, at most once in this time. */
const DOUBT_MS = 60_000;
/** After a failure, the provider is asked again after this time at the earliest. */
const RETRY_MS = 3_000;

interface Discovered {
  at: number;
  freshUntil: number;
  configuration: Promise<client.Configuration>;
}

/** One discovery per process serves all logins; concurrent ones share the request. */
const discoveries = new WeakMap<OidcSettings, Discovered>();

/** The provider's addresses and algorithms, and its keys, which are read when they are needed. */
export function discover(settings: OidcSettings, now: number): Promise<client.Configuration> {
  const known = discoveries.get(settings);
  if (known && now < known.freshUntil) return known.configuration;
  const configuration = requestConfiguration(settings);
  const found: Discovered = { at: now, freshUntil: now + FRESH_MS, configuration };
  discoveries.set(settings, found);
  configuration.catch(() => {
    // The failure is kept for a moment, so that logins do not pile up before a provider that is down.
    found.freshUntil = now + RETRY_MS;
  });
  return configuration;
}

/** Lets the next login read the document and the keys again, because an answer did not fit them. */
export function doubtDiscovery(settings: OidcSettings): void {
  const known = discoveries.get(settings);
  if (known) known.freshUntil = Math.min(known.freshUntil, known.at + DOUBT_MS);
}

async function requestConfiguration(settings: OidcSettings): Promise<client.Configuration> {
  const server = new URL(settings.issuer);
  // The settings allow plain HTTP on the own machine only.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  return client.discovery(server, settings.clientId, undefined, authenticateWith(settings.clientSecret), {
    timeout: settings.timeoutSeconds,
    // The signature is verified although the token comes from the provider itself.
    execute: [...execute, client.enableNonRepudiationChecks],
    // The document names further addresses, and a name may lead to another address with each lookup.
    [client.customFetch]: fetchChecked,
  });
}

/** Sends the secret as the provider accepts it; the header is the default of the protocol. */
const authenticateWith = (secret: string): client.ClientAuth => {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, own, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, own, body, headers);
  };
};
