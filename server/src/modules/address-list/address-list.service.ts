import {
  ADDRESSES_MAX,
  ADDRESS_IMPORT,
  ADDRESS_LIST,
  addressList as calls,
  loosensList,
} from '@hengtai/contract/address-list';
import { addressImportStates, addressLists } from '@hengtai/contract/address-list.facts';
import type {
  AddressAdd,
  AddressApply,
  AddressEntries,
  AddressEntriesInput,
  AddressEntry,
  AddressImport,
  AddressImportDetail,
  AddressOverview,
  AddressUpload,
} from '@hengtai/contract/address-list.schema';
import { refusals } from '@hengtai/contract/refusals';
import type { IdInput, ReasonInput } from '@hengtai/contract/schema';
import { type Subject, reasonOf } from '../../actions/action-audit.ts';
import { defineAction } from '../../actions/action.ts';
import { saveOfLines } from '../../actions/save.ts';
import { codeItem, textItem } from '../../actions/preview.ts';
import type { Ctx } from '../../core/context.ts';
import { refuse, refuseField, refuseStateConflict, requireFound } from '../../core/refuse.ts';
import { type SignedEntry, type SignedFile, addressLine, loosensLists } from './address-lines.rules.ts';
import { type FileEntry, addressKey, checksumOf, parseAddressFile } from './address-file.rules.ts';
import {
  type SignedDifference,
  applyImport,
  countEntries,
  fetchEntries,
  fetchImports,
  fetchSignedDifference,
  findDifference,
  findEntry,
  findImport,
  insertEntry,
  insertImport,
  lockList,
  removeEntry,
  removeExpired,
} from './address-list.store.ts';

const SHOWN_ENTRIES = 200;
const SHOWN_ADDRESSES = 50;

/** @throws Refused 403 without full scope: lists are about withdrawals of every tree */
function requireHouse({ scope }: Pick<Ctx, 'scope'>): void {
  if (scope.kind !== 'all') throw refuse(refusals.forbidden);
}

/** Lists belong to no agent, so their approvals belong to the tree of their maker. */
const subjectOf = (
  { operator }: Pick<Ctx, 'operator'>,
  type: 'addressList' | 'addressImport',
  id: number,
): Subject => ({
  type,
  id,
  agentId: operator.id,
});

export async function listAddresses(ctx: Ctx): Promise<AddressOverview> {
  requireHouse(ctx);
  const imports = await fetchImports(ctx.db);
  const isLast = (list: number) => (one: AddressImport) => one.list === list && one.state === ADDRESS_IMPORT.applied;
  const lists = (await countEntries(ctx.db)).map((row) => ({ ...row, last: imports.find(isLast(row.list)) ?? null }));
  const drafts = imports.filter(({ state }) => state === ADDRESS_IMPORT.draft);
  return { lists, drafts: await Promise.all(drafts.map(async (draft) => withDifference(ctx, draft))) };
}

export async function listEntries(ctx: Ctx, input: AddressEntriesInput): Promise<AddressEntries> {
  requireHouse(ctx);
  return fetchEntries(ctx.db, input, SHOWN_ENTRIES);
}

export async function readImport(ctx: Ctx, { id }: IdInput): Promise<AddressImportDetail> {
  requireHouse(ctx);
  return detailOf(ctx, requireFound(await findImport(ctx.db, id)));
}

/** What a file would change is counted until it is applied. */
async function withDifference({ db }: Pick<Ctx, 'db'>, row: AddressImport): Promise<AddressImport> {
  if (row.state !== ADDRESS_IMPORT.draft) return row;
  const { addedCount, removedCount } = await findDifference(db, row, 0);
  return { ...row, added: addedCount, removed: removedCount };
}

async function detailOf({ db }: Pick<Ctx, 'db'>, row: AddressImport): Promise<AddressImportDetail> {
  if (row.state !== ADDRESS_IMPORT.draft) return { row, added: [], removed: [] };
  const { added, removed, addedCount, removedCount } = await findDifference(db, row, SHOWN_ADDRESSES);
  return { row: { ...row, added: addedCount, removed: removedCount }, added, removed };
}

interface FileTarget {
  row: AddressImport;
  difference: SignedDifference;
}

/** Adds one address to a list of the house. Allowed ones expire. */
export const addressAdd = defineAction<AddressAdd, AddressEntry, { list: AddressAdd['list'] }>({
  call: calls.add,
  authorize: requireHouse,
  validate: ({ list, expiresAt }) => {
    if (list === ADDRESS_LIST.allowed && expiresAt === undefined) throw refuseField('expiresAt', '不能为空');
  },
  load: async (_ctx, { list }) => ({ list }),
  save: saveOfLines<AddressAdd, { list: AddressAdd['list'] }, SignedEntry>({
    change: (_ctx, _target, { list, network = '', address, expiresAt = null }) => ({
      before: {},
      after: {
        [addressLine(list, network, addressKey(address.trim()))]: { list, address: address.trim(), network, expiresAt },
      },
    }),
    loosens: loosensLists,
  }),
  guard: {
    subject: (_target, ctx) => subjectOf(ctx, 'addressList', 0),
    preview: async (_ctx, { list, address, network = '' }) => ({
      input: [textItem('名单', addressLists[list]), codeItem('地址', address), textItem('网络', network || '全部')],
      now: [],
      legs: [],
      problem: null,
    }),
  },
  execute: async (ctx, input, _target, approved) => {
    const { db, now, operator } = ctx;
    const { list, network = '', expiresAt = null } = input;
    if (expiresAt !== null && expiresAt <= now) throw refuseField('expiresAt', '必须晚于现在');
    await lockList(db, list);
    const counted = (await countEntries(db)).find((one) => one.list === list);
    if ((counted?.count ?? 0) >= ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const address = input.address.trim();
    const key = addressKey(address);
    await removeExpired(db, list, key, now);
    const by = approved?.maker ?? operator.account;
    const id = await insertEntry(db, {
      list,
      network,
      address,
      key,
      expiresAt,
      by,
      now,
      reason: reasonOf(input),
      source: '',
    });
    if (id === undefined) throw refuse(refusals.addressListed);
    const data = requireFound(await findEntry(db, id));
    return {
      data,
      subject: subjectOf(ctx, 'addressList', id),
      after: { addressList: addressLists[list], address, network },
    };
  },
});

export const addressRemove = defineAction<ReasonInput, AddressEntry, AddressEntry>({
  call: calls.remove,
  authorize: requireHouse,
  load: ({ db }, { id }) => findEntry(db, id),
  save: saveOfLines<ReasonInput, AddressEntry, SignedEntry>({
    change: (_ctx, { list, network, address, expiresAt }) => {
      const line = addressLine(list, network, addressKey(address));
      return { before: { [line]: { list, address, network, expiresAt } }, after: { [line]: null } };
    },
    loosens: loosensLists,
  }),
  guard: {
    subject: ({ id }, ctx) => subjectOf(ctx, 'addressList', id),
    preview: async ({ db }, { id }) => {
      const entry = requireFound(await findEntry(db, id));
      const now = [textItem('名单', addressLists[entry.list]), codeItem('地址', entry.address)];
      return { input: [textItem('改为', '移出名单')], now, legs: [], problem: null };
    },
  },
  execute: async (ctx, { id }, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    if (!(await removeEntry(ctx.db, id, { by, now: ctx.now }))) throw refuse(refusals.stateConflict);
    const { list, address, network } = target;
    const before = { addressList: addressLists[list], address, network };
    return { data: target, subject: subjectOf(ctx, 'addressList', id), before };
  },
});

const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Stores a file and says what it would change. Nothing changes before it is applied. */
export const addressUpload = defineAction<AddressUpload, AddressImportDetail>({
  call: calls.upload,
  authorize: requireHouse,
  execute: async (ctx, input) => {
    const entries = parseOr422(input.content);
    if (entries.length === 0) throw refuseField('content', '中没有地址');
    if (entries.length > ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const checksum = checksumOf(input.content);
    const id = await insertImport(ctx, input, { checksum, entries });
    const data = await detailOf(ctx, requireFound(await findImport(ctx.db, id)));
    const { list, fileName, source, publishedAt } = input;
    return {
      data,
      subject: subjectOf(ctx, 'addressImport', id),
      after: { addressList: addressLists[list], fileName, source, publishedAt, checksum, rows: entries.length },
    };
  },
});

function parseOr422(content: string): FileEntry[] {
  try {
    return parseAddressFile(content);
  } catch (error) {
    throw refuseField('content', `：${error instanceof Error ? error.message : ''}`);
  }
}

/** Applies a file as its operator saw it. */
export const addressApply = defineAction<AddressApply, AddressImport, FileTarget>({
  call: calls.apply,
  authorize: requireHouse,
  load: async ({ db }, { id }, { reading }) => {
    const row = await findImport(db, id);
    // What is judged is what will be done: no other change of the list comes between.
    if (row && !reading) await lockList(db, row.list);
    return row && { row, difference: await fetchSignedDifference(db, row) };
  },
  check: (_ctx, { row: { state, by, createdAt } }) => {
    if (state !== ADDRESS_IMPORT.draft) throw refuseStateConflict(addressImportStates[1], { state, by, at: createdAt });
  },
  // Entries that the file adds are signed by their digest. Only what it removes can collide with another request.
  save: saveOfLines<AddressApply, FileTarget, SignedEntry | SignedFile>({
    change: (_ctx, { row, difference }) => ({
      before: Object.fromEntries(
        difference.removed.map(({ key, ...entry }) => [
          addressLine(row.list, entry.network, key),
          { list: row.list, ...entry },
        ]),
      ),
      after: {
        [`addressImport:${row.id}`]: {
          checksum: row.checksum,
          added: difference.addedCount,
          digest: difference.addedDigest,
        },
      },
    }),
    loosens: (_before, _after, { row, difference }) =>
      loosensList(row.list, { added: difference.addedCount, removed: difference.removed.length }),
    renew: (input, { difference }) => ({
      ...input,
      added: difference.addedCount,
      removed: difference.removed.length,
    }),
  }),
  guard: {
    subject: ({ row }, ctx) => subjectOf(ctx, 'addressImport', row.id),
    preview: async (ctx, { id }) => {
      const { row, ...difference } = await detailOf(ctx, requireFound(await findImport(ctx.db, id)));
      return {
        input: [
          textItem('名单', addressLists[row.list]),
          textItem('来源', `${row.source}（${dateText(row.publishedAt)}）`),
          codeItem('文件摘要', row.checksum),
          textItem('增加', `${row.added} 个`),
          textItem('移除', `${row.removed} 个`),
          ...difference.removed.slice(0, 10).map((address) => codeItem('移除', address)),
        ],
        now: [],
        legs: [],
        problem: null,
      };
    },
  },
  execute: async (ctx, { id, added, removed }, { row: target }, approved) => {
    const { db, now } = ctx;
    const { addedCount, removedCount } = await findDifference(db, target, 0);
    if (addedCount !== added || removedCount !== removed) throw refuse(refusals.stateConflict);
    const by = approved?.maker ?? ctx.operator.account;
    if (!(await applyImport(db, target, { by, now, added, removed }))) throw refuse(refusals.stateConflict);
    const data = requireFound(await findImport(db, id));
    const { source, checksum } = target;
    const after = { addressList: addressLists[target.list], source, checksum, added, removed };
    return { data, subject: subjectOf(ctx, 'addressImport', id), after };
  },
});
