import { type Static, Type } from '@sinclair/typebox';
import { home } from './home.ts';
import { Nothing, endpoint } from './schema.ts';

const Card = Type.Object({ text: Type.String(), value: Type.String() });
export type HomeCard = Static<typeof Card>;

export const homeEndpoints = { state: endpoint(home.state, Nothing, Type.Array(Card)) };
