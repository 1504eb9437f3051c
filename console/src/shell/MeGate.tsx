import { session } from '@hengtai/contract/session';
import { type ReactNode, Suspense, lazy, useCallback, useDeferredValue, useEffect, useState } from 'react';
import { onSetupDue } from '../api/fresh-code.ts';
import { useRead } from '../api/hooks.ts';
import { MeContext } from '../api/me.ts';
import { onNotifications } from '../api/notify.ts';
import { correctPlanSet } from '../api/session.ts';
import { usePreferenceState } from '../ui/preference.ts';
import { BalanceMark } from './BalanceMark.tsx';
import { IdleCountdown } from './IdleCountdown.tsx';
import { PageError } from './PageError.tsx';

const PasswordGate = lazy(async () => ({ default: (await import('./PasswordGate.tsx')).PasswordGate }));
const SetupGate = lazy(async () => ({ default: (await import('./SetupGate.tsx')).SetupGate }));

const EVERY_MS = 60_000;
const NOTHING = {};

interface Props {
  children: ReactNode;
}

/** Nothing is drawn before it is known who is at work, what they may do, and how they like to see it. */
export function MeGate({ children }: Props) {
  const { data: me, dataUpdatedAt, error, refetch } = useRead(session.me, NOTHING, { every: EVERY_MS });
  const planSet = me?.planSet;
  useEffect(() => {
    if (planSet !== undefined) correctPlanSet(planSet);
  }, [planSet]);
  useEffect(() => onSetupDue(() => void refetch()), [refetch]);
  useEffect(
    () =>
      onNotifications((details) => {
        if (details.some(({ noun }) => noun === 'fourEyes')) void refetch();
      }),
    [refetch],
  );

  // Once begun the set-up is seen to its end: codes are on before the recovery codes were read.
  const [gated, setGated] = useState(false);
  if (me?.otpDue && !gated) setGated(true);
  const stay = useCallback(async () => {
    const { data, dataUpdatedAt: at } = await refetch();
    return data && at + data.expire - data.now;
  }, [refetch]);
  const over = useCallback(() => void refetch(), [refetch]);

  const { ready } = usePreferenceState();
  // All of the console is too much for one task: deferred, it is drawn in slices between which the browser is free.
  const known = useDeferredValue(ready ? me : undefined);
  if (me?.passwordDue) {
    return (
      <Suspense>
        <PasswordGate account={me.admin} />
      </Suspense>
    );
  }
  if (me && gated) {
    return (
      <Suspense>
        <SetupGate account={me.admin} onDone={() => window.location.reload()} />
      </Suspense>
    );
  }
  if (me && known) {
    return (
      <MeContext value={known}>
        {children}
        <IdleCountdown endsAt={dataUpdatedAt + me.expire - me.now} onStay={stay} onOver={over} />
      </MeContext>
    );
  }
  return (
    <main className="sh-splash">
      {error ? <PageError error={error} onRetry={() => void refetch()} /> : <BalanceMark size={48} />}
    </main>
  );
}
