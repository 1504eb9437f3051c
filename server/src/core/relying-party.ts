import { isIP } from 'node:net';

/** The address that passkeys belong to: a host name, and the origin of the pages that may use them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The relying party of an installation. Browsers allow passkeys only on pages with a host name, loaded by HTTPS or from
 * localhost; undefined if the address is another.
 *
 * @param publicUrl PUBLIC_URL; without it operators open the server at localhost
 */
export function relyingPartyOf(publicUrl: string | undefined, port: number): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl ?? `http://localhost:${port}`);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isAddress = hostname.startsWith('[') || isIP(hostname) !== 0;
  return isAddress || (protocol !== 'https:' && !isLocal) ? undefined : { id: hostname, origin };
}
