import { CODE } from '@hengtai/contract/wire/envelope';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { MarketRow } from '@hengtai/contract/trading/market/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { Refused } from '../../../app/refuse.ts';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import { mustFindCoin } from '../../../gateway/lookup.store.ts';
import { hasMarket } from '../../../gateway/platform-scope.ts';
import { reject } from '../../../gateway/rejected.ts';
import {
  type PlatformSettings,
  PLATFORM_FIELDS,
  SHARED_FIELDS,
  addListing,
  applyPlatformSettings,
  closesOthers,
  heldBefore,
} from './market-platform.rules.ts';
import { findFinerAmounts, findPlatformState, savePlatformState } from './market-platform.store.ts';
import { type Pair, insertMarket, lockNetworks, requestKeys, updateMarket } from './market-save.store.ts';
import { type PairNames, changesFamilies, changesOf, pairOf, settingsOf, validateSettings } from './market.rules.ts';
import { findMarket, lockMarkets } from './market.store.ts';

type Saved = EventData['market.saved'];

/** Creates a market or changes its settings. Operators' restrictions stay in force. */
export async function saveMarket(ctx: EventCtx, data: Saved): Promise<void> {
  const { batch, db, now } = ctx;
  if (!hasMarket(batch.scope, data.market)) throw reject('unknown', 'market');
  if (data.market.toUpperCase() === SETTLEMENT) throw reject('invalid', 'market');
  const reader: Pick<Ctx, 'db' | 'now' | 'scope'> = { db, now, scope: { kind: 'all' } };
  const [locked] = await lockMarkets(db, [data.market]);
  const row = locked && (await findMarket(reader, locked.id));
  const saved = await findPlatformState(db, data.market);
  if (data.version <= saved.version) throw reject('outdated');
  const names = pairOrReject(data, row);
  const sent = pick(data);
  const before = settingsOf(row ? {} : { marketName: data.market }, row);
  // The first time, what is closed is closed by operators.
  const held = row && saved.version === 0 ? heldBefore(before) : saved.held;
  if (row && closesOthers(before, data)) throw reject('invalid', 'networks');
  const settings = addListing(applyPlatformSettings(before, held, sent), held, data);
  validateOrReject(() => validateSettings(settings, names));
  const finer = row && (await findFinerAmounts(db, row.id, settings));
  if (finer) throw reject('invalid', finer);
  const isRekeyed = row !== undefined && changesFamilies(row.networks, settings.networks);
  if (isRekeyed) await lockNetworks(db, row.id);
  const id = row
    ? await updateOrReject(reader, row, settings)
    : await insertMarket(reader, settings, await findPair(ctx, names), null);
  if (id === undefined) throw reject('exists');
  if (isRekeyed) await requestKeys(db, id);
  await savePlatformState(db, id, { version: data.version, settings: { ...saved.settings, ...sent }, held });
  // Later events of the batch read the market again.
  batch.remember(`market ${data.market}`, undefined);
  const requestId = `market-${data.market}-${data.version}`;
  const platform = { operator: null, sessionId: null, ip: '', userAgent: 'platform', requestId, now };
  const changes = row
    ? changesOf(row, settings)
    : { before: undefined, after: { ...settings, ...names, icon: undefined } };
  await recordAudit(db, platform, {
    action: 'market.saved',
    result: CODE.ok,
    targetType: 'market',
    targetId: id,
    ...changes,
    reason: `交易平台版本 ${data.version}`,
  });
}

const pick = (data: Saved): PlatformSettings =>
  Object.fromEntries(
    [...PLATFORM_FIELDS, ...SHARED_FIELDS]
      .filter((field) => data[field] !== undefined)
      .map((field) => [field, data[field]]),
  ) as PlatformSettings;

/** The coins of a market, which never change. */
function pairOrReject(data: Saved, row: MarketRow | undefined): PairNames | undefined {
  if (!row) return validateOrReject(() => pairOf(data));
  for (const field of ['base', 'quote'] as const) {
    if (data[field] !== undefined && data[field] !== row[field]) throw reject('invalid', field);
  }
  return pairOf(row);
}

async function findPair({ batch }: EventCtx, names: PairNames | undefined): Promise<Pair | undefined> {
  if (!names) return undefined;
  const base = await mustFindCoin(batch, names.base, 'base');
  const quote = await mustFindCoin(batch, names.quote, 'quote');
  return { baseId: base.id, quoteId: quote.id };
}

async function updateOrReject(
  reader: Pick<Ctx, 'db' | 'now'>,
  { id, version }: MarketRow,
  settings: Parameters<typeof updateMarket>[2],
): Promise<number> {
  if (!(await updateMarket(reader, { id, version, by: null }, settings))) throw reject('state');
  return id;
}

/** @throws Rejected with the field that the rules of operators refuse */
function validateOrReject<T>(validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [fault] = error.data as { field: string }[];
    throw reject('invalid', fault?.field ?? 'data');
  }
}
