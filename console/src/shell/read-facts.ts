import { factSpecs } from '@hengtai/contract/notify';
import type { Fact } from '@hengtai/contract/notify.schema';
import { useEffect, useEffectEvent } from 'react';
import { onFacts, useFacts, useLastFact } from '../api/notify.ts';
import { usePreference } from '../ui/preference.ts';

/** Everything up to an id has been read, and these few beyond it. */
interface Read {
  upTo: number;
  ids: readonly number[];
}

const NEVER: Read = { upTo: -1, ids: [] };
const IDS_MAX = 200;

function isRead(stored: unknown): Read | undefined {
  if (typeof stored !== 'object' || stored === null || !('upTo' in stored) || !('ids' in stored)) return undefined;
  const { upTo, ids } = stored;
  return typeof upTo === 'number' && Array.isArray(ids) && ids.every((id) => typeof id === 'number')
    ? { upTo, ids }
    : undefined;
}

/** Which facts ask for the operator and have not been looked at; what one did oneself is no news. */
export function useReadFacts() {
  const facts = useFacts();
  const last = useLastFact();
  const [read, setRead] = usePreference<Read>('notify.read', NEVER, isRead);
  // A newcomer begins with a clean desk, and so does everybody when the server's numbers begin anew.
  const unknown = last !== null && (read.upTo < 0 || read.upTo > last);
  useEffect(() => {
    if (unknown) setRead({ upTo: last, ids: [] });
  }, [unknown, last, setRead]);
  const isUnread = ({ id, type, own }: Fact): boolean =>
    !unknown && factSpecs[type].rings && !own && id > read.upTo && !read.ids.includes(id);
  // Whoever has read a conversation, in whichever window, has read what the bell says of it.
  const readOf = useEffectEvent((told: readonly Fact[]) => {
    const seen = told.filter(({ type, own }) => type === 'service.read' && own).map(({ refId }) => refId);
    const ids = facts.filter((fact) => fact.refType === 'service' && seen.includes(fact.refId) && isUnread(fact));
    if (ids.length > 0) setRead({ ...read, ids: [...ids.map(({ id }) => id), ...read.ids].slice(0, IDS_MAX) });
  });
  useEffect(() => onFacts((told) => readOf(told)), []);
  return {
    facts,
    isUnread,
    unread: facts.filter(isUnread).length,
    readAll: () => last !== null && setRead({ upTo: last, ids: [] }),
    readOne: (fact: Fact) => {
      if (isUnread(fact)) setRead({ ...read, ids: [fact.id, ...read.ids].slice(0, IDS_MAX) });
    },
  };
}
