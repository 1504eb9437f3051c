import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { MarketSettings } from '@hengtai/contract/trading/market/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { findListed } from '../../../destination/keys.ts';
import { refuseField } from '../../../app/refuse.ts';

type Networks = MarketSettings['networks'];

/** Settings that belong to the platform once it has saved a market. */
export const PLATFORM_FIELDS = [
  'pricePrecision',
  'amountPrecision',
  'minAmount',
  'maxAmount',
  'makerFee',
  'takerFee',
  'maxLeverage',
  'maintenanceRate',
] as const satisfies readonly (keyof MarketSettings & keyof EventData['market.saved'])[];

/** Settings of both sides: the more restrictive one is in force. */
export const SHARED_FIELDS = [
  'spot',
  'future',
  'second',
  'ieo',
  'state',
] as const satisfies readonly (keyof MarketSettings & keyof EventData['market.saved'])[];
type SharedField = (typeof SHARED_FIELDS)[number];

/** What the platform saved last of a market: all fields that it has ever sent. */
export type PlatformSettings = Partial<Pick<MarketSettings, (typeof PLATFORM_FIELDS)[number] | SharedField>>;

/** Higher is more restrictive. Of the states, 1 is listed, 2 suspended and 0 unlisted. */
function restrictionOf(field: SharedField, value: number): number {
  if (field !== 'state') return value === 1 ? 0 : 1;
  return value === 1 ? 0 : value === 2 ? 1 : 2;
}

/** What operators have restricted, by field. It stays known while the platform restricts the same. */
export interface HeldSettings extends Partial<Pick<MarketSettings, SharedField>> {
  /** 0 if operators closed the deposits of the coin. */
  rechargeState?: number;
  /** Networks whose deposits operators closed, and those that they removed. */
  networks?: readonly string[];
}

export interface PlatformState {
  /** 0 before the platform saved the market. */
  version: number;
  settings: PlatformSettings;
  held: HeldSettings;
}

/** The settings of a market that operators hold closed, before the platform saves it for the first time. */
export const heldBefore = (row: MarketSettings): HeldSettings => ({
  ...pickShared(row, () => true),
  ...(row.rechargeState === 0 && { rechargeState: 0 }),
  networks: row.networks.filter(({ recharge }) => recharge === 0).map(({ network }) => network),
});

/** What operators hold closed after a save: what they made stricter, and what was held and not opened. */
export function heldAfter(before: MarketSettings, after: MarketSettings, held: HeldSettings): HeldSettings {
  const isChanged = (field: SharedField): boolean => before[field] !== after[field];
  const rechargeState = before.rechargeState === after.rechargeState ? held.rechargeState : after.rechargeState;
  return {
    ...pickShared(held, (field) => !isChanged(field)),
    ...pickShared(after, isChanged),
    ...(rechargeState === 0 && { rechargeState }),
    networks: heldNetworks(before.networks, after.networks, held.networks),
  };
}

function heldNetworks(before: Networks, after: Networks, held: readonly string[] = []): string[] {
  const isOpen = (networks: Networks, name: string): boolean => findListed(networks, name)?.recharge === 1;
  const closed = after.filter(({ network, recharge }) => recharge === 0 && !isClosed(before, network));
  const removed = before.filter(({ network }) => !findListed(after, network));
  const names = [...held, ...[...closed, ...removed].map(({ network }) => network)];
  return [...new Set(names)].filter((name) => !isOpen(after, name));
}

const isClosed = (networks: Networks, name: string): boolean => findListed(networks, name)?.recharge === 0;

/** The restrictions among the values of these fields. */
const pickShared = (from: Pick<HeldSettings, SharedField>, isWanted: (field: SharedField) => boolean): HeldSettings =>
  Object.fromEntries(
    SHARED_FIELDS.filter((field) => isWanted(field) && restrictionOf(field, from[field] ?? 1) > 0).map((field) => [
      field,
      from[field],
    ]),
  );

/** The settings after an event of the platform; of the shared ones the stricter value. */
export function applyPlatformSettings(
  before: MarketSettings,
  held: HeldSettings,
  sent: PlatformSettings,
): MarketSettings {
  const settings = { ...before };
  for (const field of PLATFORM_FIELDS) if (sent[field] !== undefined) Object.assign(settings, { [field]: sent[field] });
  for (const field of SHARED_FIELDS) {
    const [wanted, own] = [sent[field], held[field] ?? 1];
    if (wanted === undefined) continue;
    Object.assign(settings, { [field]: restrictionOf(field, own) > restrictionOf(field, wanted) ? own : wanted });
  }
  return settings;
}

/** What an event lists. */
export type Listing = Pick<EventData['market.saved'], 'networks' | 'rechargeState'>;

/** Whether an event would close a coin that takes any network, because it lists none. */
export const closesOthers = ({ networks, rechargeState, withdrawState }: MarketSettings, sent: Listing): boolean =>
  networks.length === 0 && (sent.networks ?? []).length > 0 && (rechargeState === 1 || withdrawState === 1);

/**
 * Adds networks, closed for withdrawals, and opens deposits. What operators closed or removed stays so, and nothing else of a
 * network changes.
 */
export function addListing(before: MarketSettings, held: HeldSettings, sent: Listing): MarketSettings {
  const closed = (held.networks ?? []).map((network) => ({ network }));
  const networks = [...before.networks];
  for (const { network, recharge = 1, fee = before.withdrawFee, explorer = '' } of sent.networks ?? []) {
    if (findListed(closed, network)) continue;
    const listed = findListed(networks, network);
    const isOpen = recharge === 1;
    if (!listed) networks.push({ network, recharge: isOpen ? 1 : 0, withdraw: 0, fee, explorer });
    else if (isOpen) networks.splice(networks.indexOf(listed), 1, { ...listed, recharge: 1 });
  }
  const isOpened = sent.rechargeState === 1 && held.rechargeState !== 0;
  return { ...before, networks, ...(isOpened && { rechargeState: 1 }) };
}

/**
 * Checks a save of an operator against what the platform has saved.
 *
 * @throws Refused 422 for a setting that belongs to the platform, or that is less restrictive than the platform's
 */
export function validateAgainstPlatform(settings: MarketSettings, saved: PlatformSettings): void {
  for (const field of PLATFORM_FIELDS) {
    const own = saved[field];
    if (own !== undefined && !new Decimal(own).eq(settings[field]))
      throw refuseField(field, '由交易平台维护，不能修改');
  }
  for (const field of SHARED_FIELDS) {
    const own = saved[field];
    if (own !== undefined && restrictionOf(field, settings[field]) < restrictionOf(field, own))
      throw refuseField(field, '：交易平台没有开放，不能打开');
  }
}
