// @module-tag full
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { makeBackup } from '../../src/backup/backup.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { testDatabase } from '../database.ts';
import * as world from '../matrix-world.ts';
import { type TestServer, testServer } from '../server.ts';
import { packBackup } from './packed.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hengtai-release-'));
  server = await testServer();
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

test('a backup with rows in most tables is restored', async () => {
  await makeRows();
  await vi.waitFor(
    async () =>
      expect(await server.query(sql<{ n: number }>`select count(*) as n from audit_pending`)).toEqual([{ n: 0 }]),
    { timeout: 60_000, interval: 20 },
  );
  const at = { dataDir: server.auditDir, auditDir: server.auditDir };
  const backup = join(folder, 'backup');
  const { tables, proof } = await makeBackup({
    databaseUrl: server.urls.owner,
    ...at,
    folder: backup,
    now: Date.now(),
  });
  expect(proof).toMatchObject({ faults: [], chain: { ok: true } });
  expect(tables.filter(({ rows }) => rows > 0).length).toBeGreaterThan(50);
  const database = await testDatabase();
  const into = { databaseUrl: database.url, dataDir: join(folder, 'data'), auditDir: join(folder, 'data') };
  await restoreBackup({ ...into, folder: backup, migrate: { appRole: inject('cluster').appRole } });
  await database.drop();
  const release = process.env['TEST_RELEASE'];
  if (release) await packBackup(release, backup);
});

async function makeRows(): Promise<void> {
  const made = await world.makeWorld(server);
  await world.makeOtpAgentBelow(made, 'own');
  await world.changeSetting(made);
  await world.makeAnnouncement(made);
  await world.addNoteAt(made, 'own');
  for (const state of [0, 2, 3] as const) await world.makeRechargeAt(made, 'own', state);
  for (const state of [5, 7, 8] as const) await world.makeWithdrawAt(made, 'own', state);
  await world.makeTransferAt(made, 'own', 'other');
  await world.freezeAssetsAt(made, 'own');
  await world.makeLedgerEntryAt(made, 'own', true);
  await world.makeKycAt(made, 'own');
  await world.makeIeoAt(made, 'own');
  for (const state of [0, 3] as const) await world.makeSpotOrderAt(made, 'own', state);
  for (const state of [0, 1, 2] as const) await world.makePositionAt(made, 'own', state);
  for (const state of [0, 2] as const) await world.makeBinaryContractAt(made, 'own', state);
  for (const state of [1, 2] as const) await world.makeFollowAt(made, 'own', state);
  for (const state of [0, 1] as const) await world.makeAlarmAt(made, 'own', state);
  await world.makeGrantedMarket(made, 'own');
  await world.makeViewAt(made, 'own');
  await world.makeChannelAt(made, 'own');
  await world.makeScheduleAt(made, 'own');
  await world.makeGatewayKey(made);
  await world.makeImageMessageAt(made, 'own');
  await world.makeReplyAt(made, 'own');
  await world.makeCommandAt(made, 'own');
  await world.makeLiabilityProof(made);
}
