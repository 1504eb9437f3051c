import { familyOf } from '@hengtai/contract/values/network';
import { type MARKET_TYPE } from '@hengtai/contract/trading/market/type';
import type { MarketRow, MarketSave, MarketSettings } from '@hengtai/contract/trading/market/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { PlatformSettings } from './market-platform.rules.ts';
import { refuseField, refuseMissing } from '../../../app/refuse.ts';

const FEE_MAX = '0.1';
const amounts = ['minAmount', 'maxAmount', 'withdrawFee', 'withdrawMin', 'withdrawMax'] as const;
const tradingTypes = ['spot', 'future', 'second', 'ieo'] as const satisfies readonly (
  | keyof typeof MARKET_TYPE
  | 'ieo'
)[];

/**
 * Checks what the schema cannot express. A maximum of 0 means no maximum.
 *
 * @throws Refused 422
 */
export function validateSettings(input: MarketSettings, pair?: PairNames): void {
  const { maintenanceRate, maxLeverage, amountPrecision } = input;
  for (const fee of ['makerFee', 'takerFee'] as const) {
    if (new Decimal(input[fee]).abs().gt(FEE_MAX)) throw refuseField(fee, `不能超过 ${FEE_MAX}（即 10%）`);
  }
  for (const field of amounts) {
    if (new Decimal(input[field]).decimalPlaces() > amountPrecision)
      throw refuseField(field, `最多 ${amountPrecision} 位小数`);
  }
  validateOrder(input, 'minAmount', 'maxAmount');
  validateOrder(input, 'withdrawMin', 'withdrawMax');
  if (input.withdrawMin !== '0' && new Decimal(input.withdrawFee).gt(input.withdrawMin))
    throw refuseField('withdrawFee', '不能大于单笔最小提现');
  if (input.future === 1 && !new Decimal(maintenanceRate).mul(maxLeverage).lt(1))
    throw refuseField('maintenanceRate', `须小于最高杠杆的倒数（1/${maxLeverage}）`);
  if (new Decimal(maintenanceRate).gte(1)) throw refuseField('maintenanceRate', '须小于 1（即 100%）');
  validateNetworks(input);
  if (input.marketName.toUpperCase() === SETTLEMENT) validateSettlement(input);
  if (pair) validatePair(input, pair);
}

function validateOrder(
  input: MarketSettings,
  minField: 'minAmount' | 'withdrawMin',
  maxField: 'maxAmount' | 'withdrawMax',
): void {
  const max = new Decimal(input[maxField]);
  if (!max.isZero() && max.lt(input[minField])) throw refuseField(maxField, '不能小于最小值');
}

function validateNetworks({ networks, amountPrecision }: MarketSettings): void {
  const names = networks.map(({ network }) => network.toLowerCase());
  if (new Set(names).size < names.length) throw refuseField('networks', '中有重名的网络');
  if (networks.some(({ fee }) => new Decimal(fee).decimalPlaces() > amountPrecision))
    throw refuseField('networks', `的手续费最多 ${amountPrecision} 位小数`);
}

/** The settlement asset is never traded and always listed. */
function validateSettlement(input: MarketSettings): void {
  for (const field of tradingTypes)
    if (input[field] !== 0) throw refuseField(field, `：${SETTLEMENT} 是结算币种，不能交易`);
  if (input.state !== 1) throw refuseField('state', `：${SETTLEMENT} 是结算币种，不能下架或暂停`);
}

/** The coins of a pair, by name. */
export interface PairNames {
  base: string;
  quote: string;
}

/** The pair that a save or row names; undefined for a coin. */
export function pairOf({ base = null, quote = null }: Pick<MarketSave, 'base' | 'quote'>): PairNames | undefined {
  if (base === null && quote === null) return undefined;
  if (base === null) throw refuseMissing('base');
  if (quote === null) throw refuseMissing('quote');
  return { base, quote };
}

/** A pair has no balances, so nothing is deposited, withdrawn or subscribed in it. The margin of futures is in USDT. */
function validatePair(input: MarketSettings, { base, quote }: PairNames): void {
  if (base === quote) throw refuseField('quote', '不能与交易币相同');
  for (const field of ['ieo', 'rechargeState', 'withdrawState'] as const)
    if (input[field] !== 0) throw refuseField(field, '：交易对没有余额，须关闭');
  if (input.networks.length > 0) throw refuseField('networks', '：交易对没有余额，须为空');
  if (input.future !== 0 && quote !== SETTLEMENT)
    throw refuseField('future', `：只有 ${SETTLEMENT} 计价的交易对可以开合约`);
}

/** Defaults of a new market: unlisted, with everything off. */
const NEW_MARKET: Omit<MarketSettings, 'marketName'> = {
  icon: '',
  spot: 0,
  future: 0,
  second: 0,
  ieo: 0,
  pricePrecision: 8,
  amountPrecision: 8,
  minAmount: '0',
  maxAmount: '0',
  makerFee: '0',
  takerFee: '0',
  maxLeverage: 1,
  maintenanceRate: '0',
  withdrawFee: '0',
  withdrawMin: '0',
  withdrawMax: '0',
  rechargeState: 0,
  withdrawState: 0,
  networks: [],
  unconfirmed: [],
  sort: 0,
  state: 0,
};
const FIELDS = ['marketName', ...(Object.keys(NEW_MARKET) as (keyof typeof NEW_MARKET)[])] as const;

export const isComplete = (input: MarketSave): boolean =>
  FIELDS.every((field) => input[field] !== undefined || field === 'unconfirmed');

/**
 * The settings after a save. Missing fields are taken from `row`, or from the defaults of a new market.
 *
 * @throws Refused 422 for a new market without a name
 */
export function settingsOf(input: MarketSave, row?: MarketRow): MarketSettings {
  const marketName = input.marketName ?? row?.marketName;
  if (marketName === undefined) throw refuseMissing('marketName');
  const settings: MarketSettings = { ...NEW_MARKET, marketName };
  for (const source of [row, input]) {
    for (const field of FIELDS) if (source?.[field] !== undefined) Object.assign(settings, { [field]: source[field] });
  }
  const isListed = (name: string): boolean => settings.networks.some(({ network }) => network === name);
  return { ...settings, unconfirmed: settings.unconfirmed.filter(isListed) };
}

/** Amounts without trailing zeros, so that `1.50` equals `1.5`. */
const normalize = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? new Decimal(value).toFixed() : value;

/** The value for the audit row. An icon is a data URL, of which only the length is kept. */
const auditValue = (field: string, value: unknown): unknown =>
  field === 'icon' && typeof value === 'string' && value !== '' ? `图片（${value.length} 字符）` : normalize(value);

const networksText = (networks: MarketSettings['networks']): string =>
  JSON.stringify(
    networks.map(({ network, recharge, withdraw, fee, explorer, family, payingMinutes, matchMinutes }) => [
      network,
      recharge,
      withdraw,
      normalize(fee),
      explorer,
      family,
      payingMinutes,
      matchMinutes,
    ]),
  );

const familiesText = (networks: MarketSettings['networks']): string =>
  networks
    .map(({ network, family = familyOf(network) }) => JSON.stringify([network, family]))
    .toSorted()
    .join();

/** Whether records of the coin may be of other accounts after a save. Without a set family, names alone tell the families. */
export const changesFamilies = (before: MarketSettings['networks'], after: MarketSettings['networks']): boolean =>
  [...before, ...after].some(({ family }) => family !== undefined) && familiesText(before) !== familiesText(after);

const changedFields = (before: SignedSettings, after: SignedSettings): (keyof MarketSettings)[] =>
  FIELDS.filter((field) => {
    if (field === 'networks') return networksText(before.networks ?? []) !== networksText(after.networks ?? []);
    if (field === 'unconfirmed') return unconfirmedText(before) !== unconfirmedText(after);
    return normalize(before[field]) !== normalize(after[field]);
  });

const unconfirmedText = ({ unconfirmed = [] }: SignedSettings): string => JSON.stringify(unconfirmed.toSorted());

/** The settings that an approval signs. */
export type SignedSettings = Partial<MarketSettings>;

/**
 * The settings that an approval signs, in one spelling: all but those that the platform maintains and the save leaves alone.
 *
 * @param before the settings before the save; null for a new market
 */
export function signedSettings(
  settings: MarketSettings,
  ofPlatform: PlatformSettings,
  before: MarketSettings | null,
  after: MarketSettings,
): SignedSettings {
  const changed: readonly string[] = before ? changedFields(before, after) : FIELDS;
  const signed = FIELDS.filter((field) => !(field in ofPlatform) || changed.includes(field));
  const networks = settings.networks.map((network) => ({ ...network, fee: new Decimal(network.fee).toFixed() }));
  return Object.fromEntries(
    signed.map((field) => [field, field === 'networks' ? networks : normalize(settings[field])]),
  );
}

/** The values of the changed fields, before and after, for audit rows and previews. */
export function changesOf(before: MarketRow, after: MarketSettings): { before: object; after: object } {
  const fields = changedFields(settingsOf({}, before), after);
  const pick = (row: MarketSettings | MarketRow) =>
    Object.fromEntries(fields.map((field) => [field, auditValue(field, row[field])]));
  return { before: pick(before), after: pick(after) };
}

/** Fields that concern neither security nor money. A network is open whether it is confirmed or not. */
const cosmeticFields: readonly string[] = ['icon', 'sort', 'unconfirmed'];
const switchFields: readonly string[] = [...tradingTypes, 'rechargeState', 'withdrawState'];

/** Whether a save loosens a protection. Delisting, pausing and switching off never do. */
export function loosensMarket(before: SignedSettings, after: SignedSettings): boolean {
  return changedFields(before, after).some((field) => {
    if (cosmeticFields.includes(field)) return false;
    if (field === 'state') return after.state === 1;
    if (field === 'networks') return !onlyClosesNetworks(before.networks ?? [], after.networks ?? []);
    return switchFields.includes(field) ? after[field] === 1 : true;
  });
}

function onlyClosesNetworks(before: MarketRow['networks'], after: MarketSettings['networks']): boolean {
  if (before.length !== after.length) return false;
  const opensAny = before.some((was, i) => {
    const next = after[i];
    return !next || next.recharge > was.recharge || next.withdraw > was.withdraw;
  });
  const closedText = (networks: MarketSettings['networks']) =>
    networksText(networks.map((network) => ({ ...network, recharge: 0, withdraw: 0 })));
  return !opensAny && closedText(before) === closedText(after);
}
