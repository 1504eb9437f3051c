import { ADDRESS_IMPORT, addressImportStates, addressLists } from '@hengtai/contract/risk/address-list/facts';
import { houseSubject } from '../../../actions/action-audit.ts';
import { addressList as calls, loosensList } from '@hengtai/contract/risk/address-list/calls';
import type {
  AddressApply,
  AddressImport,
  AddressImportDetail,
  AddressOverview,
} from '@hengtai/contract/risk/address-list/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { defineAction } from '../../../actions/action.ts';
import { saveOfLines } from '../../../actions/save.ts';
import { codeItem, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import { fetchFiles, removeContents } from './address-file.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { keyEntries } from './address-key.store.ts';
import {
  type SignedEntry,
  type SignedFile,
  addressLine,
  entryNames,
  entryTexts,
  toSignedEntry,
} from './address-lines.rules.ts';
import {
  type SignedDifference,
  applyImport,
  countEntries,
  fetchImports,
  fetchSignedDifference,
  findDifference,
  findImport,
  lockList,
} from './address-list.store.ts';

/** Lists belong to no agent, so their approvals belong to the tree of their maker. */
const subjectOf = houseSubject('addressImport');

const SHOWN_ADDRESSES = 50;

export async function listAddresses(ctx: Ctx): Promise<AddressOverview> {
  requireHouse(ctx);
  const imports = await fetchImports(ctx.db);
  const isLast = (list: number) => (one: AddressImport) => one.list === list && one.state === ADDRESS_IMPORT.applied;
  const lists = (await countEntries(ctx.db)).map((row) => ({ ...row, last: imports.find(isLast(row.list)) ?? null }));
  const drafts = imports.filter(({ state }) => state === ADDRESS_IMPORT.draft);
  return { lists, drafts: await Promise.all(drafts.map(async (draft) => withDifference(ctx, draft))) };
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

export async function detailOf({ db }: Pick<Ctx, 'db'>, row: AddressImport): Promise<AddressImportDetail> {
  const files = (await fetchFiles(db, row.id)).map(({ id: _id, ...file }) => file);
  const count = (await countEntries(db)).find(({ list }) => list === row.list)?.count ?? 0;
  if (row.state !== ADDRESS_IMPORT.draft) return { row, files, count, added: [], removed: [] };
  const { added, removed, addedCount, removedCount } = await findDifference(db, row, SHOWN_ADDRESSES);
  return { row: { ...row, added: addedCount, removed: removedCount }, files, count, added, removed };
}

interface FileTarget {
  row: AddressImport;
  difference: SignedDifference;
}

const dateText = (at: number): string => new Date(at).toISOString().slice(0, 10);

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
  check: (_ctx, { row: { state, by, createdAt, unfinished }, difference }) => {
    if (state !== ADDRESS_IMPORT.draft) throw refuseStateConflict(addressImportStates[1], { state, by, at: createdAt });
    if (difference.rules !== ACCOUNT_RULES) throw refuse(refusals.addressFileOld);
    if (unfinished > 0) throw refuse(refusals.addressFileUnfinished);
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
    words: (_ctx, { row, difference }) => ({
      names: {
        ...entryNames,
        [`addressImport:${row.id}`]: `文件 ${row.fileName}`,
        ...Object.fromEntries(
          difference.removed.map((entry) => [
            addressLine(row.list, entry.network, entry.key),
            `${addressLists[row.list]} ${entry.address}`,
          ]),
        ),
      },
      texts: entryTexts,
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
    subject: ({ row }, ctx) => subjectOf(ctx, row),
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
    await removeContents(db, id);
    await keyEntries(db);
    const data = requireFound(await findImport(db, id));
    const { source, checksum } = target;
    const after = { addressList: addressLists[target.list], source, checksum, added, removed };
    return { data, subject: subjectOf(ctx, { id }), after };
  },
});
