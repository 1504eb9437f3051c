import { isIP } from 'node:net';

/** The address that passkeys belong to: a host name, and the origin of the pages that may use them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** The page on which signing keys are made and used. */
export interface SigningPage extends RelyingParty {
  url: string;
  /** The page has another origin than the console, so the server cannot change it. */
  isApart: boolean;
}

/** Path of the signing page on this server. */
export const SIGNING_PATH = '/signing/';

/**
 * The relying party of an installation. Browsers allow passkeys only on pages with a host name, loaded by HTTPS or from
 * localhost; undefined if the address is another.
 *
 * @param publicUrl PUBLIC_URL; without it operators open the server at localhost
 */
export const relyingPartyOf = (publicUrl: string | undefined, port: number): RelyingParty | undefined =>
  relyingPartyAt(consoleUrlOf(publicUrl, port));

/**
 * The signing page of an installation; undefined if it has no address that browsers allow passkeys for.
 *
 * @param signingUrl SIGNING_URL; without it this server serves the page
 */
export function signingPageOf(
  signingUrl: string | undefined,
  publicUrl: string | undefined,
  port: number,
): SigningPage | undefined {
  const consoleUrl = consoleUrlOf(publicUrl, port);
  const url = signingUrl ?? new URL(SIGNING_PATH, consoleUrl).href;
  const party = relyingPartyAt(url);
  return party && { ...party, url, isApart: party.origin !== new URL(consoleUrl).origin };
}

const consoleUrlOf = (publicUrl: string | undefined, port: number): string => publicUrl ?? `http://localhost:${port}`;

export function relyingPartyAt(url: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(url);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress || (protocol !== 'https:' && !isLocal) ? undefined : { id: hostname, origin };
}
