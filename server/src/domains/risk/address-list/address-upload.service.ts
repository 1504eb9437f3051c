import { ADDRESS_IMPORT, addressImportStates, addressLists } from '@hengtai/contract/risk/address-list/facts';
import { createHash } from 'node:crypto';
import { ADDRESSES_MAX, addressList as calls } from '@hengtai/contract/risk/address-list/calls';
import type { AddressFileUpload, AddressImportDetail, AddressUpload } from '@hengtai/contract/risk/address-list/schema';
import type { FieldError } from '@hengtai/contract/wire/envelope';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import { defineAction } from '../../../actions/action.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { refuse, refuseField, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import type { FileCall } from '../../../http/handler.ts';
import { type Db, inTransaction, runInScope, withRetries } from '../../../database/connect.ts';
import { type RemarkPart, UnreadableFile } from './address-file-line.rules.ts';
import { type FileBatch, type FileFields, toFileEntry } from './address-file.rules.ts';
import {
  attachFile,
  countDraft,
  fetchFiles,
  fetchAbandonedFiles,
  fetchRemarks,
  findReadFile,
  findRepeatedRemark,
  finishFile,
  insertFile,
  insertFileEntries,
  insertRemarks,
  removeFile,
} from './address-file.store.ts';
import { houseSubject } from '../../../actions/action-audit.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { detailOf } from './address-import.service.ts';
import { keyEntries } from './address-key.store.ts';
import { readFile } from './address-thread.ts';
import { findImport, insertImport, lockList } from './address-list.store.ts';
import { joinRemarks, requireFinished } from './address-sdn.rules.ts';

/** Longer than any upload takes: 200 MB at the least speed that is accepted take 54 hours. */
const ABANDONED_AFTER_MS = 72 * 3_600_000;

/** A file that was read and belongs to no draft yet. It is found by its content, so that a repeated call is the same call. */
type ReadUpload = AddressFileUpload & { checksum: string };

type InTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/**
 * Reads a file in pieces and keeps its entries. Nothing refers to them before the action.
 *
 * @throws Refused 403 without full scope, 422 for a file that is not read as a whole
 */
export async function receiveFile(
  { app, caller }: FileCall,
  upload: AddressUpload | AddressFileUpload,
  body: AsyncIterable<Buffer> | undefined,
): Promise<ReadUpload> {
  requireHouse(caller);
  const { content, ...fields } = { content: '', ...upload };
  const run: InTransaction = (work) =>
    withRetries(async () => runInScope(app.requests, caller.scope, caller.operator.id, work));
  const { list, fileName } = fields;
  const by = caller.operator.account;
  const id = await run(async (db) => insertFile(db, { list, fileName, by, now: app.clock.now() }));
  try {
    const file = await readInto(run, id, fields, body ?? fromContent(content));
    if (!body) requireFinished(file.remarks);
    return { ...fields, checksum: file.checksum };
  } catch (error) {
    await run(async (db) => removeFile(db, id));
    throw error instanceof UnreadableFile ? refuseFile(error) : error;
  }
}

async function* fromContent(content: string): AsyncGenerator<Buffer> {
  yield Buffer.from(content);
}

/** The data names each line that cannot be read, at most 200. */
function refuseFile({ message, unread }: UnreadableFile) {
  const msg = `${labelOf('content')}：${message}`;
  const lines = unread.map(({ line, text }) => ({
    field: `content/${line}`,
    msg: `第 ${line} 行：${text.slice(0, 60)}`,
  }));
  return refuse(refusals.invalid, msg, [{ field: 'content', msg }, ...lines] satisfies FieldError[]);
}

/** Digests what passes. */
function digestOf(bytes: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let size = 0;
  async function* pass(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { passed: pass(), finish: () => ({ checksum: hash.digest('hex'), bytes: size }) };
}

async function readInto(
  run: InTransaction,
  id: number,
  fields: FileFields,
  bytes: AsyncIterable<Buffer>,
): Promise<{ checksum: string; remarks: RemarkPart[] }> {
  const { passed, finish } = digestOf(bytes);
  const remarks: RemarkPart[] = [];
  let format: FileBatch['format'] = 'table';
  let found = 0;
  let entryCount = 0;
  for await (const batch of readFile(passed, fields)) {
    format = batch.format;
    found += batch.found;
    remarks.push(...batch.remarks);
    entryCount += await run(async (db) => insertFileEntries(db, id, batch.entries));
    if (entryCount > ADDRESSES_MAX) throw refuse(refusals.addressesFull);
  }
  const { checksum, bytes: size } = finish();
  await run(async (db) => {
    await insertRemarks(db, id, remarks);
    await finishFile(db, id, { format, checksum, bytes: size, found });
  });
  return { checksum, remarks };
}

const uploadCall: CallSpec = calls.upload;

/** Makes a draft of a file that was read, or adds it to one, and says what it would change. Nothing changes before it is applied. */
export const addressUpload = defineAction<ReadUpload, AddressImportDetail>({
  call: uploadCall,
  authorize: requireHouse,
  execute: async (ctx, upload) => {
    const { db } = ctx;
    const { list, checksum, fileName } = upload;
    await lockList(db, list);
    const fileId = requireFound(await findReadFile(db, { list, checksum, by: ctx.operator.account }));
    await keyEntries(db);
    const id = await draftFor(ctx, upload);
    await attachFile(db, fileId, id);
    await joinFiles(db, id, list);
    const row = requireFound(await findImport(db, id));
    if (row.entries === 0 && row.unfinished === 0) throw refuseField('content', '中没有地址');
    if (row.entries > ADDRESSES_MAX) throw refuse(refusals.addressesFull);
    const { source, publishedAt, entries: rows } = row;
    return {
      data: await detailOf(ctx, row),
      subject: houseSubject('addressImport')(ctx, { id }),
      after: { addressList: addressLists[list], fileName, source, publishedAt, checksum, rows },
    };
  },
});

/** The draft that a file belongs to. @throws Refused 404, 409 if it is applied or old, 422 for another list or source */
async function draftFor(ctx: Ctx, upload: ReadUpload): Promise<number> {
  const { draft, list, source, publishedAt } = upload;
  if (draft === undefined) return insertImport(ctx, upload);
  const row = requireFound(await findImport(ctx.db, draft));
  if (row.state !== ADDRESS_IMPORT.draft)
    throw refuseStateConflict(addressImportStates[1], { state: row.state, by: row.by, at: row.createdAt });
  if (row.rules !== ACCOUNT_RULES) throw refuse(refusals.addressFileOld);
  if (row.list !== list) throw refuseField('list', '与草稿的不同');
  if (row.source !== source) throw refuseField('source', '与草稿的不同');
  if (row.publishedAt !== publishedAt) throw refuseField('publishedAt', '与草稿的不同');
  return draft;
}

/** Joins the remarks that are in two files, and counts what all files of a draft contain. */
async function joinFiles(db: Db, id: number, list: ReadUpload['list']): Promise<void> {
  // Joined with each other, they would make another address.
  const repeated = await findRepeatedRemark(db, id);
  if (repeated !== undefined) throw refuseField('content', `：编号 ${repeated} 的备注在草稿的另一文件中已有`);
  const files = await fetchFiles(db, id);
  const entries = files.find(({ format }) => format === 'sdn');
  const { lines, unfinished } = readRemarks(await fetchRemarks(db, id), entries !== undefined);
  if (entries && lines.length > 0)
    await insertFileEntries(
      db,
      entries.id,
      lines.map((line) => toFileEntry(line, list)),
    );
  const digests = files.map(({ checksum }) => checksum);
  await countDraft(db, id, {
    checksum: digests.length === 1 ? (digests[0] ?? '') : checksumOf(digests.map((digest) => `${digest}\n`).join('')),
    found: files.reduce((sum, { found }) => sum + found, lines.length),
    unfinished,
  });
}

function readRemarks(parts: readonly RemarkPart[], hasEntries: boolean) {
  try {
    return joinRemarks(parts, hasEntries);
  } catch (error) {
    throw error instanceof UnreadableFile ? refuseFile(error) : error;
  }
}

const checksumOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** Removes files whose upload was interrupted or refused. */
export async function removeAbandonedFiles(app: App): Promise<boolean> {
  const abandoned = await inTransaction(app.system, async (db) =>
    fetchAbandonedFiles(db, app.clock.now() - ABANDONED_AFTER_MS),
  );
  for (const id of abandoned) await inTransaction(app.system, async (db) => removeFile(db, id));
  return false;
}
