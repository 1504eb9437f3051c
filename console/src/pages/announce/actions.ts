import { announce } from '@hengtai/contract/announce';

/** What is no longer true once an announcement was changed. */
export const STALE = [announce.list, announce.detail] as const;

export const stateName = (labels: Readonly<Record<number, string>>, state: number): string =>
  labels[state] ?? String(state);
