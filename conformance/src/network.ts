/**
 * What happens to a call: it does not arrive, its answer does not arrive, or the back office answers 503 without doing it.
 */
export type Fault = 'lost call' | 'lost answer' | 'unavailable';

/** The network between the platform and the back office. It harms the calls that a scenario names. */
export class Network {
  readonly #faults = new Map<string, { fault: Fault; times: number }>();
  /** Calls that were harmed, by path. */
  readonly harmed = new Map<string, number>();

  /** Harms the next calls of a path. */
  harm(path: string, fault: Fault, times = Number.POSITIVE_INFINITY): void {
    this.#faults.set(path, { fault, times });
    this.harmed.set(path, 0);
  }

  /** Passes all calls again. */
  heal(): void {
    this.#faults.clear();
  }

  /** Whether as many calls were harmed as the scenario wanted, or at least one if it named no number. */
  hasHarmed(path: string, times = 1): boolean {
    return (this.harmed.get(path) ?? 0) >= times;
  }

  take(path: string): Fault | undefined {
    const planned = this.#faults.get(path);
    if (!planned) return undefined;
    this.harmed.set(path, (this.harmed.get(path) ?? 0) + 1);
    planned.times -= 1;
    if (planned.times <= 0) this.#faults.delete(path);
    return planned.fault;
  }
}
