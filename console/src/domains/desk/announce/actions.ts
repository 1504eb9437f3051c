import { announce } from '@hengtai/contract/desk/announce/calls';

/** Queries to invalidate after a change of an announcement. */
export const STALE = [announce.list, announce.detail] as const;

export const stateName = (labels: Readonly<Record<number, string>>, state: number): string =>
  labels[state] ?? String(state);
