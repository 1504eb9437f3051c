import './auto-payout.css';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { autoPayout } from '@hengtai/contract/risk/auto-payout/calls';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { useState } from 'react';
import { WaitingMarks, useWaitingIds } from '../../../actions/WaitingMark.tsx';
import { useRead } from '../../../api/hooks.ts';
import { useCan, useHasFullScope } from '../../../api/me.ts';
import { useMarketOptions } from '../../../lists/market-options.ts';
import { useOpenId } from '../../../lists/open-id.ts';
import { PageError } from '../../../navigation/PageError.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { dialogOnDemand, onDemand } from '../../../ui/page/on-demand.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { PageHeading } from '../../../ui/page/PageHeading.tsx';
import { PageSkeleton } from '../../../ui/page/PageSkeleton.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { CoinLine, NewCoinLine } from './CoinLine.tsx';
import { Explanation } from './Explanation.tsx';
import { StopAuto } from './exported/StopAuto.tsx';
import { REFETCH_MS } from './words.ts';

const BudgetDialog = dialogOnDemand(async () => (await import('./BudgetDialog.tsx')).BudgetDialog);
const CoinDrawer = onDemand(async () => (await import('./CoinDrawer.tsx')).CoinDrawer);
const StartDialog = dialogOnDemand(async () => (await import('./StartDialog.tsx')).StartDialog);
const StopDialog = dialogOnDemand(async () => (await import('./exported/StopDialog.tsx')).StopDialog);

type Dialog = { kind: 'edit'; coin?: AutoCoin } | { kind: 'stop' | 'start'; coin: AutoCoin };

/** 自动打款: the budget of each coin, what was spent of it, and what stopped. */
export function AutoPage() {
  const { data: coins, error, refetch } = useRead(autoPayout.list, {}, { refetchMs: REFETCH_MS });
  const names = useMarketOptions().marketId ?? {};
  const noRight = useMissingRight();
  const { openId, close } = useOpenId();
  const [dialog, setDialog] = useState<Dialog>();
  const closeDialog = () => setDialog(undefined);
  if (!coins)
    return error ? <PageError error={error} onRetry={() => void refetch()} /> : <PageSkeleton shape="settings" />;
  // An approval of a first budget leads to a coin without one.
  const isConfigured = coins.some(({ marketId }) => marketId === openId);
  return (
    <div className="ht-auto-payout-page">
      <PageHeading title="自动打款" note="没有被规则拦截、在额度之内的提现由系统通过并打款；其余照旧人工审核">
        <StopAuto />
        <GreyedAction look="button" primary disabledReason={noRight} onClick={() => setDialog({ kind: 'edit' })}>
          开启币种
        </GreyedAction>
      </PageHeading>
      <WaitingMarks targetType="autoPayout" ids={Object.keys(names).map(Number)}>
        <Coins coins={coins} names={names} noRight={noRight} onDialog={setDialog} />
      </WaitingMarks>
      <CoinDrawer id={noRight === undefined && isConfigured ? openId : undefined} onClose={close} />
      {dialog?.kind === 'edit' && <BudgetDialog {...dialog} coins={coins} names={names} onClose={closeDialog} />}
      {dialog?.kind === 'stop' && <StopDialog coins={[dialog.coin]} isAll={false} onClose={closeDialog} />}
      {dialog?.kind === 'start' && <StartDialog coin={dialog.coin} onClose={closeDialog} />}
    </div>
  );
}

/** Why the operator may not change budgets; undefined if it may. */
function useMissingRight(): string | undefined {
  const canSet = useCan(ABILITY.platform);
  const isHouse = useHasFullScope();
  return canSet && isHouse ? undefined : '需要权限「平台设置」且数据范围为全部';
}

const TITLES = ['币种', '状态', '今日数量', '今日笔数', '待复查', '最近决定', '操作'] as const;
const TITLES_WITHOUT_SUMS = ['币种', '状态', '操作'] as const;

interface CoinsProps {
  coins: readonly AutoCoin[];
  names: Readonly<Record<string, string>>;
  noRight: string | undefined;
  onDialog: (dialog: Dialog) => void;
}

/** The coins with a budget, and those whose first budget waits for a second person. */
function Coins({ coins, names, noRight, onDialog }: CoinsProps) {
  const waiting = useWaitingIds().filter((id) => coins.every(({ marketId }) => marketId !== id));
  const day = coins[0]?.spent?.day;
  if (coins.length + waiting.length === 0) return <Explanation />;
  const hasSums = coins.length === 0 || day !== undefined;
  return (
    <Section
      title="币种"
      aside={
        day !== undefined && (
          <>
            今日自 <Time value={day} short /> 起（UTC 日）
          </>
        )
      }
      more={<PageLink to="/withdraw?auto=2">待复查的提现</PageLink>}
    >
      <PageTable label="自动打款" titles={hasSums ? TITLES : TITLES_WITHOUT_SUMS}>
        {coins.map((coin) => (
          <CoinLine
            key={coin.marketId}
            coin={coin}
            noRight={noRight}
            onEdit={() => onDialog({ kind: 'edit', coin })}
            onStop={() => onDialog({ kind: 'stop', coin })}
            onStart={() => onDialog({ kind: 'start', coin })}
          />
        ))}
        {waiting.map((id) => (
          <NewCoinLine key={id} id={id} name={names[id] ?? `#${id}`} columns={hasSums ? TITLES.length : 3} />
        ))}
      </PageTable>
    </Section>
  );
}
