import type { ApprovalChange, ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { auditFieldText } from '@hengtai/contract/house/audit/words';
import { nouns } from '@hengtai/contract/index';
import * as schemasByNoun from '@hengtai/contract/nouns.schema';
import { canonical } from '@hengtai/contract/values/money';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { approvalCases } from '../../../../test/approval-cases.ts';
import { type RequestWorld, makeRequestWorld, requestAction } from '../../../../test/approval-world.ts';
import { findUser, makeOperator, makeUser } from '../../../../test/factories.ts';
import { callAs, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { setScreening } from '../../../../test/screening.ts';
import { call, provideServer, unique } from '../../../../test/server.ts';
import { limitInput, makeGroup } from '../../../../test/withdraw-limits.ts';
import { approvableActions } from '../../../modules.ts';

/** A checker sees every field of the input and every field that changes, and no secret. */

const server = provideServer({ jobs: false });
let world: RequestWorld;
let lockDetail: ApprovalDetail;

beforeAll(async () => {
  world = await makeRequestWorld(server, async ({ house }, id) => {
    lockDetail = await fetchDetail(id, house.second);
  });
});
afterEach(() => setScreening(server, { address: 0, name: 0 }));

const read = async (id: number, { token }: { token: string }) => {
  await refreshAllOtp(server);
  return call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token });
};
async function fetchDetail(id: number, checker = world.house.second): Promise<ApprovalDetail> {
  const { code, data } = await read(id, checker);
  expect(code).toBe(200);
  return data;
}

/** Requests an action, and returns what its checker sees. */
async function request(name: string): Promise<{ input: Record<string, unknown>; detail: ApprovalDetail }> {
  if (name === 'approval.lock') return { input: await approvalCases[name]!.input(world), detail: lockDetail };
  const { input, row } = await requestAction(world, name);
  return { input, detail: await fetchDetail(row.id) };
}

/** What says which version was read, and why; a secret must not be there at all. */
const NOT_SHOWN = ['reason', 'seen', 'version'];
const SECRETS = ['password'];

const schemaOf = (path: string): TSchema & { properties: Record<string, TSchema> } => {
  const found = Object.entries(nouns).flatMap(([noun, calls]) =>
    Object.entries<CallSpec & { path?: string }>(calls)
      .filter(([, spec]) => spec.path === path)
      .map(
        ([name]) =>
          (schemasByNoun as unknown as Record<string, Record<string, { input?: TSchema }>>)[noun]?.[name]?.input,
      ),
  )[0];
  if (!found) throw new Error(`no schema for ${path}`);
  return found as TSchema & { properties: Record<string, TSchema> };
};

interface Shown {
  label: string;
  text: string;
}

function shownIn({ asked, now, terms = [], changes = [] }: ApprovalDetail): Shown[] {
  const changed = changes.flatMap(({ title, fields }) => [
    { label: '', text: title },
    ...fields.flatMap(({ label, after }) => (after === null ? [] : [{ label, text: after }])),
  ]);
  const items = [...asked, ...now, ...terms];
  const units = items.flatMap(({ label, unit }) => (unit === undefined ? [] : [{ label, text: unit }]));
  return [...items, ...units, ...changed];
}

/** The plain values of an input by the name of their field. */
const leavesOf = (value: unknown, field = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => leavesOf(child, Array.isArray(value) ? field : key))
    : [[field, value]];

const spell = (value: unknown): string =>
  typeof value === 'boolean'
    ? value
      ? '是'
      : '否'
    : typeof value === 'string' && /^-?\d+\.\d+$/.test(value)
      ? canonical(value)
      : String(value);

/** The fields of an input that the checker cannot see. */
function findMissing(name: string, input: Record<string, unknown>, detail: ApprovalDetail): string[] {
  const words = approvalCases[name]!.shown?.(world, input) ?? {};
  const items = shownIn(detail);
  return leavesOf(input)
    .filter(([field, value]) => {
      if (NOT_SHOWN.includes(field) || SECRETS.includes(field)) return false;
      const expected = words[field];
      if (expected !== undefined)
        return ![expected].flat().every((text) => items.some((item) => item.text.includes(text)));
      const label = auditFieldText({ action: name }, field);
      return !items.some((item) => item.label.endsWith(label) && item.text === spell(value));
    })
    .map(([field, value]) => `${field} ${String(value)}`);
}

test('every action that can need a checker has a case', () => {
  expect(Object.keys(approvalCases).toSorted()).toEqual([...approvableActions.keys()].toSorted());
});

describe.each(Object.keys(approvalCases))('%s', (name) => {
  test('shows every field of the input, every field that changes, and no secret', async () => {
    const { path, without = {}, audited = [] } = approvalCases[name]!;
    const { input, detail } = await request(name);
    const { properties } = schemaOf(path);
    const given = new Set([...Object.keys(input), ...Object.keys(without), ...NOT_SHOWN]);
    const nested = new Set(leavesOf(input).map(([field]) => field));
    expect(Object.keys(properties).filter((field) => !given.has(field) && !nested.has(field))).toEqual([]);
    expect(detail).toMatchObject({ intact: true, problem: null });
    expect(findMissing(name, input, detail)).toEqual([]);
    for (const secret of SECRETS.flatMap((field) => (field in input ? [String(input[field])] : [])))
      expect(JSON.stringify(detail)).not.toContain(secret);
    const labels = (detail.changes ?? []).flatMap(({ fields }) => fields.map(({ label }) => label));
    for (const label of labels) expect(label).toMatch(/[\u4e00-\u9fff]/);
    await expectNothingForeign(detail);
    if (!approvableActions.get(name)?.judgeSave) return;
    expect(await findUnmarked(name, detail, audited)).toEqual([]);
    // Afterwards it shows what was signed, without a comparison.
    const { changes = [] } = await fetchDetail(detail.row.id);
    expect(changes.flatMap(({ fields }) => fields).every(({ before, changed }) => before === null && !changed)).toBe(
      true,
    );
  });
});

/** An approver of another tree sees no request about a record outside of it, and of the house's own no foreign account. */
async function expectNothingForeign({ row }: ApprovalDetail): Promise<void> {
  const { code, data } = await read(row.id, world.local);
  if (code !== 200) return expect(code).toBe(404);
  const accounts = await server.query(sql<{ account: string }>`
    select account from agent where id not in (${world.local.id}, ${world.houseMaker.id}, 1) union all select account from users`);
  const text = JSON.stringify(data);
  expect(accounts.filter(({ account }) => new RegExp(`\\b${account}\\b`).test(text))).toEqual([]);
  return undefined;
}

/** Passes the request. Returns what its audit row says to have changed and the checker was not shown as such. */
async function findUnmarked(name: string, { row, changes = [] }: ApprovalDetail, others: readonly string[]) {
  const passed = await callAs(server, world.house.second, 'approval/pass', { id: row.id });
  expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
  const rows = await fetchAuditRows(server, { targetType: row.targetType, targetId: row.targetId });
  const done = rows.find(
    ({ action, approvalId, result }) => action === name && approvalId === row.id && result === 200,
  );
  const [before, after] = [done?.before, done?.after].map((record) => (record ?? {}) as Record<string, unknown>);
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter(
      (field) => !others.includes(field) && stableJson(before?.[field] || null) !== stableJson(after?.[field] || null),
    )
    .filter((field) => !isMarked(changes, auditFieldText({ action: name }, field)));
}

const isMarked = (changes: readonly ApprovalChange[], label: string): boolean =>
  changes.some(({ fields }) =>
    fields.some((field) => field.changed && (field.label === label || field.label.startsWith(`${label} · `))),
  );

/** A request, and what happens to its record before the decision. */
type GoneCase = () => Promise<{ path: string; input: object; gone: ReturnType<typeof sql> }>;

const made = async <T>(path: string, input: object): Promise<T> => {
  const { code, data } = await callAs<T>(server, world.house.admin, path, input);
  expect(code).toBe(200);
  return data;
};
const goneCases: Readonly<Record<string, GoneCase>> = {
  'agent.state': async () => {
    const { id } = await makeOperator(server, world.house.admin.token);
    const gone = sql`update agent set deleted_at = 1, state = 0 where id = ${id}`;
    return { path: 'agent/state', input: { id, type: ABILITY.withdraw, state: 1 }, gone };
  },
  'user.second': async () => {
    const account = await makeUser(server);
    const { id } = await findUser(server, world.house.admin.token, account);
    return {
      path: 'user/second/change',
      input: { id, winType: 1, winRate: '85' },
      gone: sql`update users set deleted_at = 1 where id = ${id}`,
    };
  },
  'withdrawLimit.groupSave': async () => {
    const { id } = await makeGroup(server, world.house.admin.token, false);
    await saveLimitWithChecker(id);
    const gone = sql`update user_group set deleted_at = 1 where id = ${id}`;
    return { path: 'user/group/save', input: { id, name: unique('group'), forAgents: true }, gone };
  },
  'announce.save': async () => {
    const item = { lang: 'zh-CN', title: '公告', content: '<p>x</p>', platform: 0 };
    const [row] = await made<{ id: number }[]>('announce/add', item);
    const input = { id: row?.id, content: '<p><a href="https://away.example/">x</a></p>' };
    return { path: 'announce/save', input, gone: sql`delete from announce where id = ${row?.id}` };
  },
  'addressList.remove': async () => {
    const { id } = await made<{ id: number }>('address_list/add', { list: 1, address: unique('T-'), reason: '欺诈' });
    const gone = sql`delete from address_entry where id = ${id}`;
    return { path: 'address_list/remove', input: { id, reason: '误报' }, gone };
  },
};
const saveLimitWithChecker = async (groupId: number) => {
  const input = await limitInput(server, 'USDT', { groupId }, { singleMax: '900000' });
  const asked = await callAs(server, world.house.admin, 'withdraw/limit/save', input);
  if (asked.code === 202) await callAs(server, world.house.second, 'approval/pass', { id: asked.data.id });
};

test.each(Object.entries(goneCases))('%s says so where its record is gone or moved', async (name, ask) => {
  const { path, input, gone } = await ask();
  const asked = await callAs(server, world.house.admin, path, input);
  expect(asked).toMatchObject({ code: 202, data: { type: name } });
  await server.query(gone);
  const detail = await fetchDetail(asked.data.id);
  expect(detail.problem).toMatch(/[\u4e00-\u9fff]/);
  expect(await callAs(server, world.house.second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 409 });
  expect((await fetchDetail(asked.data.id)).row.state).not.toBe(0);
});
