/** How often events of one type made a group of events start again, since the process started. */
export interface Fallback {
  type: string;
  reason: string;
  count: number;
}

const fallbacks = new Map<string, Fallback>();

export function countFallback(type: string, reason: string): void {
  const key = `${type} ${reason}`;
  const fallback = fallbacks.get(key) ?? { type, reason, count: 0 };
  fallback.count += 1;
  fallbacks.set(key, fallback);
}

/** All counts of this process, for metrics. */
export const fallbackCounts = (): Fallback[] => [...fallbacks.values()].map((fallback) => ({ ...fallback }));
