import type { HandlersOf } from '../resources.ts';
import { agentAdd, agentState } from './agent.service.ts';
import { listAgents } from './agent.store.ts';

export const agentRoutes: HandlersOf<'agent'> = { list: listAgents, add: agentAdd, state: agentState };
