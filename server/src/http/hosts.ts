import { isIP } from 'node:net';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refused } from '../app/refuse.ts';

/**
 * Refuses unknown host names to prevent DNS rebinding. IP addresses and localhost cannot be rebound, so they are accepted.
 * The gateway is exempt because its calls are signed, the health checks because they name no record.
 *
 * @param allowed lower-case names without ports; an empty list accepts every name
 */
export function checkHosts(server: FastifyInstance, allowed: readonly string[]): void {
  if (allowed.length === 0) return;
  const names = new Set(allowed);
  server.addHook('onRequest', async (request) => {
    if (isExempt(request) || isAllowed(request.hostname, names)) return;
    throw new Refused(refusals.unknownHost);
  });
}

const isExempt = ({ url }: FastifyRequest): boolean => /^\/((healthz|livez|readyz)($|\?)|platform\/v1\/)/.test(url);

/** A request without a host name (HTTP/1.0) cannot come from a rebound page, so it is accepted. */
function isAllowed(hostname: string | undefined, names: ReadonlySet<string>): boolean {
  const name = (hostname ?? '').toLowerCase().replace(/\.$/, '');
  return name === '' || name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0 || names.has(name);
}
