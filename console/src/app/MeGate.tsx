import { session } from '@hengtai/contract/house/session/calls';
import { type ReactNode, useCallback, useDeferredValue, useEffect, useState } from 'react';
import { onSetupDue } from '../api/fresh-code.ts';
import { useRead } from '../api/hooks.ts';
import { MeContext } from '../api/me.ts';
import { onNotifications } from '../api/notify.ts';
import { correctPlanSet } from '../api/session.ts';
import { onDemand } from '../ui/page/on-demand.tsx';
import { usePreferenceState } from '../ui/browser/preference.ts';
import { Logo } from '../ui/page/Logo.tsx';
import { IdleCountdown } from './IdleCountdown.tsx';
import { PageError } from '../navigation/PageError.tsx';
import { FirstPageSkeleton } from './FirstPageSkeleton.tsx';

const PasswordGate = onDemand(
  async () => (await import('../domains/house/security/exported/PasswordGate.tsx')).PasswordGate,
);
const SetupGate = onDemand(async () => (await import('../domains/house/security/exported/SetupGate.tsx')).SetupGate);

const REFETCH_MS = 60_000;

interface Props {
  children: ReactNode;
}

/** Renders the console once the operator and the preferences are loaded. */
export function MeGate({ children }: Props) {
  const { data: me, dataUpdatedAt, error, refetch } = useRead(session.me, {}, { refetchMs: REFETCH_MS });
  const planSet = me?.planSet;
  useEffect(() => {
    if (planSet !== undefined) correctPlanSet(planSet);
  }, [planSet]);
  useEffect(() => onSetupDue(() => void refetch()), [refetch]);
  useEffect(
    () =>
      onNotifications((notifications) => {
        if (notifications.some(({ noun }) => noun === 'fourEyes')) void refetch();
      }),
    [refetch],
  );

  // A started set-up is finished: codes are enabled before the recovery codes have been read.
  const [isSetupStarted, setIsSetupStarted] = useState(false);
  if ((me?.otpDue || me?.passkeyDue) && !isSetupStarted) setIsSetupStarted(true);
  const stay = useCallback(async () => {
    const { data, dataUpdatedAt: at } = await refetch();
    return data && at + data.expire - data.now;
  }, [refetch]);
  const onOver = useCallback(() => void refetch(), [refetch]);

  const { ready } = usePreferenceState();
  // Deferred, so that the console renders in time slices instead of one long task.
  const deferredMe = useDeferredValue(ready ? me : undefined);
  if (me?.passwordDue) {
    return <PasswordGate account={me.admin} />;
  }
  if (me && isSetupStarted) {
    return (
      <SetupGate
        account={me.admin}
        isPasskeyDue={me.passkeyDue}
        needsPassword={me.otp === 0}
        onDone={() => window.location.reload()}
      />
    );
  }
  if (me && deferredMe) {
    return (
      <MeContext value={deferredMe}>
        {children}
        <IdleCountdown endsAt={dataUpdatedAt + me.expire - me.now} onStay={stay} onOver={onOver} />
      </MeContext>
    );
  }
  if (error) {
    return (
      <main className="ht-navigation-splash">
        <PageError error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  return (
    <main className="ht-page-boot">
      <Logo size={30} />
      <FirstPageSkeleton />
    </main>
  );
}
