import { formatClock, useZone } from './zone.ts';

const DAY_MS = 86_400_000;

/** The time of day at which budgets and limits of UTC days are renewed, such as `08:00`, in the operator's zone. */
export const useRenewal = (): string => formatClock(Math.floor(Date.now() / DAY_MS) * DAY_MS, useZone()).slice(0, 5);
