import { type Static, Type } from '@sinclair/typebox';
import { kycSides } from '../../wire/input-values.ts';
import { Screening } from '../screening/schema.ts';
import {
  BulkResult,
  Customer,
  FilledText,
  Id,
  Int,
  Ms,
  Nullable,
  Strict,
  page,
  ActionInput,
  BulkInput,
  IdInput,
  ReasonInput,
  QueueTarget,
  customerTimeline,
  recordApproval,
} from '../../wire/schema.ts';

const picture = {
  description: 'path of the call for the picture, or an address at the platform; empty: none, or hidden',
};

const Row = Type.Object({
  id: Id,
  userId: Id,
  account: Type.String(),
  agent: Type.String(),
  name: Type.String({ description: 'masked without ability 4' }),
  country: Type.String(),
  idType: Int,
  idNumber: Type.String({ description: 'masked without ability 4' }),
  front: Type.String(picture),
  back: Type.String(picture),
  holding: Type.String(picture),
  level: Int,
  state: Int,
  reason: Type.String(),
  by: Nullable(Type.String()),
  reviewedAt: Nullable(Ms),
  createdAt: Ms,
  updatedAt: Ms,
});
export type KycRow = Static<typeof Row>;

const Image = Strict({
  id: Id,
  side: Type.Union([Type.Literal('front'), Type.Literal('back'), Type.Literal('holding')], {
    description: Object.keys(kycSides).join(', '),
  }),
});
export type KycImage = Static<typeof Image>;

const Revealed = Type.Object({ id: Id, name: Type.String(), idNumber: Type.String() });
export type KycRevealed = Static<typeof Revealed>;

const Find = Strict({
  name: Type.Optional({ ...FilledText(100), description: 'all of it, ignoring case and the length of white space' }),
  idNumber: Type.Optional({ ...FilledText(64), description: 'all of it, ignoring case and punctuation' }),
});
export type KycFind = Static<typeof Find>;

const Found = Type.Object({
  list: Type.Array(Row, { description: 'at most 20, latest first; name and document number are always masked' }),
  total: Int,
  keying: Type.Boolean({ description: 'older submissions are still being keyed, so some may be missing' }),
});
export type KycFound = Static<typeof Found>;

const oneOf = <const T extends string>(names: readonly T[]) =>
  Type.Unsafe<T>(Type.Union(names.map((name) => Type.Literal(name))));

/** Cards whose numbers say something about their holder. */
const DocumentKind = oneOf(['resident', 'hongKong', 'macau', 'taiwan', 'permanent', 'other']);
export type KycDocumentKind = Static<typeof DocumentKind>;
/** What is odd about a document number. It refuses nothing. */
const DocumentMark = oneOf(['check', 'birth', 'minor', 'name', 'country', 'type']);
export type KycDocumentMark = Static<typeof DocumentMark>;

const Document = Type.Object({
  kind: DocumentKind,
  valid: Nullable(Type.Boolean({ description: 'whether the check character holds; null for a number without one' })),
  birth: Nullable(Type.String({ description: 'YYYY-MM-DD' })),
  age: Nullable(Int),
  sex: Nullable(Type.Unsafe<1 | 2>(Type.Integer({ description: '1 male, 2 female' }))),
  marks: Type.Array(DocumentMark),
});
export type KycDocument = Static<typeof Document>;

const Detail = Type.Object({
  row: Row,
  document: Nullable({ ...Document, description: 'what the document number says; null without ability 4' }),
  user: Customer,
  target: QueueTarget,
  earlier: Type.Array(Row, { description: 'at most ten other submissions of the user, latest first' }),
  same: Type.Object(
    {
      users: Type.Integer({ description: 'number of users' }),
      list: Type.Array(
        Type.Object({ userId: Id, account: Type.String(), state: Int, authId: Id, authState: Int, createdAt: Ms }),
        { description: 'at most ten, one submission each' },
      ),
      outside: Nullable(
        Type.Boolean({
          description: "whether users outside the caller's tree submitted it as well; null without ability 4",
        }),
      ),
    },
    { description: "other users of the caller's tree who submitted the same document number" },
  ),
  ...customerTimeline,
  screening: Screening,
  approval: Type.Object(recordApproval),
  devices: Type.Array(
    Type.Object({
      device: Nullable(Type.String()),
      times: Int,
      firstAt: Ms,
      lastAt: Ms,
      lastIp: Type.String(),
    }),
  ),
});
export type KycDetail = Static<typeof Detail>;

export const kycSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Detail },
  image: { input: Image, output: Type.Null() },
  reveal: { input: ReasonInput, output: Revealed },
  find: { input: Find, output: Found },
  pass: { input: ActionInput, output: Row },
  reject: { input: ActionInput, output: Row },
  passMany: { input: BulkInput, output: BulkResult },
  rejectMany: { input: BulkInput, output: BulkResult },
};
