import { refusals } from '@hengtai/contract/wire/refusals';
import { SIGNATURE_MINUTES, SIGNING_REQUIRED } from '@hengtai/contract/risk/signing/calls';
import type { SignatureDue } from '@hengtai/contract/risk/signing/schema';
import { compareAmounts } from '@hengtai/contract/values/money';
import {
  type ConsentSignature,
  type PayoutText,
  type Signable,
  parseSignable,
  personKey,
} from '@hengtai/contract/risk/signing/text';
import type { Ctx } from '../../../app/context.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { type Mandate, PayoutRefused } from '../../funds/withdraw/payout-step.store.ts';
import { refuse } from '../../../app/refuse.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import {
  type HeldRoster,
  InvalidSignature,
  namesRoster,
  readRoster,
  textDigest,
  verifyConsent,
} from './consent.rules.ts';
import {
  type StoredSignature,
  addPayoutSignature,
  fetchMandatesInForce,
  fetchPayoutSignatures,
  fetchPayoutTexts,
  fetchRosters,
  fetchSignatures,
  findOwnSignature,
  findRoster,
} from './signing.store.ts';

/** The roster that payouts must be signed under; null unless signed mode is on. */
export async function findRequiredRoster(db: Db): Promise<HeldRoster | null> {
  if (!(await isSettingOn(db, SIGNING_REQUIRED))) return null;
  const stored = await withFullScope(db, () => findRoster(db));
  // The setting cannot be switched on without a roster; without one nothing may be paid.
  if (!stored) throw new PayoutRefused(refuse(refusals.signingStopped), 'mandate');
  return readRoster(stored);
}

/** The keys of a person in a roster, and what else the signing page needs. */
export const signingRequest = (roster: HeldRoster, person: string): Omit<SignatureDue['sign'], 'texts'> => ({
  person,
  roster: roster.version,
  ...(roster.signsDigest && { rosterDigest: roster.digest }),
  relyingParty: roster.relyingParty,
  keys: roster.keys.filter((key) => key.person === person).map(({ id }) => id),
});

/**
 * Finds the caller's recent signature of a text.
 *
 * @throws Refused 428 with what to sign
 */
export async function requireOwnSignature(ctx: Ctx, roster: HeldRoster, text: string): Promise<number> {
  const { db, operator, now } = ctx;
  const since = now - SIGNATURE_MINUTES * 60_000;
  const wanted = { operatorId: operator.id, digest: textDigest(text), roster: roster.version, since };
  const found = await withFullScope(db, () => findOwnSignature(db, wanted));
  if (found !== undefined) return found;
  const sign = { ...signingRequest(roster, operator.account), texts: [text] };
  throw refuse(refusals.signatureDue, undefined, { sign } satisfies SignatureDue);
}

/**
 * Adds the signature of a checker to the payout that its maker signed. A payout that was requested before signed mode was
 * switched on has no text; executing it is refused later.
 *
 * @throws Refused 428 with what to sign
 */
export async function countersign(ctx: Ctx, approvalId: number): Promise<void> {
  const roster = await findRequiredRoster(ctx.db);
  const [payout] = roster ? await fetchPayoutTexts(ctx.db, [approvalId]) : [];
  if (!roster || !payout) return;
  const signatureId = await requireOwnSignature(ctx, roster, payout.text);
  await addPayoutSignature(ctx.db, approvalId, signatureId);
}

const toWire = ({ key, consent, authenticatorData, clientDataJSON, signature }: StoredSignature): ConsentSignature => ({
  key,
  consent,
  authenticatorData,
  clientDataJSON,
  signature,
});

export interface SignedPayout {
  payout: string;
  signatures: ConsentSignature[];
}

/**
 * Returns what the wallet verifies, after verifying it here as well, so that a payout which the wallet would refuse is not
 * ordered.
 *
 * @param expected what is ordered now
 * @throws Refused 409 if signatures are missing, or the text or the roster changed
 */
export async function requireSignedPayout(
  db: Db,
  roster: HeldRoster,
  approvalId: number | undefined,
  expected: string,
): Promise<SignedPayout> {
  const [payout] = approvalId === undefined ? [] : await fetchPayoutTexts(db, [approvalId]);
  if (approvalId === undefined || payout?.text !== expected) throw refuse(refusals.signatureMissing);
  const stored = await withFullScope(db, () => fetchPayoutSignatures(db, approvalId));
  const digest = textDigest(expected);
  const persons = stored.filter((one) => isValid(roster, one, digest)).map(({ person }) => person);
  const { maker } = JSON.parse(expected) as PayoutText;
  const count = new Set(persons.map(personKey)).size;
  const isComplete = count === stored.length && count >= roster.threshold && persons.includes(maker);
  if (!isComplete) throw refuse(refusals.signatureMissing);
  return { payout: expected, signatures: stored.map(toWire) };
}

/** A mandate with what a payout without signatures of its own carries. */
export interface UsableMandate extends Mandate {
  signed: { text: string; signatures: ConsentSignature[] };
}

interface MandatePayout {
  platform: number;
  market: string;
  network: string;
  /** What the wallet pays. */
  amount: string;
}

/** The mandates that the wallet would accept for a payout now, apart from the sum of the day. Needs full scope. */
export async function fetchUsableMandates(
  db: Db,
  roster: HeldRoster,
  payout: MandatePayout,
  now: number,
): Promise<UsableMandate[]> {
  const usable: UsableMandate[] = [];
  for (const { id, text, digest, createdAt } of await fetchMandatesInForce(db, roster.version)) {
    const perDay = dayLimitOf(roster, parseSignable(text), payout, now);
    if (perDay === undefined) continue;
    const stored = await fetchSignatures(db, { digest, createdAt }, roster.version);
    const valid = stored.filter((one) => isValid(roster, one, digest));
    const isSigned = valid.length === stored.length && valid.length >= roster.threshold;
    if (isSigned) usable.push({ id, perDay, signed: { text, signatures: stored.map(toWire) } });
  }
  return usable;
}

/** What a mandate allows for the coin in a day, if it covers the payout. */
function dayLimitOf(roster: HeldRoster, mandate: Signable, payout: MandatePayout, now: number): string | undefined {
  if (mandate.kind !== 'mandate' || mandate.platform !== payout.platform) return undefined;
  if (!namesRoster(mandate, roster)) return undefined;
  if (now < mandate.from || now >= mandate.until) return undefined;
  const coin = mandate.coins.find(({ market }) => market === payout.market);
  if (!coin?.networks.includes(payout.network)) return undefined;
  return compareAmounts(payout.amount, coin.largest) > 0 ? undefined : coin.perDay;
}

function isValid(roster: HeldRoster, signature: StoredSignature, digest: string): boolean {
  try {
    const consent = verifyConsent(roster, signature);
    return consent.person === signature.person && consent.digests.includes(digest);
  } catch (error) {
    if (error instanceof InvalidSignature) return false;
    throw error;
  }
}

/** The rosters after a version, each with the signatures by keys of the one before it; the first by its own. */
export async function fetchPlatformRosters(
  db: Db,
  after: number,
): Promise<{ version: number; text: string; signatures: ConsentSignature[] }[]> {
  const rosters = await fetchRosters(db, after);
  return Promise.all(
    rosters.map(async ({ version, text, ...proposal }) => ({
      version,
      text,
      signatures: (await fetchSignatures(db, proposal, Math.max(version - 1, 1))).map(toWire),
    })),
  );
}
