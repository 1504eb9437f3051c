import type { ApprovalChange, ApprovalDetail } from '@hengtai/contract/desk/approval/schema';
import { auditFieldText } from '@hengtai/contract/house/audit/words';
import { nouns } from '@hengtai/contract/index';
import * as schemasByNoun from '@hengtai/contract/nouns.schema';
import { canonical } from '@hengtai/contract/values/money';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { TSchema } from '@sinclair/typebox';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApprovalWorld, approvalCases, makeRecords } from '../../../../test/approval-cases.ts';
import { callAs, lockFourEyes, makeApprovers, refreshAllOtp } from '../../../../test/four-eyes.ts';
import { fetchAuditRows } from '../../../../test/inspect.ts';
import { setScreening } from '../../../../test/screening.ts';
import { call, provideServer } from '../../../../test/server.ts';
import { approvableActions } from '../../../modules.ts';

/** Whoever approves sees every field of the input and every field that changes, and no secret. */

const server = provideServer({ jobs: false });
let world: ApprovalWorld;
let lockDetail: ApprovalDetail;

beforeAll(async () => {
  const house = await makeApprovers(server);
  const made = await makeRecords(server, house);
  world = { server, house, made };
  const { exceptions } = await approvalCases['approval.lock']!.input(world);
  const asked = await callAs(server, house.admin, 'approval/lock', { exceptions });
  lockDetail = await fetchDetail(asked.data.id);
  await callAs(server, house.second, 'approval/reject', { id: asked.data.id, reason: '稍后' });
  await lockFourEyes(server, house);
  await server.query(sql`update config set state = 1 where key like 'policy.%'`);
});
afterEach(() => setScreening(server, { address: 0, name: 0 }));

async function fetchDetail(id: number): Promise<ApprovalDetail> {
  await refreshAllOtp(server);
  const { token } = world.house.second;
  const { code, data } = await call<ApprovalDetail>(server, 'GET', 'approval/detail', { id }, { token });
  expect(code).toBe(200);
  return data;
}

/** Requests an action, and returns what its checker sees. */
async function request(name: string): Promise<{ input: Record<string, unknown>; detail: ApprovalDetail }> {
  const { path, input: toInput } = approvalCases[name]!;
  const input = await toInput(world);
  if (name === 'approval.lock') return { input, detail: lockDetail };
  const asked = await callAs(server, world.house.admin, path, input);
  expect(asked).toMatchObject({ code: 202 });
  return { input, detail: await fetchDetail(asked.data.id) };
}

/** What says which version was read, and why; a secret must not be there at all. */
const NOT_SHOWN = ['reason', 'seen', 'version'];
const SECRETS = ['password'];

const schemaOf = (path: string): TSchema & { properties: Record<string, TSchema> } => {
  const found = Object.entries(nouns).flatMap(([noun, calls]) =>
    Object.entries<CallSpec & { path?: string }>(calls)
      .filter(([, spec]) => spec.path === path)
      .map(([name]) => (schemasByNoun as unknown as Record<string, Record<string, { input?: TSchema }>>)[noun]?.[name]?.input),
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
    if (!approvableActions.get(name)?.judgeSave) return;
    expect(await findUnseen(name, detail, audited)).toEqual([]);
    // Afterwards it shows what was signed, without a comparison.
    const { changes = [] } = await fetchDetail(detail.row.id);
    expect(changes.flatMap(({ fields }) => fields).every(({ before, changed }) => before === null && !changed)).toBe(
      true,
    );
  });
});

/** Passes the request. Returns what its audit row says to have changed and the checker was not shown as such. */
async function findUnseen(name: string, { row, changes = [] }: ApprovalDetail, others: readonly string[]) {
  const passed = await callAs(server, world.house.second, 'approval/pass', { id: row.id });
  expect(passed).toMatchObject({ code: 200, data: { state: 1 } });
  const rows = await fetchAuditRows(server, { targetType: row.targetType, targetId: row.targetId });
  const done = rows.find(({ action, approvalId, result }) => action === name && approvalId === row.id && result === 200);
  const [before, after] = [done?.before, done?.after].map((record) => (record ?? {}) as Record<string, unknown>);
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((field) => !others.includes(field) && stableJson(before?.[field] || null) !== stableJson(after?.[field] || null))
    .filter((field) => !isMarked(changes, auditFieldText({ action: name }, field)));
}

const isMarked = (changes: readonly ApprovalChange[], label: string): boolean =>
  changes.some(({ fields }) =>
    fields.some((field) => field.changed && (field.label === label || field.label.startsWith(`${label} · `))),
  );
