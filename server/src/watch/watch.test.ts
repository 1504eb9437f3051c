// @module-tag full
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { endpoints } from '@hengtai/contract/index.schema';
import { API_BASE } from '@hengtai/contract/wire/endpoint';
import { type Span, type TracerProvider, trace } from '@opentelemetry/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import * as commands from '../../test/commands.ts';
import { makeUser, makeWithdraw } from '../../test/factories.ts';
import { findFreePort } from '../../../testing/free-port.ts';
import { type OtherProcess, startOtherProcess } from '../../test/other-process.ts';
import { type TestServer, call, login, send, testServer } from '../../test/server.ts';
import { leaseCommands } from '../gateway/command-lease.store.ts';
import { DEFAULT_SCOPE } from '../gateway/platform-scope.ts';
import { publishCommands } from '../gateway/publisher.ts';
import { inTransaction } from '../database/connect.ts';
import { fetchFigures } from './figures.store.ts';
import type { Readiness } from './readiness.ts';

/** Sets up the data; the watched process is another one, started as in production. */
let server: TestServer;
let other: OtherProcess;
let metricsPort: number;
let token: string;
let account: string;

beforeAll(async () => {
  server = await testServer({ jobs: false });
  token = await login(server);
  account = await makeUser(server, { amount: '1000' });
  await makeWithdraw(server, token, account);
  metricsPort = await findFreePort();
  // A replica that is none: its metrics say so.
  const replica = { DATABASE_READ_URL: server.urls.app };
  other = await startOtherProcess(server, { METRICS_PORT: String(metricsPort), ...replica });
}, 120_000);
afterAll(async () => {
  await other?.kill();
  await server?.stop();
});

const scrape = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

/** The value of one sample; undefined if the scrape has none with this name and these labels. */
async function valueOf(sample: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}

async function fetchReadiness(): Promise<{ status: number; failed: string[] }> {
  const response = await fetch(`${other.url}/readyz`);
  const { checks } = (await response.json()) as Readiness;
  return {
    status: response.status,
    failed: checks.filter(({ ok }) => !ok).map(({ name, reason }) => `${name}: ${reason}`),
  };
}

describe('readiness', () => {
  test('a process that serves is ready', async () => {
    expect((await fetch(`${other.url}/livez`)).status).toBe(200);
    expect(await fetchReadiness()).toEqual({ status: 200, failed: [] });
  });

  test('another schema than expected is named', async () => {
    const name = await server.query(sql`update schema_migration set checksum = 'x' || checksum where version = 10`);
    expect(name).toEqual([]);
    await expect
      .poll(fetchReadiness)
      .toEqual({ status: 503, failed: [expect.stringMatching(/^schema: Migration 0010-\S+ differs/)] });
    await server.query(sql`update schema_migration set checksum = substr(checksum, 2) where version = 10`);
    await expect.poll(fetchReadiness).toEqual({ status: 200, failed: [] });
  });

  test('jobs that are not started, or do not end, are named', async () => {
    const { app, server: http } = server;
    const failed = async (): Promise<string | undefined> => {
      const { checks } = (await http.inject('/readyz')).json<Readiness>();
      return checks.find(({ ok }) => !ok)?.reason;
    };
    expect(await failed()).toBe('They are not started.');
    const job = { everyMs: 1_000, maxRunMs: 600_000, succeededAt: Date.now() };
    app.state.jobs.set('quick', { ...job, runningSince: Date.now() });
    app.state.jobs.set('stuck', { ...job, runningSince: Date.now() - 601_000 });
    await expect.poll(failed).toBe('These do not end: stuck.');
    app.state.jobs.clear();
  });
});

describe('metrics', () => {
  test('have a listener of their own', async () => {
    expect((await fetch(`${other.url}/metrics`)).headers.get('content-type')).not.toContain('version=');
    expect((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status).toBe(404);
  });

  test('count requests and events with bounded labels and without personal data', async () => {
    const get = (path: string) => fetch(`${other.url}${API_BASE}${path}`, { headers: { token } });
    await get(`user/list?account=${account}`);
    await get('user/list?account=');
    await get(`nothing/${account}`);
    expect(await valueOf('hengtai_requests_total{call="user.list",code="200"}')).toBe(2);
    expect(await valueOf('hengtai_request_seconds_count{call="user.list"}')).toBe(2);
    const text = await scrape();
    const calls = new Set([...text.matchAll(/call="([^"]+)"/g)].map(([, name]) => name));
    const known = Object.entries(endpoints).flatMap(([noun, own]) => Object.keys(own).map((name) => `${noun}.${name}`));
    expect([...calls].filter((name) => !name?.startsWith('platform.') && !known.includes(name ?? ''))).toEqual([]);
    expect(text).not.toContain(account);
    // The same counters in this process, where events are sent.
    await send(server, { type: 'nonsense', data: {} });
    expect((await server.app.state.metrics.gatewayEvents.get()).values).toContainEqual({
      labels: { type: 'unknown', outcome: 'rejected' },
      value: 1,
    });
  });

  test('show what waits, and since when', async () => {
    expect(await valueOf('hengtai_queue{queue="withdrawReview"}')).toBe(1);
    expect(await valueOf('hengtai_queue_target_seconds{queue="withdrawReview"}')).toBeGreaterThan(0);
    expect(await valueOf('hengtai_figures_up')).toBe(1);
    const figures = await fetchFigures(server.app.system, server.clock.now());
    expect(figures).toContainEqual({
      family: 'queue',
      label: 'withdrawReview',
      count: 1,
      oldestAt: expect.any(Number),
      target: 30,
    });
    expect(await valueOf('hengtai_replica_up')).toBe(0);
    expect(await valueOf('hengtai_ready{check="database"}')).toBe(1);
    expect(await valueOf('hengtai_pool_max{pool="requests"}')).toBe(8);
    expect(await valueOf('hengtai_job_last_success_timestamp_seconds{name="seal"}')).toBeGreaterThan(1e9);
  });

  test('count a command as not taken unless a program has it for the first time, or it follows such a one', async () => {
    await commands.finishAll(server);
    const now = server.clock.now();
    await commands.enqueueFor(server, 501, 501);
    // The other process numbers commands too, and only one of both at a time does.
    await expect
      .poll(async () => {
        await publishCommands(server.app);
        return server.query(sql`select id from command where seq is null and state = 0`);
      })
      .toEqual([]);
    const figureAt = async (at: number) => {
      const figures = await fetchFigures(server.app.system, at);
      return figures.find(({ family, label }) => family === 'command' && label === 'unsent');
    };
    const leaseAt = (at: number) =>
      inTransaction(server.app.system, (db) =>
        leaseCommands(db, { scope: DEFAULT_SCOPE, lease: randomUUID(), seconds: 600, limit: 9, now: at }),
      );
    const waiting = { count: 2, oldestAt: expect.any(Number) };
    const held = { count: 2, oldestAt: null };
    expect(await figureAt(now)).toMatchObject(waiting);
    expect(await leaseAt(now)).toHaveLength(1);
    expect(await figureAt(now + 599_000)).toMatchObject(held);
    // The program died before its receipt.
    expect(await figureAt(now + 601_000)).toMatchObject(waiting);
    expect(await leaseAt(now + 601_000)).toHaveLength(1);
    expect(await figureAt(now + 602_000)).toMatchObject(waiting);
    await server.query(sql`update command set state = 1 where lease is not null and state = 0`);
    // The second command waits for the answer to the first.
    expect(await figureAt(now + 603_000)).toMatchObject({ count: 1, oldestAt: null });
  });

  interface Rule {
    alert: string;
    expr: string;
    annotations: Record<'summary' | 'action' | 'runbook', string>;
  }
  const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  const rules = (): Rule[] =>
    (parse(read('deploy/prometheus/hengtai.rules.yml')) as { groups: { rules: Rule[] }[] }).groups[0]?.rules ?? [];

  test('that alerts and dashboard name exist', async () => {
    const { panels } = JSON.parse(read('deploy/grafana/hengtai.json')) as { panels: { targets: { expr: string }[] }[] };
    const expressions = [...rules(), ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    const names = expressions.flatMap((one) => one.match(/\b(hengtai|nodejs|process)_\w+/g) ?? []);
    const existing = new Set([...(await scrape()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    expect(names.length).toBeGreaterThan(40);
    const isMissing = (name: string): boolean =>
      !existing.has(name) && !existing.has(name.replace(/_(bucket|count|sum)$/, ''));
    expect(names.filter(isMissing)).toEqual([]);
  });

  test('have alerts that say what to do', () => {
    const headings = [...read('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const { alert, annotations } of rules()) {
      expect([alert, Object.keys(annotations)]).toEqual([alert, ['summary', 'action', 'runbook']]);
      expect(headings).toContain(annotations.runbook.split('#')[1]);
    }
  });
});

test('spans name requests and actions, and hold no personal data', async () => {
  const spans: { name: string; attributes: unknown }[] = [];
  const span = { setAttribute: () => span, setStatus: () => span, end: () => undefined } as unknown as Span;
  const startActiveSpan = (name: string, { attributes }: { attributes: unknown }, work: (one: Span) => unknown) => {
    spans.push({ name, attributes });
    return work(span);
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startActiveSpan }) } as unknown as TracerProvider);
  try {
    await call(server, 'GET', 'user/list', { account }, { token });
    await call(server, 'POST', 'withdraw/pass', { id: 999 }, { token });
    await send(server, { type: 'withdraw.cancelled', data: { no: 'none' } });
  } finally {
    trace.disable();
  }
  expect(spans.map(({ name }) => name)).toEqual([
    'request user.list',
    'request withdraw.pass',
    'action withdraw.pass',
    'gateway events',
  ]);
  expect(JSON.stringify(spans)).not.toContain(account);
});

test('after SIGTERM the process is not ready, then it ends', async () => {
  const shared = other;
  other = await startOtherProcess(server, { DRAIN_SECONDS: '2' });
  onTestFinished(async () => {
    await other.kill();
    other = shared;
  });
  const exited = other.stop();
  await expect.poll(fetchReadiness).toEqual({ status: 503, failed: [expect.stringContaining('serving:')] });
  expect(await exited).toBe(0);
});
