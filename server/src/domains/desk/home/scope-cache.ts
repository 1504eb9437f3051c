import { createHash } from 'node:crypto';
import type { App, Ctx } from '../../../app/context.ts';
import type { Scope } from '../../../database/connect.ts';

/** An answer is cached for 20 times as long as its query took, so that slow queries run rarely, within these limits. */
const TTL_MS_MIN = 5_000;
const TTL_FACTOR = 20;
const TTL_MS_MAX = 60_000;

interface CacheEntry<Answer> {
  at: number;
  ttlMs: number;
  answer: Promise<Answer>;
}

/**
 * Caches the answer of `read` per process and scope. The key is the ids of the scope, so scopes never share an answer.
 */
export const cachePerScope = <Answer>(read: Reader<Answer>) => cacheBy(({ scope }) => cacheKeyOf(scope), read);

/** As `cachePerScope`, for answers that also depend on the operator's identity and abilities. */
export const cachePerOperator = <Answer>(read: Reader<Answer>) =>
  cacheBy(({ scope, operator }) => [operator.id, ...operator.abilities, cacheKeyOf(scope)].join(' '), read);

type Reader<Answer> = (ctx: Ctx, app: App) => Promise<Answer>;

function cacheBy<Answer>(keyOf: (ctx: Ctx) => string, read: Reader<Answer>) {
  const caches = new WeakMap<App, Map<string, CacheEntry<Answer>>>();
  return async (ctx: Ctx, _input: object, app: App): Promise<Answer> => {
    const cache = caches.get(app) ?? new Map<string, CacheEntry<Answer>>();
    caches.set(app, cache);
    const isFresh = ({ at, ttlMs }: CacheEntry<Answer>): boolean => at <= ctx.now && ctx.now - at < ttlMs;
    const key = keyOf(ctx);
    const found = cache.get(key);
    const isHit = found !== undefined && isFresh(found);
    app.state.metrics.cacheReads.inc({ result: isHit ? 'hit' : 'miss' });
    if (isHit) return found.answer;
    for (const [otherKey, entry] of cache) if (!isFresh(entry)) cache.delete(otherKey);
    const startedAt = performance.now();
    const entry: CacheEntry<Answer> = { at: ctx.now, ttlMs: TTL_MS_MAX, answer: read(ctx, app) };
    cache.set(key, entry);
    try {
      const answer = await entry.answer;
      entry.ttlMs = Math.min(Math.max((performance.now() - startedAt) * TTL_FACTOR, TTL_MS_MIN), TTL_MS_MAX);
      return answer;
    } catch (error) {
      if (cache.get(key) === entry) cache.delete(key);
      throw error;
    }
  };
}

const cacheKeyOf = (scope: Scope): string =>
  scope.kind === 'all'
    ? 'all'
    : createHash('sha256')
        .update([...scope.ids].sort((a, b) => a - b).join(','))
        .digest('base64');
