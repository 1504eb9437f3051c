import { type Answer, Connection } from './http.ts';

export interface Load {
  port: number;
  connections: number;
  /** The next request; undefined at the end. */
  next: () => string | undefined;
  /** Throws if an answer is wrong. */
  check: (answer: Answer) => void;
}

export interface LoadMeasurement {
  count: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

/** Sends requests on all connections, one at a time per connection, and measures latencies. */
export async function runLoad(load: Load): Promise<LoadMeasurement> {
  const connections = await Promise.all(Array.from({ length: load.connections }, () => Connection.open(load.port)));
  const times: number[] = [];
  const work = async (connection: Connection): Promise<void> => {
    for (let bytes = load.next(); bytes !== undefined; bytes = load.next()) {
      const start = performance.now();
      const response = await connection.send(bytes);
      times.push(performance.now() - start);
      load.check(response);
    }
  };
  const start = performance.now();
  try {
    await Promise.all(connections.map(work));
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - start) / 1_000;
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    p99: quantile(times, 0.99),
  };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** The median of each figure over several rounds; `count` is the sum. */
export const medianOf = (rounds: readonly LoadMeasurement[]): LoadMeasurement => ({
  count: rounds.reduce((sum, round) => sum + round.count, 0),
  perSecond: median(rounds.map((round) => round.perSecond)),
  p50: median(rounds.map((round) => round.p50)),
  p95: median(rounds.map((round) => round.p95)),
  p99: median(rounds.map((round) => round.p99)),
});
