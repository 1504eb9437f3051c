import { type Static, Type } from '@sinclair/typebox';
import { Memo } from '../../gateway/fields.schema.ts';
import { ADDRESS_FILE_BYTES_MAX } from '../../wire/input-values.ts';
import {
  EmptyInput,
  Id,
  IdInput,
  Int,
  Ms,
  Name,
  Nullable,
  OpaqueText,
  Reason,
  ReasonInput,
  RequiredReason,
  Strict,
  Text,
} from '../../wire/schema.ts';

const List = Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
  description: '1 blocked, 2 allowed, 3 sanctions',
});
/** Lists that operators add to one by one. */
const OwnList = Type.Union([Type.Literal(1), Type.Literal(2)], { description: '1 blocked, 2 allowed' });
/** Lists that files change. */
const FileList = Type.Union([Type.Literal(1), Type.Literal(3)], {
  description: '1 blocked: the file is added; 3 sanctions: the file replaces the list',
});
const Network = Type.String({ maxLength: 32, description: 'empty: every network' });
const AnyMemo = Type.Boolean({ description: 'of an allowed address: with every memo' });

const Entry = Type.Object({
  id: Id,
  list: List,
  network: Type.String(),
  address: Type.String(),
  memo: Type.String({ description: 'empty: blocked with every memo, allowed with none' }),
  anyMemo: AnyMemo,
  reason: Type.String(),
  source: Type.String({ description: 'empty: added by an operator' }),
  expiresAt: Nullable(Ms),
  by: Type.String(),
  createdAt: Ms,
});
export type AddressEntry = Static<typeof Entry>;

const Import = Type.Object({
  id: Id,
  list: List,
  state: Int,
  fileName: Type.String(),
  source: Type.String(),
  publishedAt: Ms,
  checksum: Type.String({ description: 'SHA-256 of the file, hexadecimal; of several: of their digests, one a line' }),
  found: Type.Integer({ description: 'mentions of addresses in the file; 0 of a file of an older version' }),
  entries: Type.Integer({ description: 'different addresses in the file' }),
  asText: Type.Integer({ description: 'entries that are compared by their text: no chain of theirs writes so' }),
  unfinished: Type.Integer({
    description: 'remarks of the SDN list whose other part is not among the files; above 0 the draft cannot be applied',
  }),
  added: Int,
  removed: Int,
  by: Type.String(),
  createdAt: Ms,
  appliedAt: Nullable(Ms),
});
export type AddressImport = Static<typeof Import>;

const Overview = Type.Object({
  lists: Type.Array(Type.Object({ list: List, count: Int, last: Nullable(Import) })),
  drafts: Type.Array(Import, { description: 'files that are not applied, latest first, at most ten' }),
});
export type AddressOverview = Static<typeof Overview>;

const EntriesInput = Strict({ list: List, text: Type.Optional(Text(256)) });
export type AddressEntriesInput = Static<typeof EntriesInput>;
const Entries = Type.Object({ list: Type.Array(Entry, { description: 'latest first, at most 200' }), total: Int });
export type AddressEntries = Static<typeof Entries>;

/** What a file is, as its content says. */
const FileFormat = Type.Union([
  Type.Literal('table'),
  Type.Literal('xlsx'),
  Type.Literal('json'),
  Type.Literal('sdn'),
  Type.Literal('sdn_comments'),
  Type.Literal('sdn_xml'),
  Type.Literal('uk'),
  Type.Literal('opensanctions'),
]);
export type AddressFileFormat = Static<typeof FileFormat>;

const ImportedFile = Type.Object({
  fileName: Type.String(),
  format: FileFormat,
  checksum: Type.String({ description: 'SHA-256, hexadecimal' }),
  bytes: Int,
  found: Type.Integer({ description: 'mentions of addresses' }),
});

const ImportDetail = Type.Object({
  row: Import,
  files: Type.Array(ImportedFile, { description: 'in the order of their uploads' }),
  count: Type.Integer({ description: 'addresses that the list has now' }),
  added: Type.Array(Type.String(), { description: 'at most 50' }),
  removed: Type.Array(Type.String(), { description: 'at most 50' }),
});
export type AddressImportDetail = Static<typeof ImportDetail>;

const Add = Strict({
  list: OwnList,
  address: OpaqueText,
  network: Type.Optional(Network),
  memo: Type.Optional(Memo),
  anyMemo: Type.Optional(AnyMemo),
  expiresAt: Type.Optional(Ms),
  reason: RequiredReason,
});
export type AddressAdd = Static<typeof Add>;

const Upload = Strict({
  list: FileList,
  fileName: Name(128),
  source: Name(128),
  publishedAt: Ms,
  content: Text(ADDRESS_FILE_BYTES_MAX, 1),
  reason: Type.Optional(Reason),
});
export type AddressUpload = Static<typeof Upload>;

const FileUpload = Strict({
  list: FileList,
  fileName: Name(128),
  source: Name(128),
  publishedAt: Ms,
  draft: Type.Optional(Id),
  reason: Type.Optional(Reason),
});
/** The fields of a file that is the body. A file with `draft` is added to that one, whose list and source it shares. */
export type AddressFileUpload = Static<typeof FileUpload>;

const Apply = Strict({
  id: Id,
  added: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'as read; 409 if the list changed since' }),
  removed: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'as read' }),
  reason: Type.Optional(Reason),
});
export type AddressApply = Static<typeof Apply>;

const Recent = Type.Object({ withdraws: Int });
export type AddressRecent = Static<typeof Recent>;

export const addressListSchemas = {
  list: { input: EmptyInput, output: Overview },
  entries: { input: EntriesInput, output: Entries },
  detail: { input: IdInput, output: ImportDetail },
  recent: { input: IdInput, output: Recent },
  add: { input: Add, output: Entry },
  remove: { input: ReasonInput, output: Entry },
  upload: { input: Upload, fileQuery: FileUpload, output: ImportDetail },
  apply: { input: Apply, output: Import },
};
