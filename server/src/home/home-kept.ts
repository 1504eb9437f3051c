import { createHash } from 'node:crypto';
import type { App, Ctx } from '../context.ts';
import type { Scope } from '../db/connect.ts';

/**
 * Everybody's home page asks for the same few figures again and again; so long one answer serves all of a tree. Where a
 * month has a million rows and the answer takes its time, it is kept so many times longer than it took.
 */
const KEPT_MS = 5_000;
const KEPT_TIMES = 20;
const KEPT_MS_MAX = 60_000;

interface Kept<Answer> {
  at: number;
  for: number;
  answer: Promise<Answer>;
}

/** Answers from what was read a moment ago for the same tree, so that nobody is answered with another's. */
export function keptPerTree<Answer>(read: (ctx: Ctx, app: App) => Promise<Answer>) {
  const keptOf = new WeakMap<App, Map<string, Kept<Answer>>>();
  return async (ctx: Ctx, _input: object, app: App): Promise<Answer> => {
    const kept = keptOf.get(app) ?? new Map<string, Kept<Answer>>();
    keptOf.set(app, kept);
    const isFresh = (one: Kept<Answer>): boolean => one.at <= ctx.now && ctx.now - one.at < one.for;
    const key = treeOf(ctx.scope);
    const found = kept.get(key);
    if (found && isFresh(found)) return found.answer;
    for (const [name, one] of kept) if (!isFresh(one)) kept.delete(name);
    const began = performance.now();
    const made: Kept<Answer> = { at: ctx.now, for: KEPT_MS_MAX, answer: read(ctx, app) };
    kept.set(key, made);
    try {
      const answer = await made.answer;
      made.for = Math.min(Math.max((performance.now() - began) * KEPT_TIMES, KEPT_MS), KEPT_MS_MAX);
      return answer;
    } catch (error) {
      if (kept.get(key) === made) kept.delete(key);
      throw error;
    }
  };
}

const treeOf = (scope: Scope): string =>
  scope.kind === 'all'
    ? 'all'
    : createHash('sha256')
        .update([...scope.ids].sort((a, b) => a - b).join(','))
        .digest('base64');
