import { platformReads } from '@hengtai/contract/gateway/reads.schema';
import type { Module } from '../../module.ts';
import { marketEvents, prefetchTickMarkets } from './market.events.ts';
import { aggregateTicks } from './market.jobs.ts';
import { marketAffected, marketCandles, marketDetail, marketSave } from './market.service.ts';
import { listMarketNames, listMarkets, fetchPlatformMarkets } from './market.store.ts';

export const marketModule = {
  routes: {
    list: listMarkets,
    filter: (ctx) => listMarketNames(ctx),
    detail: marketDetail,
    affected: marketAffected,
    candles: marketCandles,
    save: marketSave,
  },
  events: marketEvents,
  prefetch: prefetchTickMarkets,
  platformCalls: [
    {
      method: 'GET',
      path: '/markets',
      right: 'reads',
      summary: 'Returns all markets and their settings',
      output: platformReads.markets,
      answer: (app, _input, scope) => fetchPlatformMarkets(app.system, scope),
    },
  ],
  jobs: [{ name: 'candles', everyMs: 5_000, run: aggregateTicks }],
} satisfies Module<'market'>;
