import { ABILITY } from '@hengtai/contract/authority/ability';
import type { AuditRow, AuditVerdict } from '@hengtai/contract/house/audit/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD, findWithdraw, makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import { fetchAuditRows, hashMoneyState } from '../../../../test/inspect.ts';
import { ADMIN, type ApiResponse, call, login, provideServer, unique } from '../../../../test/server.ts';
import { loadAnchors, verifyChain } from '../../../books/audit/verify.ts';
import { runInScope } from '../../../database/connect.ts';

const server = provideServer();
let admin: string;

beforeAll(async () => {
  admin = await login(server);
});

const countAudit = async (): Promise<number> =>
  (await server.query(sql<{ n: number }>`select count(*) as n from audit`))[0]?.n ?? 0;

/** Waits until the running jobs have made the condition true. */
const waitUntil = (holds: () => Promise<boolean>): Promise<void> => expect.poll(holds).toBe(true);

describe('every action writes its audit row', () => {
  interface Case {
    name: string;
    action: () => Promise<ApiResponse>;
    code: number;
    rows: object[];
  }
  const withdrawOf = async (agent?: string) =>
    makeWithdraw(server, admin, await makeUser(server, { ...(agent ? { agent } : {}), amount: '500' }));

  const cases: Case[] = [
    {
      name: 'a login',
      action: () => call(server, 'POST', 'login', ADMIN),
      code: 200,
      rows: [{ action: 'session.login', result: 200, operator: 'admin', targetType: 'agent' }],
    },
    {
      name: 'a wrong password',
      action: () => call(server, 'POST', 'login', { ...ADMIN, password: 'wrong' }),
      code: 401,
      rows: [{ action: 'session.login', result: 401, operator: 'admin' }],
    },
    {
      name: 'an unknown account',
      action: () => call(server, 'POST', 'login', { account: 'nobody', password: 'wrong' }),
      code: 401,
      rows: [{ action: 'session.login', result: 401, operator: null }],
    },
    {
      name: 'a logout',
      action: async () => call(server, 'POST', 'logout', {}, { token: await login(server) }),
      code: 200,
      rows: [{ action: 'session.logout', result: 200, operator: 'admin' }],
    },
    {
      name: 'a new agent',
      action: () =>
        call(
          server,
          'POST',
          'agent/add',
          { account: unique('agent'), password: PASSWORD, remark: 'r' },
          { token: admin },
        ),
      code: 200,
      rows: [{ action: 'agent.add', result: 200, targetType: 'agent', before: null, after: { remark: 'r' } }],
    },
    {
      name: 'a granted ability',
      action: async () => {
        const { id } = await makeOperator(server, admin);
        return call(server, 'POST', 'agent/state', { id, type: 3, state: 1, reason: '试用' }, { token: admin });
      },
      code: 200,
      rows: [
        {
          action: 'agent.state',
          result: 200,
          before: { abilities: [0] },
          after: { abilities: [0, 3] },
          reason: '试用',
        },
      ],
    },
    {
      name: 'a new user',
      action: () => call(server, 'POST', 'user/add', { account: unique('user'), password: PASSWORD }, { token: admin }),
      code: 200,
      rows: [{ action: 'user.add', result: 200, targetType: 'user' }],
    },
    {
      name: 'a decision',
      action: async () => call(server, 'POST', 'withdraw/pass', { id: (await withdrawOf()).id }, { token: admin }),
      code: 200,
      rows: [
        { action: 'withdraw.pass', result: 200, before: { state: 0, attempt: 0 }, after: { state: 2, attempt: 1 } },
      ],
    },
    {
      name: 'a bulk action: one row per record',
      action: async () => {
        const ids = [(await withdrawOf()).id, (await withdrawOf()).id];
        return call(server, 'POST', 'withdraw/reject/many', { ids, reason: '流水不足' }, { token: admin });
      },
      code: 200,
      rows: [
        { action: 'withdraw.reject', result: 200, reason: '流水不足' },
        { action: 'withdraw.reject', result: 200, reason: '流水不足' },
      ],
    },
    {
      name: 'a refusal because of a missing ability',
      action: async () => {
        const agent = await makeOperator(server, admin);
        const { id } = await withdrawOf(agent.account);
        return call(server, 'POST', 'withdraw/pass', { id }, { token: agent.token });
      },
      code: 403,
      rows: [{ action: 'withdraw.pass', result: 403, targetType: 'withdraw' }],
    },
    {
      name: 'a refused read',
      action: async () => {
        const agent = await makeOperator(server, admin);
        return call(server, 'GET', 'audit/list', {}, { token: agent.token });
      },
      code: 403,
      rows: [{ action: 'audit.list', result: 403 }],
    },
    {
      name: 'a wrong old password',
      action: async () => {
        const { token } = await makeOperator(server, admin);
        const input = { oldPassword: 'not-it', newPassword: 'new-password' };
        return call(server, 'POST', 'pwd_update', input, { token });
      },
      code: 401,
      rows: [{ action: 'session.password', result: 401 }],
    },
    {
      name: 'malformed input: no row',
      action: () => call(server, 'POST', 'withdraw/pass', { id: 'x' }, { token: admin }),
      code: 422,
      rows: [],
    },
    {
      name: 'a read: no row',
      action: () => call(server, 'GET', 'withdraw/list', {}, { token: admin }),
      code: 200,
      rows: [],
    },
  ];

  test.each(cases)('$name', async ({ action: operation, code, rows }) => {
    const answer = await operation();
    expect(answer.code).toBe(code);
    const found = await fetchAuditRows(server, answer);
    expect(found).toMatchObject(rows);
    expect(found).toHaveLength(rows.length);
  });

  test('in the same transaction as its effect', async () => {
    const row = await withdrawOf();
    const answer = await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '流水不足' }, { token: admin });
    const written = await server.query(sql<{ by: string }>`
      select xmin::text as by from withdraw where id = ${row.id}
      union select xmin::text from audit where request_id = ${answer.requestId}
      union select e.xmin::text from entry e where ref_type = 'withdraw' and ref_id = ${row.id} and type = 10`);
    expect(written).toHaveLength(1);
  });

  test('a rolled-back action leaves only the row of its refusal', async () => {
    const row = await withdrawOf();
    await call(server, 'POST', 'withdraw/reject', { id: row.id, reason: '流水不足' }, { token: admin });
    const before = await countAudit();
    const lost = await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin });
    expect(lost.code).toBe(409);
    expect(await countAudit()).toBe(before);
    const taken = await call(server, 'POST', 'agent/add', { account: 'ADMIN', password: PASSWORD }, { token: admin });
    expect(taken).toMatchObject({ code: 409, msg: '账号已存在' });
    // The refusal reveals that the account exists, so the audit row names the caller.
    expect(await countAudit()).toBe(before + 1);
  });

  test('no audit row contains a password', async () => {
    const [row] = await server.query(
      sql<{ n: number }>`select count(*) as n from audit a where a::text like ${`%${PASSWORD}%`}`,
    );
    expect(row?.n).toBe(0);
  });
});

describe('if audit rows cannot be written', () => {
  const withoutAudit = async (table: string, work: () => Promise<void>): Promise<void> => {
    const [role] = await server.query(sql<{ name: string }>`
      select grantee as name from information_schema.role_table_grants
      where table_name = 'audit' and privilege_type = 'INSERT' and grantee <> current_user limit 1`);
    await server.query(sql`revoke insert on ${sql.table(table)} from ${sql.id(role?.name ?? '')}`);
    try {
      await work();
    } finally {
      await server.query(sql`grant insert on ${sql.table(table)} to ${sql.id(role?.name ?? '')}`);
    }
  };

  test.each(['audit', 'audit_pending'])('actions fail and reads succeed while %s is not writable', async (table) => {
    const row = await makeWithdraw(server, admin, await makeUser(server, { amount: '500' }));
    await withoutAudit(table, async () => {
      const before = await hashMoneyState(server);
      const account = unique('agent');
      const actions = [
        await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin, fails: true }),
        await call(
          server,
          'POST',
          'withdraw/reject',
          { id: row.id, reason: '流水不足' },
          { token: admin, fails: true },
        ),
        await call(server, 'POST', 'agent/add', { account, password: PASSWORD }, { token: admin, fails: true }),
        await call(server, 'POST', 'login', ADMIN, { fails: true }),
      ];
      for (const operation of actions)
        expect(operation).toMatchObject({ status: 500, code: 500, msg: '系统繁忙，请稍后再试', data: null });
      expect(await hashMoneyState(server)).toBe(before);
      expect((await call<Page<object>>(server, 'GET', 'agent/list', { account }, { token: admin })).data.total).toBe(0);
      expect(await findWithdraw(server, admin, row.no)).toEqual(row);
      expect(await call(server, 'GET', 'withdraw/detail', { id: row.id }, { token: admin })).toMatchObject({
        code: 200,
      });
    });
    expect(await call(server, 'POST', 'withdraw/pass', { id: row.id }, { token: admin })).toMatchObject({ code: 200 });
  });
});

describe('the running jobs', () => {
  test('seal new rows, and audit/verify accepts the chain', async () => {
    const answer = await call(
      server,
      'POST',
      'agent/add',
      { account: unique('agent'), password: PASSWORD },
      { token: admin },
    );
    await waitUntil(async () => {
      const rows = await server.query(sql`select 1 from audit_seal s join audit a on a.id = s.audit_id
        where a.request_id = ${answer.requestId}`);
      return rows.length === 1;
    });
    const verify = async (): Promise<AuditVerdict> =>
      verifyChain(server.app.system, await loadAnchors(server.auditDir, server.app.auditKey));
    await waitUntil(async () => (await verify()).pending === 0);
    const verdict = await call<AuditVerdict>(server, 'POST', 'audit/verify', {}, { token: admin });
    expect(verdict).toMatchObject({ code: 200, data: { ok: true, pending: 0, firstBad: null } });
    expect(verdict.data.sealed).toBe(await countAudit());
    expect(verdict.data.heads).toBeGreaterThan(0);
  });

  test('seal a row with a lower id that is committed later', async () => {
    let finish: () => void = () => undefined;
    const mayCommit = new Promise<void>((resolve) => (finish = resolve));
    let began: (id: number) => void = () => undefined;
    const lowerId = new Promise<number>((resolve) => (began = resolve));
    const slow = server.owner.transaction().execute(async (db) => {
      const { rows } = await sql<{ id: number }>`
        with written as (
          insert into audit (ip, user_agent, action, result, request_id, created_at, recorded_at)
          values ('', '', 'test.slow', 200, 'slow', 0, 0) returning id
        ), waiting as (insert into audit_pending (audit_id) select id from written)
        select id from written`.execute(db);
      began(rows[0]?.id ?? 0);
      await mayCommit;
    });
    const id = await lowerId;
    const later = await call(
      server,
      'POST',
      'agent/add',
      { account: unique('agent'), password: PASSWORD },
      { token: admin },
    );
    const seqOf = async (auditId: number | undefined): Promise<number | undefined> =>
      (await server.query(sql<{ seq: number }>`select seq from audit_seal where audit_id = ${auditId ?? 0}`))[0]?.seq;
    const [written] = await fetchAuditRows(server, later);
    expect(written?.id).toBeGreaterThan(id);
    await waitUntil(async () => (await seqOf(written?.id)) !== undefined);
    expect(await seqOf(id)).toBeUndefined();
    finish();
    await slow;
    await waitUntil(async () => (await seqOf(id)) !== undefined);
    expect(await seqOf(id)).toBeGreaterThan((await seqOf(written?.id)) ?? 0);
    const anchors = await loadAnchors(server.auditDir, server.app.auditKey);
    expect(await verifyChain(server.app.system, anchors)).toMatchObject({ ok: true });
  });
});

describe('audit/list', () => {
  const listed = async (token: string, input: object): Promise<AuditRow[]> =>
    (await call<Page<AuditRow>>(server, 'GET', 'audit/list', { size: 200, ...input }, { token })).data.list;

  test('needs the ability, and lists actions by and on the caller’s own tree', async () => {
    const reader = await makeOperator(server, admin, { abilities: [ABILITY.audit] });
    const below = await makeOperator(server, admin, { parent: reader.account, abilities: [ABILITY.withdraw] });
    const outside = await makeOperator(server, admin, { abilities: [ABILITY.withdraw] });
    const own = await makeWithdraw(server, admin, await makeUser(server, { agent: below.account, amount: '500' }));
    const foreign = await makeWithdraw(
      server,
      admin,
      await makeUser(server, { agent: outside.account, amount: '500' }),
    );
    const pass = (id: number, token: string) => call(server, 'POST', 'withdraw/pass', { id }, { token });
    const mine = await pass(own.id, below.token);
    const theirs = await pass(foreign.id, outside.token);
    expect(await listed(reader.token, { requestId: mine.requestId })).toMatchObject([
      {
        operator: below.account,
        action: 'withdraw.pass',
        targetId: own.id,
        account: own.account,
        agent: below.account,
      },
    ]);
    expect(await listed(reader.token, { requestId: theirs.requestId })).toEqual([]);
    expect(await listed(admin, { requestId: theirs.requestId })).toHaveLength(1);
    expect(await call(server, 'GET', 'audit/list', {}, { token: below.token })).toMatchObject({ code: 403 });
    expect(await call(server, 'POST', 'audit/verify', {}, { token: below.token })).toMatchObject({ code: 403 });
  });

  test('is filtered', async () => {
    const agent = await makeOperator(server, admin);
    const byOperator = await listed(admin, { operator: agent.account.toUpperCase() });
    expect(byOperator.map(({ action }) => action)).toEqual(['session.login']);
    const byTarget = await listed(admin, { targetType: 'agent', targetId: agent.id, action: 'agent.add' });
    expect(byTarget).toMatchObject([{ after: { account: agent.account } }]);
    expect((await listed(admin, { result: 403 })).every(({ result }) => result === 403)).toBe(true);
  });

  test('filters by denied attempts', async () => {
    const agent = await makeOperator(server, admin);
    await call(server, 'POST', 'login', { account: agent.account, password: 'wrong' });
    await call(server, 'POST', 'withdraw/pass/many', { ids: [1, 2] }, { token: agent.token });
    const of = async (denied: 0 | 1) =>
      (await listed(admin, { operator: agent.account, denied })).map(({ action, result }) => [action, result]);
    // A bulk attempt has the name of its action.
    expect(await of(1)).toEqual([
      ['withdraw.pass', 403],
      ['session.login', 401],
    ]);
    expect(await of(0)).toEqual([['session.login', 200]]);
  });
});

test('in full scope the policy of the log looks for no user', async () => {
  const { rows } = await runInScope(server.app.requests, { kind: 'all' }, 1, (db) =>
    sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off, timing off) select count(*) from audit`.execute(db),
  );
  const lookups = rows.map((row) => row['QUERY PLAN']).filter((line) => / on users\b/.test(line));
  expect(lookups.length).toBeGreaterThan(0);
  for (const line of lookups) expect(line).toContain('never executed');
});
