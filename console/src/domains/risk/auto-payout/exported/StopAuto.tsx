import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { useState } from 'react';
import { useRead } from '../../../../api/hooks.ts';
import { PageLink } from '../../../../navigation/PageLink.tsx';
import { dialogOnDemand } from '../../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../../ui/dialog/GreyedAction.tsx';
import { REFETCH_MS, isRunning } from '../words.ts';

const StopDialog = dialogOnDemand(async () => (await import('./StopDialog.tsx')).StopDialog);

interface Props {
  /** Links to their page while all coins are stopped. */
  hasLink?: boolean;
}

/** The button that stops automatic payouts of all coins; nothing if none is on. */
export function StopAuto({ hasLink = false }: Props) {
  const { data: coins = [] } = useRead(autoPayout.list, {}, { refetchMs: REFETCH_MS });
  // As they were when the button was pressed.
  const [asked, setAsked] = useState<readonly AutoCoin[]>();
  const running = coins.filter(isRunning);
  const isOn = coins.some(({ on }) => on);
  return (
    <>
      {running.length > 0 ? (
        <GreyedAction look="button" danger onClick={() => setAsked(running)}>
          暂停自动打款
        </GreyedAction>
      ) : (
        hasLink && isOn && <PageLink to="/auto-payout">自动打款已暂停</PageLink>
      )}
      {asked && <StopDialog coins={asked} isAll onClose={() => setAsked(undefined)} />}
    </>
  );
}
