import { type Static, Type } from '@sinclair/typebox';
import {
  ANNOUNCE_CONTENT_MAX,
  ANNOUNCE_IMAGE_MAX,
  ANNOUNCE_ITEMS_MAX,
  ANNOUNCE_TITLE_MAX,
  announceLangs,
  announcePlatforms,
} from '../../wire/input-values.ts';
import { ANNOUNCE_IMAGE_KEY } from './markup.ts';
import { Id, Int, Ms, Name, Nullable, Reason, Strict, Switch, Text, page, IdInput } from '../../wire/schema.ts';

const Row = Type.Object({
  id: Id,
  lang: Type.String(),
  title: Type.String(),
  content: Type.String({ description: 'HTML, sanitized by the server to the elements of announceTags' }),
  platform: Int,
  state: Int,
  pinned: Switch,
  publishAt: Nullable(Type.Integer({ ...Ms, description: 'when the draft is published; null: not scheduled' })),
  group: Type.Integer({ ...Id, description: 'the announcement that the languages belong to' }),
  langs: Type.Array(Type.String(), { description: 'languages in which the announcement exists' }),
  by: Nullable(Type.String({ description: "null if the operator is outside the caller's tree" })),
  createdAt: Ms,
  updatedAt: Ms,
});
export type AnnounceRow = Static<typeof Row>;

const Lang = Type.Union(Object.keys(announceLangs).map((lang) => Type.Literal(lang)));
const Platform = Type.Union(Object.keys(announcePlatforms).map((one) => Type.Literal(Number(one))));
const fields = {
  lang: Lang,
  title: Name(ANNOUNCE_TITLE_MAX),
  content: Text(ANNOUNCE_CONTENT_MAX),
  platform: Platform,
  state: Switch,
  pinned: Switch,
  publishAt: Nullable(
    Type.Integer({ ...Ms, description: 'publishes the draft at this time; omitted or null: not scheduled' }),
  ),
};
const Item = Strict({
  ...fields,
  state: Type.Optional(fields.state),
  pinned: Type.Optional(fields.pinned),
  publishAt: Type.Optional(fields.publishAt),
});
export type AnnounceNew = Static<typeof Item>;
const OneItem = Type.Partial(Item).properties;

const Add = Strict({
  announceList: Type.Optional(
    Type.Array(Item, {
      minItems: 1,
      maxItems: ANNOUNCE_ITEMS_MAX,
      description: 'omitted if the fields of a single item are given instead; an item without state is published',
    }),
  ),
  ...OneItem,
  group: Type.Optional(Type.Integer({ ...Id, description: 'adds the languages to this announcement' })),
  reason: Type.Optional(Reason),
});
export type AnnounceAdd = Static<typeof Add>;

/** Omitted fields stay unchanged, except that a save without `publishAt` cancels the schedule of a draft. */
const Save = Strict({
  id: Id,
  announceList: Type.Optional(
    Type.Array(Strict(OneItem), {
      minItems: 1,
      maxItems: 1,
      description: 'the fields, in the form of announce/add',
    }),
  ),
  ...OneItem,
  seen: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'updatedAt of the row when it was opened; 409 if the row changed since',
    }),
  ),
  reason: Type.Optional(Reason),
});
export type AnnounceSave = Static<typeof Save>;

const Del = Strict({ id: Id, reason: Type.Optional(Reason) });

const ImageAdd = Strict({
  image: Type.String({
    // Base64 takes four characters for three bytes.
    maxLength: Math.ceil(ANNOUNCE_IMAGE_MAX / 3) * 4 + 1_024,
    // The server checks what follows: a pattern that repeats over megabytes may exceed the stack of V8's expressions.
    pattern: '^data:image/(png|jpeg|webp);base64,',
    description: 'data: URL of a PNG, JPEG or WebP image',
  }),
  reason: Type.Optional(Reason),
});
export type AnnounceImageAdd = Static<typeof ImageAdd>;

const Image = Type.Object({
  key: Type.String(),
  src: Type.String({ description: 'address for the src of an img element in the content' }),
  width: Int,
  height: Int,
  size: Type.Integer({ minimum: 1, description: 'bytes' }),
});
export type AnnounceImage = Static<typeof Image>;

const ImageInput = Strict({ key: Type.String({ pattern: `^${ANNOUNCE_IMAGE_KEY}$` }) });
export type AnnounceImageInput = Static<typeof ImageInput>;

export const announceSchemas = {
  list: { output: page(Row) },
  detail: { input: IdInput, output: Row },
  add: { input: Add, output: Type.Array(Row) },
  save: { input: Save, output: Row },
  del: { input: Del, output: Row },
  image: { input: ImageInput, output: Type.Null() },
  imageAdd: { input: ImageAdd, output: Image },
};
