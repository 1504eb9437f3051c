import { GATEWAY_PLATFORMS_MAX, gatewayKey as calls } from '@hengtai/contract/house/gateway-key/calls';
import type { GatewayPlatform, GatewayPlatformSave } from '@hengtai/contract/house/gateway-key/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { textItem } from '../../../actions/preview.ts';
import { refuseField } from '../../../app/refuse.ts';
import { DEFAULT_PLATFORM } from '../../../gateway/platform-scope.ts';
import { requireTop } from '../../../authority/authority.ts';
import { type PlatformTerms, loosensPlatform, marketsText } from './gateway-key.rules.ts';
import { findPlatform, findUnknownMarkets, insertPlatform, updatePlatform } from './platform.store.ts';

const refuseStale = ({ id, by, updatedAt }: GatewayPlatform, seen: number) =>
  refuseStaleSave({
    target: { type: 'gatewayPlatform', id },
    since: seen,
    current: { by, at: updatedAt },
    words: { texts: { markets: marketsText } },
  });

const itemsOf = ({ name, markets }: PlatformTerms) => [textItem('名称', name), textItem('市场', marketsText(markets))];

/** Adds a platform, or changes one. The default platform keeps every market, because it has the keys of the environment. */
export const gatewayPlatformSave = defineAction<GatewayPlatformSave, GatewayPlatform, GatewayPlatform | null>({
  call: calls.platformSave,
  validate: ({ id, markets }) => {
    if (id === DEFAULT_PLATFORM && markets !== null) throw refuseField('markets', '：默认平台包含全部市场');
  },
  authorize: requireTop,
  load: async ({ db }, { id, markets }) => {
    const [unknown] = markets === null ? [] : await findUnknownMarkets(db, markets);
    if (unknown !== undefined) throw refuseField('markets', `：没有市场 ${unknown}`);
    return id === undefined ? null : findPlatform(db, id);
  },
  check: (_ctx, target, { seen }) => {
    if (target && seen !== undefined && seen !== target.updatedAt) throw refuseStale(target, seen);
  },
  setting: {
    record: (target, { operator }) =>
      target ? { data: target, subject: { type: 'gatewayPlatform', id: target.id, agentId: operator.id } } : undefined,
    isSet: (target, { name, markets }) =>
      target !== null && target.name === name && stableJson(target.markets) === stableJson(markets),
  },
  save: saveOfRecord<GatewayPlatformSave, GatewayPlatform | null, PlatformTerms>({
    line: (target, { name }) => (target ? `gatewayPlatform:${target.id}` : `gatewayPlatform:new:${name}`),
    title: (target, { name }) => `平台 ${target?.name ?? name}`,
    words: () => ({ texts: { markets: marketsText } }),
    before: (target) => target && { name: target.name, markets: target.markets },
    after: (_target, { name, markets }) => ({ name, markets }),
    loosens: (before, after) => after === null || loosensPlatform(before, after),
    renew: (input, target) => (target ? { ...input, seen: target.updatedAt } : input),
  }),
  guard: {
    // A new platform has no id yet.
    subject: (target, { operator }) =>
      target
        ? { type: 'gatewayPlatform', id: target.id, agentId: operator.id }
        : { type: 'installation', id: 1, agentId: operator.id },
    preview: async ({ db }, input) => {
      const before = input.id === undefined ? null : await findPlatform(db, input.id);
      return {
        input: itemsOf(input),
        now: before ? itemsOf(before) : [],
        legs: [],
        problem: before === undefined ? refusals.notFound.msg : null,
        consequence: '该平台的全部密钥此后只涉及所列市场。',
      };
    },
  },
  execute: async (ctx, { name, markets }, target) => {
    const saved = target
      ? await updatePlatform(ctx, target, { name, markets })
      : await insertPlatform(ctx, { name, markets });
    if (!saved)
      throw target
        ? refuseStale(target, target.updatedAt)
        : refuseField('name', `：最多 ${GATEWAY_PLATFORMS_MAX} 个平台`);
    return {
      data: saved,
      subject: { type: 'gatewayPlatform', id: saved.id, agentId: ctx.operator.id },
      before: target && { name: target.name, markets: target.markets },
      after: { name: saved.name, markets: saved.markets },
    };
  },
});
