import { type Static, Type } from '@sinclair/typebox';
import { Int, Ms, EmptyInput, Nullable, Switch } from '../../wire/schema.ts';

const Importing = Type.Object({
  from: Ms,
  reached: Ms,
  events: Nullable(Int),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'imported share of the time from the first event to now',
  }),
});
export type Importing = Static<typeof Importing>;

const State = Type.Object({
  live: Switch,
  importing: Nullable(Importing),
});
export type InstallationState = Static<typeof State>;

const Steps = Type.Object({
  password: Type.Boolean({ description: 'the initial password was changed' }),
  otp: Type.Boolean({ description: 'the admin has one-time codes' }),
  second: Type.Boolean({ description: 'another operator can decide approvals' }),
  lock: Type.Boolean({ description: 'four-eyes are locked' }),
  market: Type.Boolean({ description: 'a market was saved by an operator' }),
  gateway: Type.Boolean({ description: 'the platform has sent an event' }),
  kline: Type.Boolean({ description: 'the setting with the chart site has an address' }),
  live: Type.Boolean(),
});
export type FirstSteps = Static<typeof Steps>;

export const installationSchemas = {
  state: { input: EmptyInput, output: State },
  live: { input: EmptyInput, output: State },
  steps: { input: EmptyInput, output: Steps },
};
