import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { afterAll, beforeAll } from 'vitest';
import { exportFile, insertRecharges } from '../../test/export.ts';
import { makeUser } from '../../test/factories.ts';
import { type TestServer, call, login, testServer } from '../../test/server.ts';
import { sql } from 'kysely';

let server: TestServer;
let admin: string;
beforeAll(async () => {
  server = await testServer({ exports: { jobRows: 100 } });
  admin = await login(server);
  await makeUser(server, { account: 'long' });
  const [owner] = await server.query(sql<{ id: number; agent: number }>`select id, agent_id as agent from users`);
  await insertRecharges(server, Array.from({ length: 500 }, (_, i) => ({ no: `N${i}`, userId: owner?.id ?? 0, agentId: owner?.agent ?? 0, createdAt: 1_700_000_000_000 + i * 1000, amount: `${i}.50` })));
});
afterAll(() => server.stop());
test('x', async () => {
  const made = await exportFile(server, 'recharge/excel', { format: 'csv' }, admin);
  console.log(made.envelope);
  for (let i = 0; i < 50; i++) {
    const { data } = await call<any[]>(server, 'GET', 'export/list', {}, { token: admin });
    console.log(data[0]?.state, data[0]?.done, data[0]?.reason);
    if (data[0]?.state > 1) break;
    await new Promise((r) => setTimeout(r, 300));
  }
  console.log(await readdir(server.app.exports.directory));
  expect(existsSync(server.app.exports.directory)).toBe(true);
});
