import { type MARKET_TYPE } from '@hengtai/contract/market-type';
import type { MarketRow, MarketSave } from '@hengtai/contract/market.schema';
import { SETTLEMENT } from '@hengtai/contract/money';
import { Decimal } from '@hengtai/contract/decimal';
import { refuseField } from '../refuse.ts';
import type { MarketSettings } from './market-save.store.ts';

const FEE_MAX = '0.1';
const amounts = ['minAmount', 'maxAmount', 'withdrawFee', 'withdrawMin', 'withdrawMax'] as const;
const businesses = ['spot', 'future', 'second', 'ieo'] as const satisfies readonly (keyof typeof MARKET_TYPE | 'ieo')[];

/**
 * What only the fields together make wrong. A most of 0 means that there is none.
 *
 * @throws Refused 422
 */
export function demandSound(input: MarketSave): void {
  const { maintenanceRate, maxLeverage, amountPrecision } = input;
  if (input.id !== undefined && input.version === undefined) throw refuseField('version', '不能为空');
  for (const fee of ['makerFee', 'takerFee'] as const) {
    if (new Decimal(input[fee]).gt(FEE_MAX)) throw refuseField(fee, `不能超过 ${FEE_MAX}（即 10%）`);
  }
  for (const field of amounts) {
    if (new Decimal(input[field]).decimalPlaces() > amountPrecision)
      throw refuseField(field, `最多 ${amountPrecision} 位小数`);
  }
  demandOrder(input, 'minAmount', 'maxAmount');
  demandOrder(input, 'withdrawMin', 'withdrawMax');
  if (input.withdrawMin !== '0' && new Decimal(input.withdrawFee).gt(input.withdrawMin))
    throw refuseField('withdrawFee', '不能大于单笔最小提现');
  if (input.future === 1 && !new Decimal(maintenanceRate).mul(maxLeverage).lt(1))
    throw refuseField('maintenanceRate', `须小于最高杠杆的倒数（1/${maxLeverage}）`);
  if (new Decimal(maintenanceRate).gte(1)) throw refuseField('maintenanceRate', '须小于 1');
  demandNetworks(input);
  if (input.marketName.toUpperCase() === SETTLEMENT) demandSettlement(input);
}

function demandOrder(input: MarketSave, least: 'minAmount' | 'withdrawMin', most: 'maxAmount' | 'withdrawMax'): void {
  const limit = new Decimal(input[most]);
  if (!limit.isZero() && limit.lt(input[least])) throw refuseField(most, '不能小于最小值');
}

function demandNetworks({ networks, amountPrecision }: MarketSave): void {
  const names = networks.map(({ network }) => network.toLowerCase());
  if (new Set(names).size < names.length) throw refuseField('networks', '中有重名的网络');
  if (networks.some(({ fee }) => new Decimal(fee).decimalPlaces() > amountPrecision))
    throw refuseField('networks', `的手续费最多 ${amountPrecision} 位小数`);
}

/** Everything is settled in it: it is not traded, and it cannot be taken off the list. */
function demandSettlement(input: MarketSave): void {
  for (const field of businesses)
    if (input[field] !== 0) throw refuseField(field, `：${SETTLEMENT} 是结算币种，不能交易`);
  if (input.state !== 1) throw refuseField('state', `：${SETTLEMENT} 是结算币种，不能下架或暂停`);
}

export function settingsOf(input: MarketSave): MarketSettings {
  const { id: _id, version: _version, reason: _reason, ...settings } = input;
  return settings;
}

const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+\.\d+$/.test(value) ? new Decimal(value).toFixed() : value;

/** A market's icon is a picture: of its letters nothing is kept but their number. */
const kept = (field: string, value: unknown): unknown =>
  field === 'icon' && typeof value === 'string' && value !== '' ? `图片（${value.length} 字符）` : plain(value);

const networksText = (networks: MarketSave['networks']): string =>
  JSON.stringify(
    networks.map(({ network, recharge, withdraw, fee, explorer }) => [
      network,
      recharge,
      withdraw,
      plain(fee),
      explorer,
    ]),
  );

const changedFields = (before: MarketRow, after: MarketSettings): (keyof MarketSettings)[] =>
  (Object.keys(after) as (keyof MarketSettings)[]).filter((field) =>
    field === 'networks'
      ? networksText(before.networks as MarketSave['networks']) !== networksText(after.networks)
      : plain(before[field]) !== plain(after[field]),
  );

/** The fields that a save changes, as they were and as they are to be. */
export function changesOf(before: MarketRow, after: MarketSettings): { before: object; after: object } {
  const fields = changedFields(before, after);
  const of = (row: MarketSettings | MarketRow) =>
    Object.fromEntries(fields.map((field) => [field, kept(field, row[field])]));
  return { before: of(before), after: of(after) };
}

/** Concern neither security nor money. */
const appearance: readonly string[] = ['icon', 'sort'];
const switches: readonly string[] = [...businesses, 'rechargeState', 'withdrawState'];

/** Whether a save protects less than before. Taking a market off, pausing it and closing a business only protect. */
export function loosensMarket(before: MarketRow, after: MarketSettings): boolean {
  return changedFields(before, after).some((field) => {
    if (appearance.includes(field)) return false;
    if (field === 'state') return after.state === 1;
    if (field === 'networks') return !onlyClosesNetworks(before.networks, after.networks);
    return switches.includes(field) ? after[field] === 1 : true;
  });
}

function onlyClosesNetworks(before: MarketSave['networks'], after: MarketSave['networks']): boolean {
  if (before.length !== after.length) return false;
  const opened = before.some((was, i) => {
    const becomes = after[i];
    return !becomes || becomes.recharge > was.recharge || becomes.withdraw > was.withdraw;
  });
  const closed = (networks: MarketSave['networks']) =>
    networksText(networks.map((network) => ({ ...network, recharge: 0, withdraw: 0 })));
  return !opened && closed(before) === closed(after);
}
