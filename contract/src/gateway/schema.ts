import { type Static, Type } from '@sinclair/typebox';
import { ANNOUNCE_IMAGE_KEY } from '../desk/announce/markup.ts';
import { COMMAND, COMMANDS_MAX, EVENTS_MAX, LEASE_MAX_SECONDS, POLL_MAX_SECONDS, SNAPSHOT_MAX } from './gateway.ts';
import { announceLangs, announcePlatforms } from '../wire/input-values.ts';
import { Id, Int, Ms, Nullable, Strict, Text } from '../wire/schema.ts';

/** The envelope of an event. Type and data are validated per event, so that a bad one rejects only itself. */
export const Event = Strict({
  eventId: Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
  type: Type.String({ minLength: 1, maxLength: 64 }),
  at: Ms,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export const Events = Type.Array(Event, { minItems: 1, maxItems: EVENTS_MAX });
/** Only this text: another value must not apply the events. */
export const EventsQuery = Strict({
  dryRun: Type.Optional(Type.Literal('1', { description: '1: answers the events and changes nothing' })),
});
export const EventAnswer = Type.Object({
  eventId: Type.String(),
  result: Type.Union([Type.Literal('applied'), Type.Literal('duplicate'), Type.Literal('rejected')]),
  reason: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String({ description: 'place in the list of events and what is expected there' })),
});
export type EventAnswer = Static<typeof EventAnswer>;

/** What is recorded of an applied event. */
export const AppliedEvent = Type.Object({
  eventId: Type.String(),
  type: Type.String(),
  at: Ms,
  recordedAt: Ms,
  result: Type.Literal('applied'),
});
export type AppliedEvent = Static<typeof AppliedEvent>;

const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Limit = Type.Integer({ minimum: 1, maximum: COMMANDS_MAX });

export const CommandsQuery = Strict({
  after: Type.Optional(Seq),
  limit: Type.Optional(Limit),
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: POLL_MAX_SECONDS })),
  peek: Type.Optional(Type.Literal(1, { description: '1: changes nothing' })),
  lease: Type.Optional(Type.Integer({ minimum: 1, maximum: LEASE_MAX_SECONDS, description: 'seconds' })),
});
export type CommandsQuery = Static<typeof CommandsQuery>;

export const ReplayQuery = Strict({ from: Seq, limit: Type.Optional(Limit) });

export const Lease = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'the lease that came with the command',
});

export const Acks = Type.Array(
  Strict({
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    state: Type.Union([Type.Literal('done'), Type.Literal('failed'), Type.Literal('unknown')]),
    reason: Type.Optional(Text(200)),
    lease: Type.Optional(Lease),
  }),
  { minItems: 1, maxItems: EVENTS_MAX },
);
export type Ack = Static<typeof Acks>[number];

const LeaseLost = Type.Literal('lost', { description: 'the lease is not valid any more' });

export const AckAnswer = Type.Object({
  id: Type.Integer(),
  result: Type.Union([
    Type.Literal('applied'),
    Type.Literal('duplicate', { description: 'the command has its answer already' }),
    LeaseLost,
    Type.Literal('unknown', { description: 'there is no such command' }),
  ]),
});
export type AckAnswer = Static<typeof AckAnswer>;

/** Commands by id, with the lease of each. */
export const Leases = Type.Array(Strict({ id: Id, lease: Lease }), { minItems: 1, maxItems: EVENTS_MAX });
export type Leases = Static<typeof Leases>;

/** `until`: the end of the lease, or of the time for the answer; null if the lease is lost. */
export const LeaseAnswer = Type.Object({
  id: Type.Integer(),
  result: Type.Union([Type.Literal('applied'), Type.Literal('duplicate'), LeaseLost]),
  until: Nullable(Ms),
});
export type LeaseAnswer = Static<typeof LeaseAnswer>;

export const ReplayedCommand = Type.Object({
  seq: Id,
  id: Id,
  type: Type.String(),
  at: Ms,
  attempt: Int,
  data: Type.Unknown({ description: 'as in the command' }),
  state: Type.Union(Object.keys(COMMAND).map((state) => Type.Literal(state))),
  reason: Type.String({ description: 'reason of the answer; empty without one' }),
});

export const SnapshotQuery = Strict({
  fact: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  after: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,15}-[0-9]{1,15}-[0-9]{1,4}$', description: '`next` of a page' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SNAPSHOT_MAX })),
});

export const AnnouncementsQuery = Strict({
  lang: Type.Optional(Type.Union(Object.keys(announceLangs).map((lang) => Type.Literal(lang)))),
  platform: Type.Optional(Type.Union(Object.keys(announcePlatforms).map((one) => Type.Literal(Number(one))))),
});

export const AnnouncementImageQuery = Strict({ key: Type.String({ pattern: `^${ANNOUNCE_IMAGE_KEY}$` }) });

/** The token of a support link, as the platform's site received it. */
export const Redeem = Strict({
  token: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' }),
});
export interface Redeemed {
  account: string;
  readOnly: true;
  operator: string;
  /** Creation of the link, unix milliseconds. */
  at: number;
}
