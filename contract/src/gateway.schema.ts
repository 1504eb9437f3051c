import { type Static, Type } from '@sinclair/typebox';
import { ANNOUNCE_IMAGE_KEY } from './announce-markup.ts';
import { COMMANDS_MAX, EVENTS_MAX, POLL_MAX_SECONDS } from './gateway.ts';
import { announceLangs, announcePlatforms } from './input-values.ts';
import { Ms, Strict, Text } from './schema.ts';

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

export const CommandsQuery = Strict({
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: COMMANDS_MAX })),
  wait: Type.Optional(Type.Integer({ minimum: 0, maximum: POLL_MAX_SECONDS })),
});

export const Acks = Type.Array(
  Strict({
    id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    state: Type.Union([Type.Literal('done'), Type.Literal('failed'), Type.Literal('unknown')]),
    reason: Type.Optional(Text(200)),
  }),
  { minItems: 1, maxItems: EVENTS_MAX },
);
export type Ack = Static<typeof Acks>[number];

export const AckAnswer = Type.Object({
  id: Type.Integer(),
  result: Type.Union([Type.Literal('applied'), Type.Literal('duplicate')]),
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
