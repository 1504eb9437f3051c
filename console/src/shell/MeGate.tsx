import { session } from '@hengtai/contract/session';
import { type ReactNode, useEffect } from 'react';
import { useRead } from '../api/hooks.ts';
import { MeContext } from '../api/me.ts';
import { correctPlanSet } from '../api/session.ts';
import { usePreferenceState } from '../ui/preference.ts';
import { BalanceMark } from './BalanceMark.tsx';
import { PageFault } from './PageFault.tsx';

const EVERY_MS = 60_000;
const NOTHING = {};

interface Props {
  children: ReactNode;
}

/** Nothing is drawn before it is known who is at work, what they may do, and how they like to see it. */
export function MeGate({ children }: Props) {
  const { data: me, error, refetch } = useRead(session.me, NOTHING, { every: EVERY_MS });
  const planSet = me?.planSet;
  useEffect(() => {
    if (planSet !== undefined) correctPlanSet(planSet);
  }, [planSet]);

  const { ready } = usePreferenceState();
  if (me && ready) return <MeContext value={me}>{children}</MeContext>;
  return (
    <main className="sh-splash">
      {error ? <PageFault error={error} onRetry={() => void refetch()} /> : <BalanceMark size={48} />}
    </main>
  );
}
