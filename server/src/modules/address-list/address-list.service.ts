import {
  ADDRESSES_MAX,
  ADDRESS_IMPORT,
  ADDRESS_LIST,
  addressList as calls,
  loosensList,
} from '@hengtai/contract/address-list';
import { entryMemoText } from '@hengtai/contract/address-memo';
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
import { networkKey } from '@hengtai/contract/network';
import type { IdInput, ReasonInput } from '@hengtai/contract/schema';
import { type Subject, reasonOf } from '../../actions/action-audit.ts';
import { defineAction } from '../../actions/action.ts';
import { saveOfLines } from '../../actions/save.ts';
import { codeItem, textItem } from '../../actions/preview.ts';
import type { Ctx } from '../../core/context.ts';
import { refuse, refuseField, refuseStateConflict, requireFound } from '../../core/refuse.ts';
import { ACCOUNT_RULES } from '../../destination/destination.ts';
import { findRefusedCharacter, trimBlanks } from '../../destination/text.ts';
import { type AddressFile, checksumOf, parseAddressFile } from './address-file.rules.ts';
import { type EntryDestination, contradictsMemo, toEntryKeys, toTextKey } from './address-key.rules.ts';
import { keyEntries } from './address-key.store.ts';
import { UnreadableFile } from './address-file-line.rules.ts';
import { type SignedEntry, type SignedFile, addressLine, loosensLists, toSignedEntry } from './address-lines.rules.ts';
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
  findNetworks,
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

/** An entry as it will be stored. */
const toDestination = ({ list, network = '', address, memo = '', anyMemo = false }: AddressAdd): EntryDestination => ({
  list,
  network: trimBlanks(network),
  address: trimBlanks(address),
  memo: trimBlanks(memo),
  anyMemo,
});

/** @throws Refused 422 for what no payment can meet, and for memos that contradict each other */
function requireDestination({ list, network, address, memo, anyMemo }: EntryDestination): void {
  for (const [field, text] of Object.entries({ address, memo } as const)) {
    const found = text === '' ? undefined : findRefusedCharacter(text, field === 'memo' ? 'memo' : 'address');
    if (found !== undefined) throw refuseField(field, `含有不允许的字符：${found}`);
  }
  if (address === '') throw refuseField('address', '不能为空');
  if (anyMemo && (list !== ADDRESS_LIST.allowed || memo !== ''))
    throw refuseField('anyMemo', '只用于没有备注的白名单地址');
  if (memo !== '' && contradictsMemo(network, address, memo)) throw refuseField('memo', '与地址自带的备注不一致');
}

const memoItems = (entry: EntryDestination) => {
  const text = entryMemoText(entry);
  return text === '' ? [] : [textItem('备注', text)];
};

const auditOf = ({ list, address, network, memo, anyMemo }: EntryDestination) => ({
  addressList: addressLists[list],
  address,
  network,
  memo,
  ...(anyMemo && { anyMemo }),
});

/** Adds one address to a list of the house. Allowed ones expire. */
export const addressAdd = defineAction<AddressAdd, AddressEntry, { list: AddressAdd['list'] }>({
  call: calls.add,
  authorize: requireHouse,
  validate: (input) => {
    requireDestination(toDestination(input));
    if (input.list === ADDRESS_LIST.allowed && input.expiresAt === undefined)
      throw refuseField('expiresAt', '不能为空');
  },
  load: async (_ctx, { list }) => ({ list }),
  save: saveOfLines<AddressAdd, { list: AddressAdd['list'] }, SignedEntry>({
    change: (_ctx, _target, input) => {
      const entry = toDestination(input);
      const line = addressLine(entry.list, entry.network, toTextKey(entry.address, entry.memo));
      return { before: {}, after: { [line]: toSignedEntry({ ...entry, expiresAt: input.expiresAt ?? null }) } };
    },
    loosens: loosensLists,
  }),
  guard: {
    subject: (_target, ctx) => subjectOf(ctx, 'addressList', 0),
    preview: async (_ctx, input) => {
      const entry = toDestination(input);
      const { list, address, network } = entry;
      return {
        input: [
          textItem('名单', addressLists[list]),
          codeItem('地址', address),
          ...memoItems(entry),
          textItem('网络', network || '全部'),
        ],
        now: [],
        legs: [],
        problem: null,
      };
    },
  },
  execute: async (ctx, input, _target, approved) => {
    const { db, now, operator } = ctx;
    const { expiresAt = null } = input;
    if (expiresAt !== null && expiresAt <= now) throw refuseField('expiresAt', '必须晚于现在');
    const entry = toDestination(input);
    const { list, network, address, memo } = entry;
    await lockList(db, list);
    await keyEntries(db);
    const counted = (await countEntries(db)).find((one) => one.list === list);
    if ((counted?.count ?? 0) >= ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const { account } = toEntryKeys(entry);
    const textKey = toTextKey(address, memo);
    await removeExpired(db, { list, account, textKey, now });
    const networks = await findNetworks(db, list, account);
    if (networks.some((one) => networkKey(one) === networkKey(network))) throw refuse(refusals.addressListed);
    const by = approved?.maker ?? operator.account;
    const id = await insertEntry(db, { ...entry, textKey, expiresAt, by, now, reason: reasonOf(input), source: '' });
    if (id === undefined) throw refuse(refusals.addressListed);
    await keyEntries(db);
    const data = requireFound(await findEntry(db, id));
    return { data, subject: subjectOf(ctx, 'addressList', id), after: auditOf(entry) };
  },
});

export const addressRemove = defineAction<ReasonInput, AddressEntry, AddressEntry>({
  call: calls.remove,
  authorize: requireHouse,
  load: ({ db }, { id }) => findEntry(db, id),
  save: saveOfLines<ReasonInput, AddressEntry, SignedEntry>({
    change: (_ctx, entry) => {
      const line = addressLine(entry.list, entry.network, toTextKey(entry.address, entry.memo));
      return { before: { [line]: toSignedEntry(entry) }, after: { [line]: null } };
    },
    loosens: loosensLists,
  }),
  guard: {
    subject: ({ id }, ctx) => subjectOf(ctx, 'addressList', id),
    preview: async ({ db }, { id }) => {
      const entry = requireFound(await findEntry(db, id));
      const now = [textItem('名单', addressLists[entry.list]), codeItem('地址', entry.address), ...memoItems(entry)];
      return { input: [textItem('改为', '移出名单')], now, legs: [], problem: null };
    },
  },
  execute: async (ctx, { id }, target, approved) => {
    const by = approved?.maker ?? ctx.operator.account;
    if (!(await removeEntry(ctx.db, id, { by, now: ctx.now }))) throw refuse(refusals.stateConflict);
    return { data: target, subject: subjectOf(ctx, 'addressList', id), before: auditOf(target) };
  },
});

const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Stores a file and says what it would change. Nothing changes before it is applied. */
export const addressUpload = defineAction<AddressUpload, AddressImportDetail>({
  call: calls.upload,
  authorize: requireHouse,
  execute: async (ctx, input) => {
    const file = await parseOr422(input.content, input.list);
    if (file.entries.length === 0) throw refuseField('content', '中没有地址');
    if (file.entries.length > ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const checksum = checksumOf(input.content);
    await keyEntries(ctx.db);
    const id = await insertImport(ctx, input, { checksum, file });
    const data = await detailOf(ctx, requireFound(await findImport(ctx.db, id)));
    const { list, fileName, source, publishedAt } = input;
    return {
      data,
      subject: subjectOf(ctx, 'addressImport', id),
      after: { addressList: addressLists[list], fileName, source, publishedAt, checksum, rows: file.entries.length },
    };
  },
});

async function parseOr422(content: string, list: AddressUpload['list']): Promise<AddressFile> {
  try {
    return await parseAddressFile(content, list);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw refuseField('content', `：${error.message}`);
  }
}

/** Applies a file as its operator saw it. */
export const addressApply = defineAction<AddressApply, AddressImport, FileTarget>({
  call: calls.apply,
  authorize: requireHouse,
  load: async ({ db }, { id }, { reading }) => {
    const row = await findImport(db, id);
    // What is judged is what will be done: no other change of the list comes between.
    if (row && !reading) {
      await lockList(db, row.list);
      await keyEntries(db);
    }
    return row && { row, difference: await fetchSignedDifference(db, row) };
  },
  check: (_ctx, { row: { state, by, createdAt }, difference }) => {
    if (state !== ADDRESS_IMPORT.draft) throw refuseStateConflict(addressImportStates[1], { state, by, at: createdAt });
    if (difference.rules !== ACCOUNT_RULES) throw refuse(refusals.addressFileOld);
  },
  // Entries that the file adds are signed by their digest. Only what it removes can collide with another request.
  save: saveOfLines<AddressApply, FileTarget, SignedEntry | SignedFile>({
    change: (_ctx, { row, difference }) => ({
      before: Object.fromEntries(
        difference.removed.map(({ key, ...entry }) => [
          addressLine(row.list, entry.network, key),
          toSignedEntry({ list: row.list, ...entry }),
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
          textItem('文件中的地址', `找到 ${row.found} 处，识别 ${row.entries} 个，按原文保存 ${row.asText} 个`),
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
    await keyEntries(db);
    const data = requireFound(await findImport(db, id));
    const { source, checksum } = target;
    const after = { addressList: addressLists[target.list], source, checksum, added, removed };
    return { data, subject: subjectOf(ctx, 'addressImport', id), after };
  },
});
