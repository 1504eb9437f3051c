import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import { ADDRESS_IMPORT } from '@hengtai/contract/risk/address-list/facts';
import type {
  AddressEntries,
  AddressEntry,
  AddressImport,
  AddressImportDetail,
  AddressUpload,
} from '@hengtai/contract/risk/address-list/schema';
import type { ListedAddress } from '@hengtai/contract/risk/screening/schema';
import { sql } from 'kysely';
import type { Ctx } from '../../../app/context.ts';
import { ACCOUNT_RULES, type DestinationInput } from '../../../destination/destination.ts';
import { type Db, prepared } from '../../../database/connect.ts';
import { type EntryDestination, toAccountKeys, toEntryKeys, toListedKeys, toRelatedKeys } from './address-key.rules.ts';
import { entriesOf } from './address-file.store.ts';

// The lists belong to the whole installation: callers run these statements with full scope.

const isActive = (now: number) => sql`e.removed_at is null and coalesce(e.expires_at > ${now}::bigint, true)`;

const entryFields = sql`e.id, e.list, e.network, e.address, e.memo, e.any_memo as "anyMemo",
  e.reason, e.source, e.expires_at as "expiresAt",
  e.by_account as by, e.created_at as "createdAt"`;

interface FoundEntry {
  entry: ListedAddress;
  keys: ReadonlySet<string>;
}

/** The entries with one of the keys. Entries that have no keys yet are read here; a job gives them some within seconds. */
async function fetchFound(db: Db, keys: readonly string[], now: number): Promise<FoundEntry[]> {
  const { rows } = await sql<ListedAddress & EntryDestination & { keys: string[] | null }>`${prepared}
    with met as (select k.entry_id as id, array_agg(k.key) as keys from address_entry_key k
      where k.key = any(${[...keys]}::text[]) group by k.entry_id)
    select e.id, e.list, e.reason, e.source, e.created_at as "createdAt", e.network, e.address, e.memo,
      e.any_memo as "anyMemo", case when e.rules >= ${ACCOUNT_RULES} then coalesce(m.keys, '{}') end as keys
    from address_entry e left join met m using (id) where ${isActive(now)} and e.id in (
      select id from met union all
      select s.id from address_entry s where s.removed_at is null and s.rules < ${ACCOUNT_RULES})
    order by e.id`.execute(db);
  return rows.map((row) => {
    const { id, list, reason, source, createdAt } = row;
    return { entry: { id, list, reason, source, createdAt }, keys: new Set(row.keys ?? toEntryKeys(row).keys) };
  });
}

const entriesWith = (found: readonly FoundEntry[], wanted: readonly string[]): ListedAddress[] =>
  found.filter(({ keys }) => wanted.some((key) => keys.has(key))).map(({ entry }) => entry);

/**
 * The entries that meet a payment now. A blocked account is met by all of its texts on every network, an allowed one on its
 * own network.
 */
export async function fetchListed(db: Db, payee: DestinationInput, now: number): Promise<ListedAddress[]> {
  const keys = toListedKeys(payee);
  return entriesWith(await fetchFound(db, keys, now), keys);
}

/** For each payment, the entries that block other accounts of the same owner now, and not its own. */
export async function fetchRelated(
  db: Db,
  payees: readonly DestinationInput[],
  now: number,
): Promise<ListedAddress[][]> {
  const wanted = payees.map((payee) => ({ listed: toListedKeys(payee), related: toRelatedKeys(payee) }));
  const all = wanted.flatMap(({ listed, related }) => (related.length > 0 ? [...listed, ...related] : []));
  if (all.length === 0) return payees.map(() => []);
  const found = await fetchFound(db, [...new Set(all)], now);
  return wanted.map(({ listed, related }) => {
    const own = new Set(entriesWith(found, listed));
    return entriesWith(found, related).filter((entry) => !own.has(entry));
  });
}

export async function fetchEntries(
  db: Db,
  { list, text = '' }: { list: number; text?: string },
  limit: number,
): Promise<AddressEntries> {
  const condition = sql`e.list = ${list} and e.removed_at is null
    and (strpos(lower(e.address), lower(${text}::text)) > 0 or strpos(e.reason, ${text}::text) > 0 or e.memo = ${text}::text)`;
  const { rows } = await sql<AddressEntry & { total: number }>`
    select ${entryFields}, count(*) over ()::int as total from address_entry e where ${condition}
    order by e.id desc limit ${limit}`.execute(db);
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0 };
}

export async function countEntries(db: Db): Promise<{ list: AddressEntry['list']; count: number }[]> {
  const { rows } = await sql<{ list: AddressEntry['list']; count: number }>`
    select l.list, (select count(*) from address_entry e where e.list = l.list and e.removed_at is null)::int as count
    from unnest('{1,2,3}'::smallint[]) l(list) order by l.list`.execute(db);
  return rows;
}

export async function findEntry(db: Db, id: number): Promise<AddressEntry | undefined> {
  const { rows } = await sql<AddressEntry>`
    select ${entryFields} from address_entry e where e.id = ${id} and e.removed_at is null`.execute(db);
  return rows[0];
}

/** How many withdrawals to the account of an entry were requested since a time. */
export async function countWithdraws(db: Db, entry: Pick<EntryDestination, 'address'>, since: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from withdraw
    where account_key = any(${toAccountKeys(entry)}::text[]) and created_at >= ${since}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Whether a list has the account, with the same memos and on the same network. */
export async function findNetworks(db: Db, list: number, account: string): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    select e.network from address_entry e where e.list = ${list} and e.account = ${account} and e.removed_at is null`.execute(
    db,
  );
  return rows.map(({ network }) => network);
}

/** @param textKey as `toTextKey` returns it */
type NewEntry = Omit<AddressEntry, 'id' | 'createdAt'> & { textKey: string; now: number };

/** Inserts an entry that the caller keys. Returns undefined if the list has its text already. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<number | undefined> {
  const { list, network, address, textKey, memo, anyMemo, reason, source, expiresAt, by, now } = entry;
  const { rows } = await sql<{ id: number }>`
    insert into address_entry (list, network, address, address_key, memo, any_memo, reason, source, expires_at, by_account,
      created_at)
    values (${list}, ${network}, ${address}, ${textKey}, ${memo}, ${anyMemo}, ${reason}, ${source}, ${expiresAt}, ${by},
      ${now})
    on conflict (address_key, list, network) where removed_at is null do nothing returning id`.execute(db);
  return rows[0]?.id;
}

/** Removes an entry, or one that has expired so that it can be added again. False if it was removed already. */
export async function removeEntry(db: Db, id: number, { by, now }: { by: string; now: number }): Promise<boolean> {
  const { rows } = await sql`
    update address_entry set removed_at = ${now}, removed_by = ${by} where id = ${id} and removed_at is null
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Makes room for an address whose entry has expired. */
export async function removeExpired(
  db: Db,
  { list, account, textKey, now }: { list: number; account: string; textKey: string; now: number },
): Promise<void> {
  await sql`
    update address_entry set removed_at = ${now}, removed_by = '' where list = ${list}
      and (account = ${account} or address_key = ${textKey}) and removed_at is null and expires_at <= ${now}`.execute(
    db,
  );
}

const importFields = sql`i.id, i.list, i.state, i.file_name as "fileName", i.source, i.published_at as "publishedAt",
  i.checksum, i.found, jsonb_array_length(i.entries) + i.entry_count as entries, i.as_text as "asText", i.unfinished, i.added, i.removed, i.by_account as by, i.created_at as "createdAt",
  i.applied_at as "appliedAt"`;

/** The last applied file of each list, and the latest files that are not applied. */
export async function fetchImports(db: Db): Promise<AddressImport[]> {
  const { rows } = await sql<AddressImport>`
    select ${importFields} from address_import i
    where i.id in (select max(a.id) from address_import a where a.state = ${ADDRESS_IMPORT.applied} group by a.list)
      or i.id in (select d.id from address_import d where d.state = ${ADDRESS_IMPORT.draft} order by d.id desc limit 10)
    order by i.id desc`.execute(db);
  return rows;
}

/** With the version of the rules that read its files; 0: a file of an older version. */
export async function findImport(db: Db, id: number): Promise<(AddressImport & { rules: number }) | undefined> {
  const { rows } = await sql<AddressImport & { rules: number }>`
    select ${importFields}, ${rulesOf} as rules from address_import i where i.id = ${id}`.execute(db);
  return rows[0];
}

const rulesOf = sql`case when exists (select from address_file f where f.import_id = i.id) then i.rules else 0 end`;

/** A draft without files yet. */
export async function insertImport(
  { db, operator, now }: Pick<Ctx, 'db' | 'operator' | 'now'>,
  { list, fileName, source, publishedAt }: Omit<AddressUpload, 'content'>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into address_import (list, state, file_name, source, published_at, checksum, entries, rules, added, removed,
      by_account, created_at)
    values (${list}, ${ADDRESS_IMPORT.draft}, ${fileName}, ${source}, ${publishedAt}, '', '[]', ${ACCOUNT_RULES}, 0, 0,
      ${operator.account}, ${now}) returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The file was not stored.');
  return row.id;
}

const currentOf = (list: number) =>
  sql`(select e.* from address_entry e where e.list = ${list} and e.removed_at is null)`;

type Difference = Pick<AddressImportDetail, 'added' | 'removed'> & { addedCount: number; removedCount: number };

/** Entries that end by themselves must not keep a file from adding their addresses for good. */
const permanentOf = (list: number) => sql`(select c.* from ${currentOf(list)} c where c.expires_at is null)`;

/** What a file that is not applied would add to its list and remove from it. Only a sanctions list loses addresses. */
export async function findDifference(
  db: Db,
  { id, list }: Pick<AddressImport, 'id' | 'list'>,
  limit: number,
): Promise<Difference> {
  const { rows } = await sql<Difference>`
    with file as ${entriesOf(id)}, current as ${currentOf(list)},
    added as (select f.address from file f where not exists (select from ${permanentOf(list)} p where p.account = f.account) order by f.address),
    removed as (select c.address from current c where ${list}::int = ${ADDRESS_LIST.sanctions}::int
      and not exists (select from file f where f.account = c.account) order by c.address)
    select array(select address from added limit ${limit}) as added, array(select address from removed limit ${limit}) as removed,
      (select count(*) from added)::int as "addedCount", (select count(*) from removed)::int as "removedCount"`.execute(
    db,
  );
  return rows[0] ?? { added: [], removed: [], addedCount: 0, removedCount: 0 };
}

/** What an approval of a file signs: each entry that it removes, and a digest of those that it adds. */
export interface SignedDifference {
  /** Version of the rules that read the file; 0: a file of an older version. */
  rules: number;
  removed: { key: string; address: string; network: string; memo: string; expiresAt: number | null }[];
  addedCount: number;
  addedDigest: string;
}

export async function fetchSignedDifference(
  db: Db,
  { id, list }: Pick<AddressImport, 'id' | 'list'>,
): Promise<SignedDifference> {
  const { rows } = await sql<SignedDifference>`
    with file as ${entriesOf(id)}, current as ${currentOf(list)},
    added as (select f.account, f.network from file f where not exists (select from ${permanentOf(list)} p where p.account = f.account))
    select coalesce((select json_agg(json_build_object('key', c.address_key, 'address', c.address, 'network', c.network,
        'memo', c.memo, 'expiresAt', c.expires_at) order by c.id) from current c where ${list}::int = ${ADDRESS_LIST.sanctions}::int
        and not exists (select from file f where f.account = c.account)), '[]') as removed,
      (select ${rulesOf} from address_import i where i.id = ${id}) as rules, (select count(*) from added)::int as "addedCount",
      (select encode(sha256(convert_to(coalesce(string_agg(a.account || ' ' || a.network, E'\n' order by a.account, a.network), ''),
        'UTF8')), 'hex') from added a) as "addedDigest"`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The difference of a file has no row.');
  return row;
}

/** Changes of a list follow each other. */
export async function lockList(db: Db, list: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('address_list', ${list}))`.execute(db);
}

/**
 * Applies a file that is not applied. The caller has locked the list, and keys the entries that this inserts.
 *
 * @returns false if it was applied already
 */
export async function applyImport(
  db: Db,
  { id, list, source }: Pick<AddressImport, 'id' | 'list' | 'source'>,
  { by, now, added, removed }: { by: string; now: number; added: number; removed: number },
): Promise<boolean> {
  const { rows } = await sql`
    update address_import set state = ${ADDRESS_IMPORT.applied}, added = ${added}, removed = ${removed}, applied_at = ${now}
    where id = ${id} and state = ${ADDRESS_IMPORT.draft} returning 1`.execute(db);
  if (rows.length === 0) return false;
  if (list === ADDRESS_LIST.sanctions)
    await sql`
      update address_entry e set removed_at = ${now}, removed_by = ${by}
      where e.list = ${list} and e.removed_at is null and not exists (select from ${entriesOf(id)} f where f.account = e.account)`.execute(
      db,
    );
  await sql`
    update address_entry e set removed_at = ${now}, removed_by = ${by}
    where e.list = ${list} and e.removed_at is null and e.expires_at is not null
      and (e.account in (select f.account from ${entriesOf(id)} f) or e.address_key in (select f.key from ${entriesOf(id)} f))`.execute(
    db,
  );
  await sql`
    insert into address_entry (list, network, address, address_key, memo, reason, source, by_account, created_at)
    select ${list}::smallint, f.network, f.address, f.key, f.memo, f.reason, ${source}::text, ${by}::text, ${now}::bigint
    from ${entriesOf(id)} f where not exists (select from ${currentOf(list)} c where c.account = f.account) order by f.address
    on conflict (address_key, list, network) where removed_at is null do nothing`.execute(db);
  return true;
}
