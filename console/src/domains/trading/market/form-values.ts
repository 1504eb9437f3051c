import { type Family, families } from '@hengtai/contract/values/destination';
import { marketStates } from '@hengtai/contract/trading/market/facts';
import type { MarketRow, MarketSave, MarketSettings } from '@hengtai/contract/trading/market/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { formatPlain, multiply } from '../../../ui/value/decimal.ts';

const SWITCHES = ['spot', 'future', 'second', 'ieo', 'rechargeState', 'withdrawState'] as const;
const AMOUNTS = [
  'minAmount',
  'maxAmount',
  'makerFee',
  'takerFee',
  'maintenanceRate',
  'withdrawFee',
  'withdrawMin',
  'withdrawMax',
] as const;
/** Ratios on the wire that the form shows in percent. */
const PERCENTS = ['makerFee', 'takerFee', 'maintenanceRate'] as const satisfies readonly (typeof AMOUNTS)[number][];
const COUNTS = ['pricePrecision', 'amountPrecision', 'maxLeverage', 'sort'] as const;

type Switches = Record<(typeof SWITCHES)[number], boolean>;
type Amounts = Record<(typeof AMOUNTS)[number], string>;
type Counts = Record<(typeof COUNTS)[number], number>;

/** Values of the form. Switches are booleans, amounts are the typed text. */
export interface Values extends Switches, Amounts, Counts {
  marketName: string;
  /** The coins of a pair. */
  base?: string | null | undefined;
  quote?: string | null | undefined;
  icon: string;
  state: 0 | 1 | 2;
  networks: {
    network: string;
    recharge: boolean;
    withdraw: boolean;
    fee: string;
    explorer: string;
    /** Empty: as the name says. */
    family?: Family | '' | undefined;
    /** Empty: as the setting says. */
    payingMinutes?: string | undefined;
    /** Empty: as the setting says. */
    matchMinutes?: string | undefined;
  }[];
  /** Names of the networks that saving confirms. */
  unconfirmed: readonly string[];
}

/** Initial values of a new market. It is not listed. */
export const NEW_MARKET_VALUES: Values = {
  marketName: '',
  icon: '',
  state: 0,
  sort: 100,
  spot: true,
  future: false,
  second: false,
  ieo: false,
  rechargeState: true,
  withdrawState: true,
  pricePrecision: 2,
  amountPrecision: 8,
  maxLeverage: 1,
  minAmount: '0',
  maxAmount: '0',
  makerFee: '0.1',
  takerFee: '0.1',
  maintenanceRate: '0.5',
  withdrawFee: '0',
  withdrawMin: '0',
  withdrawMax: '0',
  networks: [],
  unconfirmed: [],
};

export const valuesOf = (row: MarketRow): Values => ({
  ...pick(row, COUNTS),
  ...pick(row, AMOUNTS),
  ...mapPercents((field) => multiply(row[field], '100')),
  ...(Object.fromEntries(SWITCHES.map((field) => [field, row[field] === 1])) as Switches),
  marketName: row.marketName,
  base: row.base,
  quote: row.quote,
  icon: row.icon,
  state: row.state as Values['state'],
  unconfirmed: row.unconfirmed,
  networks: row.networks.map((one) => ({
    ...one,
    recharge: one.recharge === 1,
    withdraw: one.withdraw === 1,
    family: one.family ?? '',
    payingMinutes: one.payingMinutes?.toString() ?? '',
    matchMinutes: one.matchMinutes?.toString() ?? '',
  })),
});

const pick = <K extends keyof MarketRow>(row: MarketRow, fields: readonly K[]): Pick<MarketRow, K> =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<MarketRow, K>;

const mapPercents = (of: (field: (typeof PERCENTS)[number]) => string) =>
  Object.fromEntries(PERCENTS.map((field) => [field, of(field)])) as Record<(typeof PERCENTS)[number], string>;

const bit = (on: boolean): 0 | 1 => (on ? 1 : 0);

/** The input of the call. Amounts lose redundant zeros, percent become ratios, and all networks are confirmed. */
export function toSaveInput(
  values: Values,
  row: Pick<MarketRow, 'id' | 'version'> | undefined,
): MarketSettings & MarketSave {
  const { base, quote, ...settings } = values;
  return {
    ...(row && { id: row.id, version: row.version }),
    ...(base ? { base, quote: quote ?? null } : {}),
    ...settings,
    marketName: values.marketName.trim(),
    unconfirmed: [],
    ...(Object.fromEntries(AMOUNTS.map((field) => [field, formatPlain(values[field])])) as Amounts),
    ...mapPercents((field) => multiply(values[field], '0.01')),
    ...(Object.fromEntries(SWITCHES.map((field) => [field, bit(values[field])])) as Record<
      (typeof SWITCHES)[number],
      0 | 1
    >),
    networks: values.networks.map((one) => ({
      network: one.network.trim(),
      recharge: bit(one.recharge),
      withdraw: bit(one.withdraw),
      fee: formatPlain(one.fee),
      explorer: one.explorer.trim(),
      ...(one.family && { family: one.family }),
      ...(one.payingMinutes && { payingMinutes: Number(one.payingMinutes) }),
      ...(one.matchMinutes && { matchMinutes: Number(one.matchMinutes) }),
    })),
  };
}

export interface FieldChange {
  field: string;
  label: string;
  from: string;
  to: string;
}

/** The fields that saving would change, as text, in the order of the form. */
export function changesOf(before: Values, after: Values): FieldChange[] {
  const old = toSaveInput(before, undefined);
  const next = toSaveInput(after, undefined);
  return (Object.keys(next) as (keyof MarketSettings)[])
    .map((field) => ({ field, label: labelOf(field), from: fieldText(field, old), to: fieldText(field, next) }))
    .filter(({ field, from, to }) => (field === 'icon' ? before.icon !== after.icon : from !== to));
}

function fieldText(field: keyof MarketSettings, values: MarketSettings): string {
  const value = values[field];
  if (field === 'state') return marketStates[values.state];
  if (field === 'icon') return values.icon === '' ? '无' : '已设置';
  if ((SWITCHES as readonly string[]).includes(field)) return value === 1 ? '开' : '关';
  if (field === 'networks') return values.networks.map(networkText).join('；') || '无';
  if ((PERCENTS as readonly string[]).includes(field) && typeof value === 'string') return `${multiply(value, '100')}%`;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function networkText(one: MarketSettings['networks'][number]): string {
  const { network, recharge, withdraw, fee, explorer, family, payingMinutes, matchMinutes } = one;
  const parts = [`充值${recharge ? '开' : '关'}`, `提现${withdraw ? '开' : '关'}`, `手续费 ${fee}`];
  if (family) parts.push(`地址格式 ${families[family]}`);
  if (payingMinutes !== undefined) parts.push(`打款无回应时限 ${payingMinutes} 分钟`);
  if (matchMinutes !== undefined) parts.push(`链上核对时限 ${matchMinutes} 分钟`);
  if (explorer) parts.push(explorer);
  return `${network}（${parts.join('，')}）`;
}
