import { type Static, Type } from '@sinclair/typebox';
import { screenObstacles, screenResults } from './facts.ts';
import { ActionInput, Id, Ms, Nullable, RequiredReason, Strict } from '../../wire/schema.ts';

const keyOf = <T extends object>(labels: T) =>
  Type.Unsafe<keyof T & string>(Type.Union(Object.keys(labels).map((key) => Type.Literal(key))));

const Answer = Type.Object({
  id: Id,
  provider: Type.String(),
  result: keyOf(screenResults),
  score: Nullable(Type.Integer({ description: '0 to 100, as the provider rates the risk' })),
  categories: Type.Array(Type.String()),
  reference: Type.String({ description: "the provider's own number" }),
  at: Ms,
  late: Type.Boolean({ description: 'after the time in which an answer was expected' }),
});
export type ScreenAnswer = Static<typeof Answer>;

const Request = Type.Object({
  no: Type.String({ description: 'number of the command screen.requested' }),
  by: Nullable(Type.String({ description: 'null: the system, with the record itself' })),
  createdAt: Ms,
  dueAt: Ms,
  failure: Nullable(Type.String({ description: 'why the platform could not ask a provider' })),
  answers: Type.Array(Answer),
});
export type ScreenRequest = Static<typeof Request>;

export const Listed = Type.Object({
  id: Id,
  list: Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)], {
    description: '1 blocked, 2 allowed, 3 sanctions',
  }),
  reason: Type.String(),
  source: Type.String(),
  createdAt: Ms,
});
export type ListedAddress = Static<typeof Listed>;

const Bypass = Type.Object({ by: Type.String(), secondBy: Nullable(Type.String()), reason: Type.String(), at: Ms });
export type ScreenBypass = Static<typeof Bypass>;

/** The screening of a withdrawal's address, or of the name of an identity review. */
export const Screening = Type.Object({
  demanded: Type.Boolean({ description: 'whether it may pass only with an answer' }),
  obstacle: Nullable(keyOf(screenObstacles)),
  validUntil: Nullable(Ms),
  seen: Type.String({ description: 'version of what is shown, for a bypass' }),
  requests: Type.Array(Request, { description: 'latest first' }),
  listed: Type.Array(Listed, { description: 'entries of address lists that match now' }),
  bypass: Nullable(Bypass),
});
export type Screening = Static<typeof Screening>;

const BypassInput = Strict({
  id: Id,
  seen: Type.String({ minLength: 1, maxLength: 64, description: 'as read; 409 if something was found since' }),
  reason: RequiredReason,
});
export type ScreenBypassInput = Static<typeof BypassInput>;

const request = { input: ActionInput, output: Screening };
const bypass = { input: BypassInput, output: Screening };

export const screeningSchemas = {
  requestWithdraw: request,
  bypassWithdraw: bypass,
  requestAuth: request,
  bypassAuth: bypass,
};
