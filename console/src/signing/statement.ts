import { stableJson } from '@hengtai/contract/wire/stable-json';
import {
  type Consent,
  InvalidText,
  type Mandate,
  type PayoutText,
  type Roster,
  parseConsent,
  parseHeldRoster,
  parseSignable,
} from '@hengtai/contract/risk/signing/text';
import { digestOf } from './digest.ts';
import { mandateView } from './mandate-view.ts';
import { payoutView } from './payout-view.ts';
import type { SignRequest } from './request.ts';
import { rosterView } from './roster-view.ts';
import type { View } from './view.ts';

/** What is shown and what is signed, made from the same texts. */
export interface Statement {
  view: View;
  /** The text that is signed: the digests of all texts that are shown, and the time of signing. */
  consentAt: (at: number) => string;
}

/** @throws InvalidText unless every text is of a known form, and all of them are of one kind */
export async function statementOf(request: SignRequest): Promise<Statement> {
  const { texts, person, roster, rosterDigest } = request;
  const digests = await Promise.all(texts.map(digestOf));
  const named = { roster, ...(rosterDigest !== undefined && { rosterDigest }) };
  const consentAt = (at: number) => stableJson({ kind: 'consent', person, ...named, at, digests } satisfies Consent);
  parseConsent(consentAt(0));
  return { view: await viewOf(request, digests), consentAt };
}

async function viewOf(request: SignRequest, digests: readonly string[]): Promise<View> {
  const { texts, previous } = request;
  const parsed = texts.map(parseSignable);
  const payouts = parsed.filter((one): one is PayoutText => one.kind === 'payout');
  if (previous === null && payouts.length === parsed.length) return payoutView(payouts);
  const [first, ...others] = parsed;
  if (!first || others.length > 0) throw new InvalidText('texts of several kinds');
  if (first.kind === 'mandate' && previous === null) return mandateView(requireRoster(first, request));
  if (first.kind === 'roster')
    return rosterView(first, digests[0] ?? '', await rosterBefore(first, digests[0], request));
  throw new InvalidText('a roster before something else');
}

function requireRoster(mandate: Mandate, { roster, rosterDigest }: SignRequest): Mandate {
  if (mandate.roster !== roster) throw new InvalidText(`mandate of roster ${mandate.roster}, not ${roster}`);
  if (mandate.rosterDigest !== rosterDigest)
    throw new InvalidText('the mandate and the request name different rosters');
  return mandate;
}

/** The roster that the new one replaces, proved by its digest; undefined for the first. */
async function rosterBefore(
  next: Roster,
  digest: string | undefined,
  { roster: signedUnder, rosterDigest, previous: source }: SignRequest,
): Promise<Roster | undefined> {
  if (rosterDigest !== undefined && rosterDigest !== (next.previous ?? digest))
    throw new InvalidText('the request names another roster than the one whose keys sign');
  if (source === null && next.previous === null && signedUnder === 1) return undefined;
  if (source === null || (await digestOf(source)) !== next.previous)
    throw new InvalidText('the roster before is not the one that the new roster names');
  const before = parseHeldRoster(source);
  if (before.version !== signedUnder || next.version !== before.version + 1)
    throw new InvalidText(`roster ${next.version} after ${before.version}, signed under ${signedUnder}`);
  return before;
}
