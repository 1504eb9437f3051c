import { rightsOfEvent } from '@hengtai/contract/gateway/rights';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../app/context.ts';
import { CallRefused } from './call-refused.ts';
import { isKeyChanged } from './gateway-key.store.ts';
import type { AnyEvent } from './handlers.ts';
import { bodyOf } from './input.ts';
import { type GatewayKey, Keyring, type Right } from './keyring.ts';
import { checkHeaders, checkSignature, checkTerms, findKey } from './signature.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The right that a call of the platform needs besides a signature. */
    right?: Right;
  }
}

/**
 * Runs the work of a call with its key. If a statement finds that the key was changed meanwhile (`holdsKey`), the key is
 * checked again as it is now, and the work starts again.
 *
 * @throws CallRefused if the key was revoked, has expired or was limited
 */
export type RunWithKey = <T>(request: FastifyRequest, work: (key: GatewayKey) => Promise<T>) => Promise<T>;

/** Checks the key of every call of the gateway: before the body is read, and with the signature behind it. */
export function authenticateCalls(gateway: FastifyInstance, app: App): RunWithKey {
  const keyring = new Keyring(app);
  /** Before the signature is checked, the key that the call names. */
  const keys = new WeakMap<FastifyRequest, GatewayKey>();
  gateway.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    keys.set(request, await checkHeaders(app, keyring, request));
  });
  gateway.addHook('preHandler', async (request) => {
    const key = await checkSignature(app, keyring, request, bodyOf(request));
    requireRight(key, request);
    keys.set(request, key);
  });
  gateway.addHook('onResponse', async (request, reply) => {
    app.state.metrics.gatewayCalls.inc({ key: keys.get(request)?.name ?? 'unknown', code: reply.statusCode });
  });
  return async (request, work) => {
    for (;;) {
      const key = keys.get(request);
      if (!key) throw new Error('A call reached its handler before its key was checked.');
      checkTerms(app, key, request);
      try {
        return await work(key);
      } catch (error) {
        if (!isKeyChanged(error)) throw error;
      }
      keyring.forget();
      const current = await findKey(keyring, request);
      if (!current) throw new CallRefused('unknown_key');
      requireRight(current, request);
      keys.set(request, current);
    }
  };
}

/** @throws CallRefused that names the missing right */
function requireRight({ rights }: GatewayKey, request: FastifyRequest): void {
  const { right } = request.routeOptions.config;
  if (right !== undefined && !rights.has(right)) throw new CallRefused('not_permitted', { rights: [right] });
}

/** The rights of an event that the key lacks. */
export const missingRights = ({ rights }: GatewayKey, { type, data }: { type: string; data?: object }): string[] =>
  rightsOfEvent(type, data).filter((right) => !rights.has(right));

/**
 * Refuses the whole call, so that a program without a right stops instead of losing its events.
 *
 * @throws CallRefused that names the first such event and all missing rights
 */
export function requireEventRights(key: GatewayKey, events: readonly AnyEvent[]): void {
  const missing = events.flatMap((event, index) => missingRights(key, event).map((right) => ({ index, right })));
  const [first] = missing;
  if (!first) return;
  const data = { rights: [...new Set(missing.map(({ right }) => right))], field: `${first.index}/type` };
  throw new CallRefused('not_permitted', data, `/${first.index}/type: the key has no right for ${first.right}`);
}
