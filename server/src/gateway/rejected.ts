import { EVENT_REASONS } from '@hengtai/contract/gateway';
import type { Db } from '../db/connect.ts';

/** An event that changes nothing; the reason goes back to the platform. */
export class Rejected extends Error {
  override name = 'Rejected';
}

export const reject = (reason: keyof typeof EVENT_REASONS, field?: string): Rejected =>
  new Rejected(field === undefined ? EVENT_REASONS[reason] : `${EVENT_REASONS[reason]}: ${field}`);

/** Whether it is refused because its number is known already. */
export const isExists = (error: unknown): boolean =>
  error instanceof Rejected && error.message === EVENT_REASONS.exists;

/** What an event's handler works with: its own transaction, and its times in unix milliseconds. */
export interface EventCtx {
  db: Db;
  /** When it happened at the platform; never later than now. */
  at: number;
  now: number;
}
