import { isIP } from 'node:net';
import { refusals } from '@hengtai/contract/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../refuse.ts';

/**
 * Refuses requests for other host names: a page elsewhere whose name points at this server (DNS rebinding) gets nothing.
 * Addresses and localhost are no names that a page can take over. The platform signs its calls, and /healthz tells nothing.
 *
 * @param allowed lower-case names without ports; empty: every name is accepted
 */
export function checkHosts(server: FastifyInstance, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const names = new Set(allowed);
  server.addHook('onRequest', async (request) => {
    if (isFree(request) || isKnown(request.hostname, names)) return;
    throw new Refused(refusals.unknownHost);
  });
}

const isFree = ({ url }: FastifyRequest): boolean => /^\/(healthz($|\?)|platform\/v1\/)/.test(url);

/** Without a name at all (HTTP/1.0) nobody was misled by one. */
function isKnown(hostname: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (hostname ?? '').toLowerCase().replace(/\.$/, '');
  return name === '' || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || names.has(name);
}
