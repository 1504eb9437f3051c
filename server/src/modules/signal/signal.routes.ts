import type { HandlersOf } from '../../resources.ts';
import { signalAdd, signalChange, signalDetail } from './signal.service.ts';
import { listSignals } from './signal.store.ts';

export const signalRoutes: HandlersOf<'signal'> = {
  list: listSignals,
  detail: signalDetail,
  add: signalAdd,
  change: signalChange,
};
