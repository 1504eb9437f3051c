import { type Static, Type } from '@sinclair/typebox';
import { installation } from './installation.ts';
import { Int, Ms, Nothing, Nullable, Switch, endpoint } from './schema.ts';

const Importing = Type.Object({
  from: Ms,
  reached: Ms,
  events: Nullable(Int),
  share: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'how much of the time from the first event to now is told',
  }),
});
export type Importing = Static<typeof Importing>;

const State = Type.Object({
  live: Switch,
  importing: Nullable(Importing),
});
export type InstallationState = Static<typeof State>;

export const installationEndpoints = {
  state: endpoint(installation.state, Nothing, State),
  live: endpoint(installation.live, Nothing, State),
};
