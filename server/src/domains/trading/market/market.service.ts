import type { IdInput } from '@hengtai/contract/wire/schema';
import { fieldLabels } from '@hengtai/contract/wire/labels';
import { market as calls, marketNetworks, unconfirmedNetworks } from '@hengtai/contract/trading/market/calls';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type {
  MarketAffected,
  MarketCandles,
  MarketCandlesInput,
  MarketRow,
  MarketSave,
  MarketSettings,
} from '@hengtai/contract/trading/market/schema';
import { onOffLabels } from '@hengtai/contract/wire/switches';
import { type Family, families } from '@hengtai/contract/values/destination';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { type Lines, saveOfLines } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { type Refused, refuseField, requireFound } from '../../../app/refuse.ts';
import { findCandles } from './candle.store.ts';
import { type PlatformState, heldAfter, validateAgainstPlatform } from './market-platform.rules.ts';
import { findPlatformState, savePlatformState } from './market-platform.store.ts';
import {
  type Pair,
  findAffected,
  findInheritedLines,
  insertMarket,
  lockNetworks,
  requestKeys,
  updateMarket,
} from './market-save.store.ts';
import {
  type PairNames,
  type SignedSettings,
  changesFamilies,
  changesOf,
  validateSettings,
  isComplete,
  loosensMarket,
  pairOf,
  settingsOf,
  signedSettings,
} from './market.rules.ts';
import { findCoins, findMarket, hadPrice } from './market.store.ts';

export const marketDetail = (ctx: Ctx, { id }: IdInput): Promise<MarketRow> => mustFind(ctx, id);

export async function marketAffected(ctx: Ctx, { id }: IdInput): Promise<MarketAffected> {
  return { id, items: await findAffected(ctx, await mustFind(ctx, id)) };
}

export async function marketCandles(ctx: Ctx, input: MarketCandlesInput): Promise<MarketCandles> {
  const { marketName } = await mustFind(ctx, input.id);
  return { marketName, list: await findCandles(ctx, input) };
}

/** Fields that ticks move. */
const PRICE_FIELDS = ['price', 'pricedAt', 'change24h', 'halted'];

interface Target {
  /** undefined for a new market. */
  row: MarketRow | undefined;
  /** The maker. Markets belong to no agent, so the scope of an approval is that of its maker. */
  operatorId: number;
  /** The coins of a new pair. */
  pair: Pair | undefined;
  /** What the platform has saved of the market. */
  platform: PlatformState | undefined;
}

/** Adds a market, or changes one with optimistic locking. Prices are not among its fields. */
export const marketSave = defineAction<MarketSave, MarketRow, Target>({
  call: calls.save,
  validate: (input) => {
    // A partial save is validated after the row is loaded.
    if (input.id === undefined) validateSettings(settingsOf(input), pairOf(input));
    else if (isComplete(input)) validateSettings(settingsOf(input));
  },
  load: async (ctx, input) => {
    const { id } = input;
    const operatorId = ctx.operator.id;
    if (id === undefined)
      return { row: undefined, operatorId, pair: await findPair(ctx, pairOf(input)), platform: undefined };
    const row = await findMarket(ctx, id);
    if (!row) return undefined;
    return { row, operatorId, pair: undefined, platform: await findPlatformState(ctx.db, row.marketName) };
  },
  check: (_ctx, { row, platform }, input) => {
    if (input.managed !== undefined && input.managed !== (row?.managed ?? 0)) throw refuseField('managed', '不能修改');
    if (input.unconfirmed?.some((network) => !row?.unconfirmed.includes(network)))
      throw refuseField('unconfirmed', '只能确认，不能添加');
    if (!row) return;
    if (input.marketName !== undefined && row.marketName !== input.marketName)
      throw refuseField('marketName', '不能修改');
    for (const field of ['base', 'quote'] as const) {
      if (input[field] !== undefined && (row[field] ?? null) !== input[field]) throw refuseField(field, '不能修改');
    }
    if (isStale(row, input)) throw refuseStale(row, input);
    const settings = settingsOf(input, row);
    validateSettings(settings, pairOf(row));
    validateAgainstPlatform(settings, platform?.settings ?? {});
  },
  setting: {
    record: ({ row }) => row && { data: row, subject: { type: 'market', id: row.id } },
    isSet: ({ row }, input) =>
      row !== undefined && Object.keys(changesOf(row, settingsOf(input, row)).after).length === 0,
    findMoved: async ({ row }, { price }, { db }) =>
      row && row.price !== price && (await hadPrice(db, row.id, price)) ? PRICE_FIELDS : [],
  },
  policy: {
    // A new market has no id yet.
    subject: ({ row, operatorId }) => ({ type: 'market', id: row?.id ?? 0, agentId: operatorId }),
    amount: () => null,
    preview,
  },
  guard: {},
  save: saveOfLines<MarketSave, Target, unknown>({
    change: async (ctx, { row, platform }, input) => {
      const settings = settingsOf(input, row);
      const line = lineOf(row, settings);
      const before = row ? settingsOf({}, row) : null;
      const sign = (of: MarketSettings) => signedSettings(of, platform?.settings ?? {}, before, settings);
      const others = row ? await findInheritedLines(ctx, row, settings) : { before: {}, after: {} };
      return {
        before: { [line]: before && sign(before), ...others.before },
        after: { [line]: { ...sign(settings), ...(!row && pairOf(input)) }, ...others.after },
      };
    },
    words: async (ctx, { row }, input) => {
      const settings = settingsOf(input, row);
      const { names, texts } = row ? (await findInheritedLines(ctx, row, settings)).words : { names: {}, texts: {} };
      return {
        names: { ...names, [lineOf(row, settings)]: `市场 ${settings.marketName}` },
        texts: { ...texts, ...marketTexts },
      };
    },
    loosens: (before, after) => {
      const [was, is] = [marketIn(before), marketIn(after)];
      return !was || !is || loosensMarket(was, is);
    },
    renew: (input, { row }) => (row ? { ...input, version: row.version } : input),
  }),
  execute: async (ctx, input, { row, pair, platform }, approved) => {
    const settings = settingsOf(input, row);
    const by = approved?.maker ?? ctx.operator.account;
    const isRekeyed = row !== undefined && changesFamilies(row.networks, settings.networks);
    if (isRekeyed) await lockNetworks(ctx.db, row.id);
    const id = row
      ? (await updateMarket(ctx, { id: row.id, version: row.version, by }, settings)) && row.id
      : await insertMarket(ctx, settings, pair, by);
    if (id === undefined) throw refuseTaken();
    if (id === false) throw refuseStale(await mustFind(ctx, row?.id ?? 0), row ?? {});
    if (isRekeyed) await requestKeys(ctx.db, id);
    if (row && platform && platform.version > 0) {
      const held = heldAfter(settingsOf({}, row), settings, platform.held);
      await savePlatformState(ctx.db, id, { ...platform, held });
    }
    const after = await mustFind(ctx, id);
    await notifyPlatform(ctx, after);
    const { icon: _icon, unconfirmed: _unconfirmed, ...added } = settings;
    return {
      data: after,
      subject: { type: 'market', id },
      ...(row ? changesOf(row, settings) : { after: { ...added, ...pairOf(input) } }),
    };
  },
});

const marketIn = (lines: Lines): SignedSettings | null | undefined =>
  // Inherited lines have other names.
  Object.entries(lines as Lines<SignedSettings>).find(([line]) => line.startsWith('market:'))?.[1];

/** @throws Refused 422 for a name that is no coin */
async function findPair(ctx: Ctx, names: PairNames | undefined): Promise<Pair | undefined> {
  if (!names) return undefined;
  const coins = await findCoins(ctx.db, [names.base, names.quote]);
  const idOf = (field: keyof PairNames): number => {
    const id = coins.get(names[field]);
    if (id === undefined) throw refuseField(field, '不是已有的币种');
    return id;
  };
  return { baseId: idOf('base'), quoteId: idOf('quote') };
}

async function notifyPlatform(ctx: Ctx, row: MarketRow): Promise<void> {
  const {
    id,
    icon: _i,
    price: _p,
    pricedAt: _t,
    unconfirmed: _n,
    change24h: _c,
    halted: _h,
    managed: _m,
    version: _v,
    updatedBy: _b,
    createdAt: _a,
    updatedAt: _u,
    base,
    quote,
    ...settings
  } = row;
  const data = base && quote ? { ...settings, base, quote } : settings;
  await enqueue(ctx.db, { type: 'market.updated', refType: 'market', refId: id, data, now: ctx.now });
}

const lineOf = (row: MarketRow | undefined, { marketName }: MarketSettings): string =>
  row ? `market:${row.id}` : `market:new:${marketName.toUpperCase()}`;

async function mustFind(ctx: Ctx, id: number): Promise<MarketRow> {
  return requireFound(await findMarket(ctx, id));
}

/** A save without a version skips optimistic locking. */
const isStale = (row: MarketRow, { version }: MarketSave): boolean => version !== undefined && version !== row.version;

const refuseTaken = (): Refused => refuseField('marketName', '已存在');

const refuseStale = (row: MarketRow, { version = row.version }: Pick<MarketSave, 'version'>): Refused =>
  refuseStaleSave({
    target: { type: 'market', id: row.id },
    versions: row.version - version,
    current: { state: row.state, by: row.updatedBy, at: row.updatedAt },
    words: { texts: marketTexts },
  });

const titles: Readonly<Record<string, string>> = Object.fromEntries(
  calls.list.list.columns.map(({ field, title }) => [field, title]),
);
const switchFields = ['spot', 'future', 'second', 'ieo', 'rechargeState', 'withdrawState'];

/** Texts of fields that have no label in the contract. An icon is a data URL. */
const marketTexts = {
  icon: (icon: string) => (icon === '' ? '无' : `图片（${icon.length} 字符）`),
  recharge: (state: 0 | 1) => onOffLabels[state],
  withdraw: (state: 0 | 1) => onOffLabels[state],
  family: (family: Family) => families[family],
  payingMinutes: (minutes: number | null) => (minutes === null ? '默认' : String(minutes)),
  matchMinutes: (minutes: number | null) => (minutes === null ? '默认' : String(minutes)),
  unconfirmed: (unconfirmed: MarketRow['unconfirmed']) => unconfirmedNetworks({ unconfirmed }) || '无',
};

function formatValue(field: string, value: unknown): string {
  if (field === 'state') return marketStates[value as keyof typeof marketStates];
  if (switchFields.includes(field)) return onOffLabels[value as keyof typeof onOffLabels];
  if (field === 'unconfirmed') return unconfirmedNetworks({ unconfirmed: value as MarketRow['unconfirmed'] }) || '无';
  if (field === 'networks') return marketNetworks({ networks: value as MarketRow['networks'] }) || '无';
  return String(value) || '无';
}

const toItems = (record: object) =>
  Object.entries(record).map(([field, value]) =>
    textItem(titles[field] ?? fieldLabels[field] ?? field, formatValue(field, value)),
  );

const CONSEQUENCE = '通过后立即通知平台，对此后的委托、充值和提现生效。';

async function preview(ctx: Ctx, input: MarketSave): Promise<Preview> {
  if (input.id === undefined) {
    const { unconfirmed: _unconfirmed, ...settings } = settingsOf(input);
    return {
      input: [textItem('新增市场', input.marketName ?? ''), ...toItems({ ...pairOf(input), ...settings, icon: '' })],
      now: [],
      legs: [],
      problem: null,
      consequence: CONSEQUENCE,
    };
  }
  const row = await mustFind(ctx, input.id);
  const { before, after } = changesOf(row, settingsOf(input, row));
  return {
    input: [textItem('市场', row.marketName), ...toItems(after)],
    now: [textItem('状态', marketStates[row.state as keyof typeof marketStates]), ...toItems(before)],
    legs: [],
    problem: null,
    consequence: CONSEQUENCE,
  };
}
