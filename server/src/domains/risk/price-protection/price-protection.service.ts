import { requireTop } from '../../../authority/authority.ts';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { marketTypes } from '@hengtai/contract/trading/market/type';
import {
  type Band,
  loosensBand,
  loosensGrants,
  priceProtection as calls,
  priceProtectionActionStates,
} from '@hengtai/contract/risk/price-protection/calls';
import { priceProtectionStates, PRICE_PROTECTION } from '@hengtai/contract/risk/price-protection/facts';
import type {
  PriceProtectionHalt,
  PriceProtectionPermission,
  PriceProtectionPermit,
  PriceProtectionResume,
  PriceProtectionRow,
  PriceProtectionSave,
} from '@hengtai/contract/risk/price-protection/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical } from '@hengtai/contract/values/money';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { saveOfLines, saveOfRecord } from '../../../actions/save.ts';
import { type Preview, amountItem, textItem } from '../../../actions/preview.ts';
import { findMarket, hadPrice } from '../../trading/market/market.store.ts';
import { type Refused, refuseField, refuseMissing, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { type Grants, findAgents, findGrants, saveGrants } from './price-protection-grant.store.ts';
import { haltAndNotify, resumeAndNotify } from './price-protection-guard.steps.ts';
import { isBandOf, refuseStaleBand, refuseStaleGrants } from './stale-band.rules.ts';
import { type PriceProtectionKey, findPriceProtection, savePriceProtection } from './price-protection.store.ts';

const MINUTE_MS = 60_000;

interface Target {
  row: PriceProtectionRow;
  /** The maker. Price protection belongs to no agent, so its approval has the scope of the maker. */
  operatorId: number;
}

const load = async (ctx: Ctx, key: PriceProtectionKey): Promise<Target | undefined> => {
  const row = await findPriceProtection(ctx, key);
  return row && { row, operatorId: ctx.operator.id };
};

const subjectOf = ({ row, operatorId }: Target) => ({ type: 'plan', id: row.id, agentId: operatorId });

/** Sets the price band of one market type. The reference price is displayed only. */
export const priceProtectionSave = defineAction<PriceProtectionSave, PriceProtectionRow, Target>({
  call: calls.save,
  validate: ({ minPrice, planPrice, maxPrice }) => {
    if (minPrice === null || planPrice === null || maxPrice === null) return;
    if (!new Decimal(minPrice).lt(planPrice)) throw refuseField('minPrice', '须小于参考价');
    if (!new Decimal(planPrice).lt(maxPrice)) throw refuseField('maxPrice', '须大于参考价');
  },
  load,
  check: (_ctx, { row }, input) => {
    if (input.version !== undefined && input.version !== row.version) throw refuseStaleBand(row, input.version);
    if (input.planState === PRICE_PROTECTION.halted && row.planState !== PRICE_PROTECTION.halted)
      throw refuseField('planState', '不能改为已触发');
    if (!isSameBand(row, input)) requirePrices(input);
  },
  policy: { subject: subjectOf, amount: () => null, preview },
  guard: {},
  setting: {
    record: (target) => ({ data: target.row, subject: subjectOf(target), isSave: isBandOf(target.row) }),
    isSet: ({ row }, input) => isSameBand(row, input),
    findMoved: async ({ row }, { price }, { db }) => ((await hadPrice(db, row.id, price)) ? ['price'] : []),
  },
  save: saveOfRecord<PriceProtectionSave, Target, SignedBand>({
    line: ({ row }) => `plan:${row.id}:${row.marketType}`,
    title: ({ row }) => `${row.marketName}（${marketTypes[row.marketType]}）`,
    before: ({ row }) => bandFrom(row, row.watched),
    after: ({ row }, input) => bandFrom(input, watchedAfter(row, input)),
    loosens: (before, after) => before !== null && after !== null && loosensBand(before, after),
    renew: (input, { row }) => ({ ...input, version: row.version }),
  }),
  execute: async (ctx, input, target, approved) => {
    const { row } = target;
    const watched = watchedAfter(row, input);
    const by = approved?.maker ?? ctx.operator.account;
    if (!(await savePriceProtection(ctx, { ...input, watched }, row.version, by)))
      throw refuseStaleBand(await mustFind(ctx, input), row.version);
    const after = await mustFind(ctx, input);
    const { marketName, marketType } = row;
    const data = { marketName, marketType, ...requirePrices(input), planMinute: input.planMinute, planState: watched };
    await enqueue(ctx.db, { type: 'plan.updated', refType: 'market', refId: row.id, data, now: ctx.now });
    return { data: after, subject: subjectOf(target), before: bandOf(row), after: bandOf(after) };
  },
});

/** Whether the price is monitored after a save. */
const watchedAfter = (row: PriceProtectionRow, { planState }: PriceProtectionSave): 0 | 1 =>
  planState === PRICE_PROTECTION.halted ? row.watched : planState;

/** @throws Refused 422 for a price that is missing */
function requirePrices({ minPrice, planPrice, maxPrice }: PriceProtectionSave) {
  if (minPrice === null) throw refuseMissing('minPrice');
  if (planPrice === null) throw refuseMissing('planPrice');
  if (maxPrice === null) throw refuseMissing('maxPrice');
  return { minPrice, maxPrice, planPrice };
}

const isSameBand = (row: PriceProtectionRow, input: PriceProtectionSave): boolean =>
  stableJson(bandFrom(row, row.watched)) === stableJson(bandFrom(input, watchedAfter(row, input)));

type SignedBand = Band & Pick<PriceProtectionRow, 'planPrice'>;

function bandFrom(
  { minPrice, planPrice, maxPrice, planMinute }: Omit<SignedBand, 'watched'>,
  watched: number,
): SignedBand {
  const inOneSpelling = (price: string | null) => price && canonical(price);
  const prices = {
    minPrice: inOneSpelling(minPrice),
    planPrice: inOneSpelling(planPrice),
    maxPrice: inOneSpelling(maxPrice),
  };
  return { ...prices, planMinute, watched };
}

/** Halts one market type for some minutes, for all users. */
export const priceProtectionHalt = defineAction<PriceProtectionHalt, PriceProtectionRow, Target>({
  call: calls.halt,
  load,
  check: (_ctx, { row }) => {
    if (!(priceProtectionActionStates.halt as readonly number[]).includes(row.planState)) throw refuseConflict(row);
  },
  execute: async (ctx, input, target) => {
    const { planMinute } = input;
    const resumeAt = ctx.now + planMinute * MINUTE_MS;
    const halted = await haltAndNotify(ctx.db, {
      marketId: input.id,
      marketType: input.marketType,
      at: ctx.now,
      resumeAt,
      price: null,
      by: ctx.operator.account,
      reason: input.reason,
      planMinute,
      now: ctx.now,
    });
    const after = await mustFind(ctx, input);
    if (!halted) throw refuseConflict(after);
    return {
      data: after,
      subject: subjectOf(target),
      before: stateOf(target.row),
      after: { ...stateOf(after), resumeAt },
    };
  },
});

/** Ends a halt early; the band stays watched. */
export const priceProtectionResume = defineAction<PriceProtectionResume, PriceProtectionRow, Target>({
  call: calls.resume,
  load,
  check: (_ctx, { row }) => {
    if (!(priceProtectionActionStates.resume as readonly number[]).includes(row.planState)) throw refuseConflict(row);
  },
  execute: async (ctx, input, target) => {
    const resumed = await resumeAndNotify(ctx.db, input, ctx.operator.account, ctx.now);
    const after = await mustFind(ctx, input);
    if (!resumed) throw refuseConflict(after);
    return { data: after, subject: subjectOf(target), before: stateOf(target.row), after: stateOf(after) };
  },
});

export async function priceProtectionPermission(ctx: Ctx, { id }: IdInput): Promise<PriceProtectionPermission> {
  requireTop(ctx);
  const grants = (await findMarket(ctx, id)) && (await findGrants(ctx, id));
  return { marketId: id, ...requireFound(grants) };
}

const grantLine = (marketId: number, account: string): string => `plan.grant:${marketId}:${account.toLowerCase()}`;

const linesOf = (marketId: number, accounts: readonly string[]) =>
  Object.fromEntries(accounts.map((account) => [grantLine(marketId, account), true] as const));

type GrantTarget = Grants & { marketId: number };

/** Sets which agents see the price protection of a market. Those with the ability may also change it. */
export const priceProtectionPermit = defineAction<PriceProtectionPermit, PriceProtectionPermission, GrantTarget>({
  call: calls.permit,
  authorize: requireTop,
  load: async (ctx, { marketId }) =>
    (await findMarket(ctx, marketId)) && { marketId, ...(await findGrants(ctx, marketId)) },
  check: (_ctx, { version }, input) => {
    if (input.version !== undefined && input.version !== version)
      throw refuseStaleGrants(input.marketId, version - input.version);
  },
  setting: {
    record: ({ marketId, ...grants }) => ({ data: { marketId, ...grants }, subject: { type: 'plan', id: marketId } }),
    isSet: ({ marketId, agent: granted }, { agent }) =>
      stableJson(linesOf(marketId, granted)) === stableJson(linesOf(marketId, agent)),
  },
  save: saveOfLines<PriceProtectionPermit, GrantTarget, true>({
    change: (_ctx, { agent: granted }, { marketId, agent }) => ({
      before: linesOf(marketId, granted),
      after: linesOf(marketId, agent),
    }),
    words: (_ctx, { agent: granted }, { marketId, agent }) => ({
      names: {
        '': '授权',
        ...Object.fromEntries([...granted, ...agent].map((account) => [grantLine(marketId, account), account])),
      },
    }),
    loosens: (before, after) => loosensGrants(Object.keys(before), Object.keys(after)),
    renew: (input, { version }) => ({ ...input, version }),
  }),
  guard: {
    subject: (_before, ctx, { marketId }) => ({ type: 'plan', id: marketId, agentId: ctx.operator.id }),
    preview: async (ctx, { marketId, agent }) => {
      const market = await findMarket(ctx, marketId);
      return {
        input: [textItem('市场', market?.marketName ?? '--'), textItem('授权代理', agent.join('、') || '无')],
        now: [textItem('授权代理', (await findGrants(ctx, marketId)).agent.join('、') || '无')],
        legs: [],
        problem: market ? null : refusals.notFound.msg,
        consequence: '授权的代理可查看该市场的价格保护，持有相应权限的还可修改。',
      };
    },
  },
  execute: async (ctx, { marketId, agent }, before) => {
    const found = await findAgents(ctx, agent);
    const knownKeys = new Set(found.map(({ accountKey }) => accountKey));
    const unknownAccount = agent.find((account) => !knownKeys.has(account.toLowerCase()));
    if (unknownAccount !== undefined) throw refuseField('agent', `：没有代理 ${unknownAccount}`);
    const ids = found.map(({ id }) => id);
    if (!(await saveGrants(ctx, marketId, ids, before.version))) throw refuseStaleGrants(marketId);
    const after = await findGrants(ctx, marketId);
    return {
      data: { marketId, ...after },
      subject: { type: 'plan', id: marketId },
      before: { agents: before.agent },
      after: { agents: after.agent },
    };
  },
});

async function mustFind(ctx: Ctx, key: PriceProtectionKey): Promise<PriceProtectionRow> {
  return requireFound(await findPriceProtection(ctx, key));
}

const bandOf = ({ marketType, minPrice, maxPrice, planPrice, planMinute, watched }: PriceProtectionRow) => ({
  marketType,
  minPrice,
  planPrice,
  maxPrice,
  planMinute,
  watched,
});
const stateOf = ({ marketType, planState }: PriceProtectionRow) => ({ marketType, planState });

const refuseConflict = (row: PriceProtectionRow): Refused =>
  refuseStateConflict(priceProtectionStates[row.planState as keyof typeof priceProtectionStates], {
    state: row.planState,
    by: row.haltedBy,
    at: row.triggeredAt,
  });

async function preview(ctx: Ctx, input: PriceProtectionSave): Promise<Preview> {
  const row = await mustFind(ctx, input);
  const bandItems = (band: Pick<PriceProtectionSave, 'planMinute' | 'minPrice' | 'planPrice' | 'maxPrice'>) => [
    amountItem('下限', band.minPrice, 'USDT'),
    amountItem('参考价', band.planPrice, 'USDT'),
    amountItem('上限', band.maxPrice, 'USDT'),
    textItem('触发后暂停', `${band.planMinute} 分钟`),
  ];
  return {
    input: [
      textItem('市场', `${row.marketName}（${marketTypes[row.marketType]}）`),
      textItem('价格保护', priceProtectionStates[input.planState]),
      ...bandItems(input),
    ],
    now: [
      textItem('状态', priceProtectionStates[row.planState as keyof typeof priceProtectionStates]),
      amountItem('最新价', row.price, 'USDT'),
      ...bandItems(row),
    ],
    legs: [],
    problem: null,
    consequence: '开启后，价格越出范围时暂停该市场；不改写任何价格。',
  };
}
