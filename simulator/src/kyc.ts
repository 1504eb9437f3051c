import { KYC, kycRejectReasons } from '@hengtai/contract/risk/kyc/calls';
import { EVENT_REASONS } from '@hengtai/contract/gateway/gateway';
import { type IdentityData, type DocumentImages, drawDocuments, createIdentity } from './document.ts';
import { DAY_MS, HOUR_MS } from './rhythm.ts';
import { pickActiveUser } from './user.ts';
import { nextNumber, randomFor, emit, type World } from './world.ts';
import type { User } from './records.ts';

/** One past submission of a customer and its review. */
interface PastSubmission {
  at: number;
  level: 1 | 2;
  reviewedAt: number;
  passed: boolean;
}

/** Longest review of the past; so every submission still waiting at the start came in shortly before it. */
const WAIT_MAX = 2.4 * HOUR_MS;
/**
 * Submissions that wait at the start, the period in which they came in, and the gap between the last one and the
 * start.
 */
const OPENING = 14;
const OPENING_MS = 2.3 * HOUR_MS;
const OPENING_LAST_MS = 120_000;
/** No new submissions while this many wait for an operator. */
const WAITING_MAX = 40;
/** Share of decided submissions that still have images. */
const IMAGE_SHARE = 0.03;
const REJECTED_SHARE = 0.17;
const CROPPED_SHARE = 0.15;
/** Share of customers whose papers are also used by other customers. */
const BORROWED_SHARE = 0.03;
const LENDERS = 6;
const REVIEWERS = ['kefu_lin', 'kefu_zhou', 'fengkong01', 'auditor_he'] as const;

/** The papers of a customer; the same on every call. */
export function identityOf(world: World, { account, remark }: Pick<User, 'account' | 'remark'>): IdentityData {
  const dice = randomFor(world, 'papers', account);
  if (dice.chance(BORROWED_SHARE))
    return createIdentity(randomFor(world, 'borrowed papers', dice.int(1, LENDERS)), false);
  return createIdentity(dice, remark === '境外用户，英文沟通' ? true : undefined);
}

/** Plans a customer's submissions in order. Random values must not depend on the time of day of the start. */
function planSubmissions(world: World, user: User): PastSubmission[] {
  const dice = randomFor(world, 'identity', user.account);
  const submissions: PastSubmission[] = [];
  if (!dice.chance(user.wealth > 10 ? 0.95 : user.wealth === 0 ? 0.14 : 0.66)) return submissions;
  let at = user.joined + Math.round(dice.logNormal(4 * HOUR_MS, 1.5));
  const levels: (1 | 2)[] = dice.chance(user.wealth > 2 ? 0.5 : 0.16) ? [1, 2] : [1];
  for (const level of levels) {
    for (;;) {
      const passed = !dice.chance(REJECTED_SHARE);
      const reviewedAt = at + Math.round(Math.min(dice.logNormal(0.4 * HOUR_MS, 0.9), WAIT_MAX));
      submissions.push({ at, level, reviewedAt, passed });
      at = reviewedAt + Math.round(dice.span(0.3, 40) * HOUR_MS);
      if (passed) break;
      if (dice.chance(0.3)) return submissions;
    }
    at += Math.round(dice.logNormal(3 * DAY_MS, 1));
  }
  return submissions;
}

/** Schedules a customer's submissions before the start; those not reviewed by then wait for an operator. */
export function scheduleIdentityReviews(world: World, user: User, add: (at: number, run: () => void) => void): void {
  const { startedAt } = world.state;
  planSubmissions(world, user).forEach((past, number) => {
    if (past.at >= startedAt) return;
    add(past.at, () => {
      if (isWaiting(world, user)) return;
      if (past.reviewedAt < startedAt) emitReviewed(world, user, past, number);
      else submitPapers(world, user, past.level);
    });
  });
}

const isWaiting = (world: World, { account }: User): boolean => world.state.identities[account]?.[1] === KYC.waiting;

function emitReviewed(world: World, user: User, { level, passed, reviewedAt }: PastSubmission, number: number): void {
  const dice = randomFor(world, 'review', user.account, number);
  const { name, country, idType, idNumber } = identityOf(world, user);
  const { account } = user;
  const pictures = dice.chance(IMAGE_SHARE) ? drawPictures(world, user, level, !passed) : {};
  const decision = passed ? { state: KYC.passed } : { state: KYC.rejected, reason: dice.pick(kycRejectReasons) };
  const by = dice.pick(REVIEWERS);
  const document = { account, name, country, idType, idNumber, level, ...pictures };
  emit(world, 'auth.imported', `${account}:${number}`, { ...document, ...decision, by, reviewedAt });
  world.state.identities[account] = [level, decision.state];
}

/** Only level 2 requires an image of the customer holding the document. */
const drawPictures = (world: World, user: User, level: 1 | 2, isCropped: boolean): DocumentImages =>
  drawDocuments(identityOf(world, user), randomFor(world, 'photo', user.account), {
    isCropped,
    withHolder: level === 2,
  });

function submitPapers(world: World, user: User, level: 1 | 2): void {
  const number = nextNumber(world, 'identity');
  const isCropped = randomFor(world, 'sloppy', number).chance(CROPPED_SHARE);
  const { account } = user;
  const { name, country, idType, idNumber } = identityOf(world, user);
  const document = { account, name, country, idType, idNumber, level };
  emit(world, 'auth.submitted', String(number), { ...document, ...drawPictures(world, user, level, isCropped) });
  world.state.identities[account] = [level, KYC.waiting];
}

/** Schedules submissions that wait for an operator at the start. */
export function scheduleOpenIdentities(world: World, add: (at: number, run: () => void) => void): void {
  const dice = randomFor(world, 'open identities');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPENING; left > 0; left -= 1)
    add(Math.floor(last - dice.next() * OPENING_MS), () => createSubmission(world));
}

/** Submits papers for a random customer who was never reviewed, was rejected, or wants the next level. */
export function createSubmission(world: World): void {
  const { identities } = world.state;
  const waiting = Object.values(identities).filter(([, state]) => state === KYC.waiting).length;
  if (waiting >= WAITING_MAX) return;
  const dice = randomFor(world, 'submitter', world.state.counters['identity'] ?? 0, waiting);
  for (let tries = 0; tries < 20; tries += 1) {
    const user = pickActiveUser(world, dice);
    const [level, state] = identities[user.account] ?? [0, KYC.rejected];
    const next = state === KYC.passed ? level + 1 : Math.max(level, 1);
    if (user.joined >= world.now || isWaiting(world, user) || next > 2) continue;
    if (world.state.frozen.includes(user.account)) continue;
    submitPapers(world, user, next === 2 ? 2 : 1);
    return;
  }
}

/** Stores an operator's decision on the submission of an account. */
export function onIdentityReviewed(world: World, account: string, state: number): void {
  const known = world.state.identities[account];
  if (known) world.state.identities[account] = [known[0], state];
}

/** Keeps the waiting submission if that caused the rejection; otherwise nothing waits. */
export function onIdentityRefused(world: World, account: string, reason: string | undefined): void {
  if (reason !== EVENT_REASONS.pending) delete world.state.identities[account];
}
