import { factSpecs } from '@hengtai/contract/notify';
import type { Fact } from '@hengtai/contract/notify.schema';
import { useEffect, useEffectEvent } from 'react';
import { factsNow, onFacts, useFacts, useLastFact } from '../api/notify.ts';
import { preferenceNow, usePreference } from '../ui/preference.ts';

/** Everything up to an id has been read, and these few beyond it. */
interface Read {
  upTo: number;
  ids: readonly number[];
}

const KEY = 'notify.read';
const NEVER: Read = { upTo: -1, ids: [] };
const IDS_MAX = 200;

function isRead(stored: unknown): Read | undefined {
  if (typeof stored !== 'object' || stored === null || !('upTo' in stored) || !('ids' in stored)) return undefined;
  const { upTo, ids } = stored;
  return typeof upTo === 'number' && Array.isArray(ids) && ids.every((id) => typeof id === 'number')
    ? { upTo, ids }
    : undefined;
}

const isBeyond = ({ upTo, ids }: Read, { id, type, own }: Fact): boolean =>
  factSpecs[type].rings && !own && id > upTo && !ids.includes(id);

/** Which facts ask for the operator and have not been looked at; what one did oneself is no news. */
export function useReadFacts() {
  const facts = useFacts();
  const last = useLastFact();
  const [read, setRead] = usePreference<Read>(KEY, NEVER, isRead);
  // A newcomer begins with a clean desk, and so does everybody when the server's numbers begin anew.
  const unknown = last !== null && (read.upTo < 0 || read.upTo > last);
  useEffect(() => {
    if (unknown) setRead({ upTo: last, ids: [] });
  }, [unknown, last, setRead]);
  const isUnread = (fact: Fact): boolean => !unknown && isBeyond(read, fact);
  // Whoever has read a conversation, in whichever window, has read what the bell says of it. Both may be told at once,
  // before anything was drawn.
  const readOf = useEffectEvent((told: readonly Fact[]) => {
    const seen = told.filter(({ type, own }) => type === 'service.read' && own).map(({ refId }) => refId);
    const now = preferenceNow(KEY, NEVER, isRead);
    const ids = factsNow().filter(
      (fact) => fact.refType === 'service' && seen.includes(fact.refId) && isBeyond(now, fact),
    );
    if (ids.length > 0 && !unknown)
      setRead({ ...now, ids: [...ids.map(({ id }) => id), ...now.ids].slice(0, IDS_MAX) });
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
