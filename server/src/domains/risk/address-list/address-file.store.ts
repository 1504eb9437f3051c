import type { AddressImport, AddressImportDetail } from '@hengtai/contract/risk/address-list/schema';
import { sql } from 'kysely';
import { ACCOUNT_RULES } from '../../../destination/destination.ts';
import type { Db } from '../../../database/connect.ts';
import type { RemarkPart } from './address-file-line.rules.ts';
import type { FileEntry } from './address-file.rules.ts';

// Files and what they contain, from their upload until their draft is applied. Callers have full scope.

interface NewFile {
  list: number;
  fileName: string;
  by: string;
  now: number;
}

export async function insertFile(db: Db, { list, fileName, by, now }: NewFile): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into address_file (list, file_name, by_account, rules, created_at)
    values (${list}, ${fileName}, ${by}, ${ACCOUNT_RULES}, ${now}) returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The file was not stored.');
  return row.id;
}

/** Adds entries to a file. The first of an account counts. Returns how many accounts are new. */
export async function insertFileEntries(db: Db, fileId: number, entries: readonly FileEntry[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into address_file_entry (file_id, account, address_key, address, network, memo, reason, as_text)
    select ${fileId}::bigint, e.* from unnest(${entries.map(({ account }) => account)}::text[],
      ${entries.map(({ key }) => key)}::text[], ${entries.map(({ address }) => address)}::text[],
      ${entries.map(({ network }) => network)}::text[], ${entries.map(({ memo }) => memo)}::text[],
      ${entries.map(({ reason }) => reason)}::text[], ${entries.map(({ asText }) => asText)}::boolean[]) e
    on conflict (file_id, account) do nothing`.execute(db);
  return Number(numAffectedRows);
}

export async function insertRemarks(db: Db, fileId: number, parts: readonly RemarkPart[]): Promise<void> {
  await sql`
    insert into address_file_remark (file_id, line, number, is_rest, remarks)
    select ${fileId}::bigint, r.* from unnest(${parts.map(({ line }) => line)}::int[],
      ${parts.map(({ number }) => number)}::text[], ${parts.map(({ isRest }) => isRest)}::boolean[],
      ${parts.map(({ remarks }) => remarks)}::text[]) r`.execute(db);
}

type ReadFile = Pick<AddressImportDetail['files'][number], 'format' | 'checksum' | 'bytes' | 'found'>;

/** Marks a file as read as a whole. */
export async function finishFile(db: Db, id: number, { format, checksum, bytes, found }: ReadFile): Promise<void> {
  await sql`
    update address_file set format = ${format}, checksum = ${checksum}, bytes = ${bytes}, found = ${found}
    where id = ${id}`.execute(db);
}

/** The latest file with this content that the operator has uploaded and that no draft has. */
export async function findReadFile(
  db: Db,
  { list, checksum, by }: { list: number; checksum: string; by: string },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select f.id from address_file f where f.import_id is null and f.list = ${list} and f.checksum = ${checksum}
      and f.by_account = ${by} and f.rules = ${ACCOUNT_RULES} order by f.id desc limit 1 for update`.execute(db);
  return rows[0]?.id;
}

export async function attachFile(db: Db, id: number, importId: number): Promise<void> {
  await sql`update address_file set import_id = ${importId} where id = ${id}`.execute(db);
}

export async function fetchFiles(
  db: Db,
  importId: number,
): Promise<(AddressImportDetail['files'][number] & { id: number })[]> {
  const { rows } = await sql<AddressImportDetail['files'][number] & { id: number }>`
    select f.id, f.file_name as "fileName", f.format, f.checksum, f.bytes, f.found from address_file f
    where f.import_id = ${importId} order by f.id`.execute(db);
  return rows;
}

export async function fetchRemarks(db: Db, importId: number): Promise<RemarkPart[]> {
  const { rows } = await sql<RemarkPart>`
    select r.line, r.number, r.is_rest as "isRest", r.remarks from address_file f
    join address_file_remark r on r.file_id = f.id where f.import_id = ${importId} order by f.id, r.line`.execute(db);
  return rows;
}

/** The number of an entry of the SDN list, the same part of whose remarks is in two files of a draft. */
export async function findRepeatedRemark(db: Db, importId: number): Promise<string | undefined> {
  const { rows } = await sql<{ number: string }>`
    select r.number from address_file f join address_file_remark r on r.file_id = f.id where f.import_id = ${importId}
    group by r.number, r.is_rest having count(distinct f.id) > 1 order by r.number limit 1`.execute(db);
  return rows[0]?.number;
}

/** The entries of a draft, one for each account: those of the first file that has it. */
export const entriesOf = (importId: number) => sql`(select distinct on (e.account) e.account, e.address_key as key,
    e.address, e.network, e.memo, e.reason, e.as_text from address_file f join address_file_entry e on e.file_id = f.id
  where f.import_id = ${importId} order by e.account, f.id)`;

/** Counts what the files of a draft contain. */
export async function countDraft(
  db: Db,
  id: number,
  { checksum, found, unfinished }: Pick<AddressImport, 'checksum' | 'found' | 'unfinished'>,
): Promise<void> {
  await sql`
    update address_import i set checksum = ${checksum}, found = ${found}, unfinished = ${unfinished},
      entry_count = n.entries, as_text = n.texts
    from (select count(*)::int as entries, count(*) filter (where e.as_text)::int as texts from ${entriesOf(id)} e) n
    where i.id = ${id}`.execute(db);
}

/** Removes what the files of an applied draft contain. */
export async function removeContents(db: Db, importId: number): Promise<void> {
  const files = sql`(select f.id from address_file f where f.import_id = ${importId})`;
  await sql`delete from address_file_entry where file_id in ${files}`.execute(db);
  await sql`delete from address_file_remark where file_id in ${files}`.execute(db);
}

/** Removes a file that no draft has. */
export async function removeFile(db: Db, id: number): Promise<void> {
  const { rows } = await sql`
    delete from address_file where id = ${id} and import_id is null returning 1`.execute(db);
  if (rows.length === 0) return;
  await sql`delete from address_file_entry where file_id = ${id}`.execute(db);
  await sql`delete from address_file_remark where file_id = ${id}`.execute(db);
}

/** Files whose upload was interrupted, or whose call was refused. @param before unix milliseconds */
export async function fetchAbandonedFiles(db: Db, before: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select f.id from address_file f where f.import_id is null and f.created_at < ${before} order by f.id`.execute(db);
  return rows.map(({ id }) => id);
}
