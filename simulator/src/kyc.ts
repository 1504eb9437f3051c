import { KYC, kycRejectReasons } from '@hengtai/contract/kyc';
import { EVENT_REASONS } from '@hengtai/contract/gateway';
import { type Papers, type Pictures, drawPapers, papersOf } from './document.ts';
import { DAY, HOUR } from './rhythm.ts';
import { someone, type User } from './user.ts';
import { count, draw, emit, type World } from './world.ts';

/** What a customer of the past once submitted, and what was said to it. */
interface Past {
  at: number;
  level: 1 | 2;
  reviewedAt: number;
  passed: boolean;
}

/** Longer than this no review of the past took: it follows that what waits at the start came in shortly before. */
const WAIT_MAX = 2.4 * HOUR;
/** How many wait for a new operator, and over how long they came in. */
const OPENING = 14;
const OPENING_MS = 2.3 * HOUR;
const OPENING_LAST_MS = 120_000;
/** So many may wait for the operators; then nobody adds to them. */
const WAITING_MAX = 40;
/** Of the decided ones so many have pictures still. */
const PICTURED_SHARE = 0.03;
const REJECTED_SHARE = 0.17;
const SLOPPY_SHARE = 0.15;
/** One in so many customers shows papers that others show as well. */
const BORROWED_SHARE = 0.03;
const LENDERS = 6;
const REVIEWERS = ['kefu_lin', 'kefu_zhou', 'fengkong01', 'auditor_he'] as const;

/** A customer's papers, the same whenever they are shown. */
export function papersFor(world: World, { account, remark }: Pick<User, 'account' | 'remark'>): Papers {
  const dice = draw(world, 'papers', account);
  if (dice.chance(BORROWED_SHARE)) return papersOf(draw(world, 'borrowed papers', dice.int(1, LENDERS)), false);
  return papersOf(dice, remark === '境外用户，英文沟通' ? true : undefined);
}

/** All that a customer of the past submits, in order; how late the exchange was started changes nothing of it. */
function pastOf(world: World, user: User): Past[] {
  const dice = draw(world, 'identity', user.account);
  const found: Past[] = [];
  if (!dice.chance(user.wealth > 10 ? 0.95 : user.wealth === 0 ? 0.14 : 0.66)) return found;
  let at = user.joined + Math.round(dice.logNormal(4 * HOUR, 1.5));
  const levels: (1 | 2)[] = dice.chance(user.wealth > 2 ? 0.5 : 0.16) ? [1, 2] : [1];
  for (const level of levels) {
    for (;;) {
      const passed = !dice.chance(REJECTED_SHARE);
      const reviewedAt = at + Math.round(Math.min(dice.logNormal(0.4 * HOUR, 0.9), WAIT_MAX));
      found.push({ at, level, reviewedAt, passed });
      at = reviewedAt + Math.round(dice.span(0.3, 40) * HOUR);
      if (passed) break;
      if (dice.chance(0.3)) return found;
    }
    at += Math.round(dice.logNormal(3 * DAY, 1));
  }
  return found;
}

/** Puts what a customer submitted before the start on the agenda; what is undecided at the start is the operators' work. */
export function planIdentity(world: World, user: User, add: (at: number, run: () => void) => void): void {
  const { startedAt } = world.state;
  pastOf(world, user).forEach((past, number) => {
    if (past.at >= startedAt) return;
    add(past.at, () => {
      if (waits(world, user)) return;
      if (past.reviewedAt < startedAt) tellPast(world, user, past, number);
      else submit(world, user, past.level);
    });
  });
}

const waits = (world: World, { account }: User): boolean => world.state.identities[account]?.[1] === KYC.waiting;

function tellPast(world: World, user: User, { level, passed, reviewedAt }: Past, number: number): void {
  const dice = draw(world, 'review', user.account, number);
  const { name, country, idType, idNumber } = papersFor(world, user);
  const { account } = user;
  const pictures = dice.chance(PICTURED_SHARE) ? picturesOf(world, user, level, !passed) : {};
  const decision = passed ? { state: KYC.passed } : { state: KYC.rejected, reason: dice.pick(kycRejectReasons) };
  const by = dice.pick(REVIEWERS);
  const document = { account, name, country, idType, idNumber, level, ...pictures };
  emit(world, 'auth.imported', `${account}:${number}`, { ...document, ...decision, by, reviewedAt });
  world.state.identities[account] = [level, decision.state];
}

/** With the document in hand one is photographed for the higher level only. */
const picturesOf = (world: World, user: User, level: 1 | 2, sloppy: boolean): Pictures =>
  drawPapers(papersFor(world, user), draw(world, 'photo', user.account), { sloppy, held: level === 2 });

function submit(world: World, user: User, level: 1 | 2): void {
  const number = count(world, 'identity');
  const sloppy = draw(world, 'sloppy', number).chance(SLOPPY_SHARE);
  const { account } = user;
  const { name, country, idType, idNumber } = papersFor(world, user);
  const document = { account, name, country, idType, idNumber, level };
  emit(world, 'auth.submitted', String(number), { ...document, ...picturesOf(world, user, level, sloppy) });
  world.state.identities[account] = [level, KYC.waiting];
}

/** Submissions of the last hours, for a new operator to decide. */
export function openIdentities(world: World, add: (at: number, run: () => void) => void): void {
  const dice = draw(world, 'open identities');
  const last = world.state.startedAt - OPENING_LAST_MS;
  for (let left = OPENING; left > 0; left -= 1)
    add(Math.floor(last - dice.next() * OPENING_MS), () => newIdentity(world));
}

/** Somebody who was never looked at, was turned down, or wants more, submits. */
export function newIdentity(world: World): void {
  const { identities } = world.state;
  const waiting = Object.values(identities).filter(([, state]) => state === KYC.waiting).length;
  if (waiting >= WAITING_MAX) return;
  const dice = draw(world, 'submitter', world.state.counters['identity'] ?? 0, waiting);
  for (let tries = 0; tries < 20; tries += 1) {
    const user = someone(world, dice);
    const [level, state] = identities[user.account] ?? [0, KYC.rejected];
    const next = state === KYC.passed ? level + 1 : Math.max(level, 1);
    if (user.joined >= world.now || waits(world, user) || next > 2) continue;
    if (world.state.frozen.includes(user.account)) continue;
    submit(world, user, next === 2 ? 2 : 1);
    return;
  }
}

/** An operator's word about the submission of an account. */
export function identityReviewed(world: World, account: string, state: number): void {
  const known = world.state.identities[account];
  if (known) world.state.identities[account] = [known[0], state];
}

/** Where one waits already that is the one to be decided; for any other reason nothing does. */
export function identityRefused(world: World, account: string, reason: string | undefined): void {
  if (reason !== EVENT_REASONS.pending) delete world.state.identities[account];
}
