import { compareAmounts } from '@hengtai/contract/money';
import { refusals } from '@hengtai/contract/refusals';
import { type ScreenObstacle, screenObstacles } from '@hengtai/contract/screening.facts';
import type { Screening } from '@hengtai/contract/screening.schema';
import { refuse } from '../../core/refuse.ts';
import type { Db } from '../../postgres/connect.ts';
import {
  type FoundScreening,
  type ScreenSettings,
  type ScreenedWithdraw,
  findScreenSettings,
  findScreening,
} from './screening.store.ts';

const HOUR_MS = 3_600_000;

/** What a withdrawal must tell for its screening. `valuation` is in USDT. */
export type WithdrawFacts = Pick<ScreenedWithdraw, 'marketName' | 'valuation'>;

/** Whether a withdrawal needs an answer about its address. An unknown value needs one. */
export function isAddressDemanded(
  settings: Pick<ScreenSettings, 'address' | 'minimum' | 'exempt'>,
  { marketName, valuation }: WithdrawFacts,
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

/**
 * What screening says about a record. A hit counts whenever it came, and no later answer undoes it: only a bypass does, and
 * only for the answers that it covers. Otherwise the latest answered request decides, by its worst answer.
 */
export function judgeScreening(
  { requests, bypass }: FoundScreening,
  { demanded, validHours, now }: { demanded: boolean; validHours: number; now: number },
): Judgement {
  const isCovered = ({ id }: { id: number }): boolean => bypass?.answerIds.includes(id) ?? false;
  const hits = requests.flatMap(({ answers }) => answers.filter(({ result }) => result === 'hit'));
  if (!hits.every(isCovered)) return { obstacle: 'hit', validUntil: null };
  if (!demanded || bypass) return { obstacle: null, validUntil: null };
  const isAwaited = requests.some(({ answers, dueAt, failure }) => answers.length === 0 && dueAt > now && failure === null);
  const answered = requests.find(({ answers }) => answers.length > 0);
  if (!answered) return { obstacle: requests.length === 0 ? 'missing' : isAwaited ? 'pending' : 'silent', validUntil: null };
  const validUntil = Math.min(...answered.answers.map(({ at }) => at)) + validHours * HOUR_MS;
  const isClear = answered.answers.every(({ result }) => result === 'clear');
  if (isClear && validUntil > now) return { obstacle: null, validUntil };
  return { obstacle: isAwaited ? 'pending' : isClear ? 'expired' : 'unknown', validUntil: null };
}

/** Identifies what was found, so that a bypass covers nothing that its operators did not see. Answers are only added. */
const versionOf = ({ requests, bypass }: FoundScreening): string =>
  `${requests.reduce((count, { answers }) => count + answers.length, 0)}.${bypass?.at ?? 0}`;

/** The record, with what decides whether its screening is demanded. */
export type Screened = { type: 'withdraw'; id: number; facts: WithdrawFacts } | { type: 'auth'; id: number };

export async function readScreening(db: Db, record: Screened, now: number): Promise<Screening> {
  const settings = await findScreenSettings(db);
  const found = await findScreening(db, record);
  const demanded = record.type === 'auth' ? settings.name : isAddressDemanded(settings, record.facts);
  const judgement = judgeScreening(found, { demanded, validHours: settings.validHours, now });
  const { requests, bypass } = found;
  return {
    demanded,
    ...judgement,
    seen: versionOf(found),
    requests,
    bypass: bypass && { by: bypass.by, secondBy: bypass.secondBy, reason: bypass.reason, at: bypass.at },
  };
}

/** The screening of a withdrawal as a call has loaded it. */
export const screenedWithdraw = ({ id, marketName, valuation }: WithdrawFacts & { id: number }): Screened => ({
  type: 'withdraw',
  id,
  facts: { marketName, valuation },
});

/**
 * The caller has locked the record, so no answer can come between this and its commit.
 *
 * @throws Refused 409 if screening forbids to pass the record
 */
export async function requireScreened(db: Db, record: Screened, now: number): Promise<void> {
  const { obstacle } = await readScreening(db, record, now);
  if (obstacle !== null) throw refuse(refusals.unscreened, `${refusals.unscreened.msg}：${screenObstacles[obstacle]}`);
}
