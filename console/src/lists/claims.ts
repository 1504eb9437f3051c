import { CLAIM_LEASE_SECONDS, CLAIM_RENEW_SECONDS, queue } from '@hengtai/contract/desk/queue/calls';
import type { QueueClaimed } from '@hengtai/contract/desk/queue/schema';
import type { ReviewType } from '@hengtai/contract/desk/queue/work-queue';
import { useEffect } from 'react';
import { create } from 'zustand';
import { isIdleFor } from '../api/activity.ts';
import { CallError, newKey, send } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { usePageRoute } from '../navigation/page-route.ts';
import { useTabs } from '../navigation/tabs.ts';

/** An operator who left the desk does not keep a record from others. */
const IDLE_MS = 600_000;
const RENEW_MS = CLAIM_RENEW_SECONDS * 1_000;
const LEASE_MS = CLAIM_LEASE_SECONDS * 1_000;

/** A record in a review queue. */
export interface ReviewTarget {
  type: ReviewType;
  id: number;
}

/** The open record of a page, and what the server said last about who has it open. */
export interface Claim extends ReviewTarget {
  answer: QueueClaimed | undefined;
  /** Unix milliseconds of the last answer. */
  answeredAt: number;
  /** This page has held the record. */
  wasHere: boolean;
  /** No answer arrived for longer than the lease, so somebody else may hold it by now. */
  isStale: boolean;
}

/** By key of the page. Kept outside the pages, because a hidden page still holds its record. */
const useClaims = create<Readonly<Record<string, Claim>>>()(() => ({}));

/** Each page is a tab of its own to the server. */
const tabs = new Map<string, string>();
export function tabOf(page: string): string {
  const tab = tabs.get(page) ?? newKey();
  tabs.set(page, tab);
  return tab;
}

/** The record that the page shows, as its address has it. */
function openIdOf(page: string): string | null {
  const tab = useTabs.getState().tabs.find(({ key }) => key === page);
  return new URLSearchParams(tab?.search).get('open');
}

const isSame = (one: ReviewTarget | undefined, other: ReviewTarget): boolean =>
  one?.type === other.type && one.id === other.id;

/** Changes the claim of a page, unless the page has opened another record meanwhile. */
function update(page: string, target: ReviewTarget, change: Partial<Claim>): void {
  const claim = useClaims.getState()[page];
  if (claim && isSame(claim, target)) useClaims.setState({ [page]: { ...claim, ...change } });
}

/**
 * Holds a record for the page until the page shows another one or closes it. What the page held before is given back by
 * the server.
 *
 * @param given the server gave the record to the page already
 */
export function openClaim(page: string, target: ReviewTarget, given = false): void {
  if (isSame(useClaims.getState()[page], target)) return;
  const answer = given
    ? { waiting: true, holder: { operator: null, mine: true, here: true, since: Date.now() }, viewers: [] }
    : undefined;
  const claim = { ...target, answer, answeredAt: Date.now(), wasHere: given, isStale: false };
  useClaims.setState({ [page]: claim });
  watch();
  if (!given) void renew(page, target);
}

async function renew(page: string, target: ReviewTarget): Promise<void> {
  try {
    const input = { targetType: target.type, targetId: target.id, tab: tabOf(page) };
    const { data } = await send(queue.claim, input);
    const wasHere = useClaims.getState()[page]?.wasHere ?? false;
    const isHere = data.holder?.here ?? false;
    update(page, target, { answer: data, answeredAt: Date.now(), wasHere: wasHere || isHere, isStale: false });
  } catch (error) {
    // A refused call stays refused. Without an answer, the next one may succeed.
    if (error instanceof CallError) drop(page, false);
    else markStale(page, target);
  }
}

function markStale(page: string, target: ReviewTarget): void {
  const claim = useClaims.getState()[page];
  if (claim && Date.now() - claim.answeredAt > LEASE_MS) update(page, target, { isStale: true });
}

function drop(page: string, gives: boolean): void {
  useClaims.setState(({ [page]: _dropped, ...others }) => others, true);
  if (gives) void release(page);
}

async function release(page: string): Promise<void> {
  try {
    await send(queue.release, { tab: tabOf(page) });
    await queryClient.invalidateQueries({ queryKey: [queue.marks.path] });
  } catch {
    // The lease ends by itself.
  }
}

const dropClosed = () => {
  for (const [page, { id, answer }] of Object.entries(useClaims.getState())) {
    const openId = openIdOf(page);
    // The call for the next record gives this one back. A release sent before it could arrive after it.
    if (openId !== String(id)) drop(page, openId === null && answer?.waiting !== false);
  }
};

function renewAll(): void {
  dropClosed();
  for (const [page, claim] of Object.entries(useClaims.getState())) {
    if (isIdleFor(IDLE_MS)) markStale(page, claim);
    else if (claim.answer?.waiting !== false) void renew(page, claim);
  }
}

let isWatching = false;
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  setInterval(renewAll, RENEW_MS);
  useTabs.subscribe(dropClosed);
}

/** Holds the open record of the page. Undefined while nothing is known about it. */
export function useClaim(type: ReviewType | undefined, id: number | undefined): Claim | undefined {
  const { key } = usePageRoute();
  useEffect(() => {
    if (type !== undefined && id !== undefined) openClaim(key, { type, id });
  }, [key, type, id]);
  return useClaims((all) => (all[key]?.id === id ? all[key] : undefined));
}
