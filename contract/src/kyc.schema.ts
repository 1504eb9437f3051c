import { type Static, Type } from '@sinclair/typebox';
import { kycSides } from './input-values.ts';
import { BulkResult, Customer, Id, Ids, Int, Ms, Nullable, Reason, RequiredReason, Strict, page } from './schema.ts';

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
export { Row as kycRowSchema };

const ById = Strict({ id: Id });
export type KycId = Static<typeof ById>;
const Do = Strict({ id: Id, reason: Type.Optional(Reason) });
export type KycActionInput = Static<typeof Do>;
const Reveal = Strict({ id: Id, reason: RequiredReason });
export type KycReveal = Static<typeof Reveal>;
const Bulk = Strict({ ids: Ids, reason: Type.Optional(Reason) });
export type KycBulk = Static<typeof Bulk>;

const Image = Strict({
  id: Id,
  side: Type.Union([Type.Literal('front'), Type.Literal('back'), Type.Literal('holding')], {
    description: Object.keys(kycSides).join(', '),
  }),
});
export type KycImage = Static<typeof Image>;

const Revealed = Type.Object({ id: Id, name: Type.String(), idNumber: Type.String() });
export type KycRevealed = Static<typeof Revealed>;

const Detail = Type.Object({
  row: Row,
  user: Customer,
  earlier: Type.Array(Row, { description: 'at most ten other submissions of the user, latest first' }),
  same: Type.Object(
    {
      users: Type.Integer({ description: 'number of users' }),
      list: Type.Array(
        Type.Object({ userId: Id, account: Type.String(), state: Int, authId: Id, authState: Int, createdAt: Ms }),
        { description: 'at most ten, one submission each' },
      ),
    },
    { description: "other users of the caller's tree who submitted the same document number" },
  ),
  logins: Type.Array(Type.Object({ id: Id, ip: Type.String(), device: Nullable(Type.String()), at: Ms })),
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
  detail: { input: ById, output: Detail },
  image: { input: Image, output: Type.Null() },
  reveal: { input: Reveal, output: Revealed },
  pass: { input: Do, output: Row },
  reject: { input: Do, output: Row },
  passMany: { input: Bulk, output: BulkResult },
  rejectMany: { input: Bulk, output: BulkResult },
};
