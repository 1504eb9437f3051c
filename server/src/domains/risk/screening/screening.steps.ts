import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { compareAmounts } from '@hengtai/contract/values/money';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type ScreenObstacle, screenObstacles } from '@hengtai/contract/risk/screening/facts';
import type { ListedAddress, Screening } from '@hengtai/contract/risk/screening/schema';
import { largerValue } from '../../../actions/policy.store.ts';
import type { Ctx } from '../../../app/context.ts';
import { type Refused, refuse } from '../../../app/refuse.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import { onListed } from '../../../destination/keys.ts';
import { fetchListed, fetchRelated } from '../address-list/address-list.store.ts';
import {
  type FoundScreening,
  type ScreenSettings,
  type ScreenedWithdraw,
  findScreenSettings,
  findScreening,
} from './screening.store.ts';

const HOUR_MS = 3_600_000;

/** What a withdrawal must tell for its screening. `valuation` is in USDT. */
export type WithdrawFacts = Pick<
  ScreenedWithdraw,
  'marketName' | 'valuation' | 'network' | 'address' | 'memo' | 'listedNetworks'
>;

/** Whether a withdrawal needs an answer about its address. An unknown value needs one. */
export function isAddressDemanded(
  settings: Pick<ScreenSettings, 'address' | 'minimum' | 'exempt'>,
  { marketName, valuation }: Pick<WithdrawFacts, 'marketName' | 'valuation'>,
): boolean {
  if (!settings.address) return false;
  const exempt = settings.exempt.split(/[,，]/).map((coin) => coin.trim().toUpperCase());
  if (exempt.includes(marketName.toUpperCase())) return false;
  return valuation === null || compareAmounts(valuation, settings.minimum) >= 0;
}

interface Judgement {
  obstacle: ScreenObstacle | null;
  /** When the answer that lets the record pass expires; null if none does. */
  validUntil: number | null;
}

interface Circumstances {
  /** By the settings. An allowed address needs no answer nevertheless. */
  demanded: boolean;
  listed: readonly ListedAddress[];
  validHours: number;
  now: number;
}

export const isAllowed = (listed: readonly ListedAddress[]): boolean =>
  listed.some(({ list }) => list === ADDRESS_LIST.allowed);

/**
 * What screening says about a record. A blocked or sanctioned address counts, and a hit counts whenever it came; no later
 * answer undoes it. Only a bypass does, for what it covers. Otherwise the latest answered request decides, by its worst answer.
 */
function judgeScreening(
  { requests, bypass }: FoundScreening,
  { demanded, listed, validHours, now }: Circumstances,
): Judgement {
  const forbidding = listed.filter(({ list }) => list !== ADDRESS_LIST.allowed);
  if (!forbidding.every(({ id }) => bypass?.entryIds.includes(id))) return { obstacle: 'listed', validUntil: null };
  const isCovered = ({ id }: { id: number }): boolean => bypass?.answerIds.includes(id) ?? false;
  const hits = requests.flatMap(({ answers }) => answers.filter(({ result }) => result === 'hit'));
  if (!hits.every(isCovered)) return { obstacle: 'hit', validUntil: null };
  if (!demanded || bypass || isAllowed(listed)) return { obstacle: null, validUntil: null };
  const isAwaited = requests.some(
    ({ answers, dueAt, failure }) => answers.length === 0 && dueAt > now && failure === null,
  );
  const answered = requests.find(({ answers }) => answers.length > 0);
  if (!answered)
    return { obstacle: requests.length === 0 ? 'missing' : isAwaited ? 'pending' : 'silent', validUntil: null };
  const validUntil = Math.min(...answered.answers.map(({ at }) => at)) + validHours * HOUR_MS;
  const isClear = answered.answers.every(({ result }) => result === 'clear');
  if (isClear && validUntil > now) return { obstacle: null, validUntil };
  return { obstacle: isAwaited ? 'pending' : isClear ? 'expired' : 'unknown', validUntil: null };
}

/**
 * Identifies what was found, so that a bypass covers nothing that its operators did not see. Answers and entries are only
 * added.
 */
const versionOf = ({ requests, bypass }: FoundScreening, listed: readonly ListedAddress[]): string =>
  [
    requests.reduce((count, { answers }) => count + answers.length, 0),
    listed.length,
    listed.at(-1)?.id ?? 0,
    bypass?.at ?? 0,
  ].join('.');

type Payee = Pick<WithdrawFacts, 'network' | 'address' | 'memo' | 'listedNetworks'>;

const toInput = ({ network, address, memo, listedNetworks }: Payee) =>
  onListed(listedNetworks, { network, address, memo });

/** The entries of the address lists that a payment meets now, in every scope. */
export const findListed = (db: Db, payee: Payee, now: number): Promise<ListedAddress[]> =>
  withFullScope(db, () => fetchListed(db, toInput(payee), now));

/** The blocked and sanctioned entries about other accounts of the same owner, in every scope. */
export const relatedListed = (db: Db, payee: Payee, now: number): Promise<ListedAddress[]> =>
  withFullScope(db, async () => (await fetchRelated(db, [toInput(payee)], now))[0] ?? []);

/** The record, with what decides whether its screening is demanded. */
export type Screened = { type: 'withdraw'; id: number; facts: WithdrawFacts } | { type: 'auth'; id: number };

/** A screened record as its module finds it for an operator. */
export interface ScreenedTarget {
  record: Screened;
  user: { userId: number; account: string; agentId: number };
  /** Whether it can still be passed. */
  isOpen: boolean;
  /** For the checker. Names are masked. */
  items: ApprovalItem[];
}

/** The finders of screened records in the operator's scope, by the type of the record. */
export interface ScreenedRecords {
  auth: (ctx: Ctx, id: number) => Promise<ScreenedTarget | undefined>;
}

export async function readScreening(db: Db, record: Screened, now: number): Promise<Screening> {
  const settings = await findScreenSettings(db);
  const found = await findScreening(db, record);
  const demanded = record.type === 'auth' ? settings.name : isAddressDemanded(settings, record.facts);
  const listed = record.type === 'auth' ? [] : await findListed(db, record.facts, now);
  const judgement = judgeScreening(found, { demanded, listed, validHours: settings.validHours, now });
  const { requests, bypass } = found;
  return {
    demanded: demanded && !isAllowed(listed),
    ...judgement,
    seen: versionOf(found, listed),
    requests,
    listed,
    bypass: bypass && { by: bypass.by, secondBy: bypass.secondBy, reason: bypass.reason, at: bypass.at },
  };
}

/** The screening of a withdrawal as a call has loaded it. Its value now counts if it is larger than at the request. */
export const screenedWithdraw = (row: WithdrawFacts & { id: number; valueNow: string | null }): Screened => ({
  type: 'withdraw',
  id: row.id,
  facts: { ...row, valuation: largerValue(row.valuation, row.valueNow) },
});

export const refuseUnscreened = (obstacle: ScreenObstacle): Refused =>
  refuse(refusals.unscreened, `${refusals.unscreened.msg}：${screenObstacles[obstacle]}`);

/**
 * The caller has locked the record, so no answer can come between this and its commit.
 *
 * @throws Refused 409 if screening forbids to pass the record
 */
export async function requireScreened(db: Db, record: Screened, now: number): Promise<void> {
  const { obstacle } = await readScreening(db, record, now);
  if (obstacle !== null) throw refuseUnscreened(obstacle);
}
