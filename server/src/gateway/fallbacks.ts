/** How often an event of a type made its group start again, for one reason. */
export interface Fallback {
  /** Type of the event; `group` if the failed write does not show the event. */
  type: string;
  reason: string;
  count: number;
}

/** Counts of one server process, for metrics. */
export class FallbackCounts {
  readonly #counts = new Map<string, Fallback>();

  add(type: string, reason: string): void {
    const key = `${type} ${reason}`;
    const { count } = this.#counts.get(key) ?? { count: 0 };
    this.#counts.set(key, { type, reason, count: count + 1 });
  }

  list(): Fallback[] {
    return [...this.#counts.values()];
  }
}
