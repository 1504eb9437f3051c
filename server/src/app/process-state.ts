import { randomUUID } from 'node:crypto';
import { LockGate } from './lock-gate.ts';
import { type Metrics, createMetrics } from '../host/metrics.ts';

/** The loop of a job in this process. Times are Unix milliseconds of the system clock. */
export interface JobState {
  /** Pause between runs in milliseconds. */
  everyMs: number;
  /** A run that takes longer is stuck. */
  maxRunMs: number;
  /** End of the last run that succeeded, or the start of the loop. */
  succeededAt: number;
  /** Start of the current run; undefined between runs. */
  runningSince: number | undefined;
}

/** What a server process knows about itself; created at its start. */
export interface ProcessState {
  /** Names this process among the servers of the installation. */
  id: string;
  metrics: Metrics;
  locks: LockGate;
  /** By name; empty until the jobs are started. */
  jobs: Map<string, JobState>;
  /** Set at SIGTERM, before the server stops listening. */
  isDraining: boolean;
  /** Unix milliseconds of the last valid call of each key of the gateway. */
  platformKeyUses: Map<string, number>;
}

export const createProcessState = (): ProcessState => ({
  id: randomUUID(),
  metrics: createMetrics(),
  locks: new LockGate(),
  jobs: new Map(),
  isDraining: false,
  platformKeyUses: new Map(),
});
