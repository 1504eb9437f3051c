import { Counter, Histogram, Registry } from 'prom-client';

/** Seconds; a page of a list takes some milliseconds, the limit of its statement is 2.5 s. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * The counters of one server process. Labels have few values, names of this program and of
 * keys of the gateway: no account, no id, no text of a request. `watch` adds what is read when the metrics are scraped.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'hengtai_requests_total',
      help: 'Answered requests by call of the contract and by code of the envelope',
      labelNames: ['call', 'code'] as const,
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'hengtai_request_seconds',
      help: 'Duration of requests by call, without streams and long polls',
      labelNames: ['call'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    jobRuns: new Counter({
      name: 'hengtai_job_runs_total',
      help: 'Runs of background jobs by name and result (ok, failed)',
      labelNames: ['name', 'result'] as const,
      registers,
    }),
    gatewayEvents: new Counter({
      name: 'hengtai_gateway_events_total',
      help: 'Events of the platform by type and outcome (applied, duplicate, rejected)',
      labelNames: ['type', 'outcome'] as const,
      registers,
    }),
    gatewayCalls: new Counter({
      name: 'hengtai_gateway_calls_total',
      help: 'Calls of the platform by name of their key and HTTP status',
      labelNames: ['key', 'code'] as const,
      registers,
    }),
    gatewayFallbacks: new Counter({
      name: 'hengtai_gateway_fallbacks_total',
      help: 'Groups of events that started again in smaller parts, by type of the event and reason',
      labelNames: ['type', 'reason'] as const,
      registers,
    }),
    cacheReads: new Counter({
      name: 'hengtai_cache_reads_total',
      help: 'Reads of cached figures of the home page by result (hit, miss)',
      labelNames: ['result'] as const,
      registers,
    }),
    replicaReads: new Counter({
      name: 'hengtai_replica_reads_total',
      help: 'Lists read while a replica is configured, by the server that answered (replica, primary)',
      labelNames: ['server'] as const,
      registers,
    }),
  };
}
