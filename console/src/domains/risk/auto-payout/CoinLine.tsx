import { autoReasons, autoStops } from '@hengtai/contract/risk/auto-payout/labels';
import type { AutoCoin } from '@hengtai/contract/risk/auto-payout/schema';
import { WaitingMark } from '../../../actions/WaitingMark.tsx';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { Spent } from './Spent.tsx';
import { coinStateOf, coinStates, coinTones, isRunning } from './words.ts';

interface Props {
  coin: AutoCoin;
  /** Why the operator may not change budgets; undefined if it may. */
  noRight: string | undefined;
  onEdit: () => void;
  onStop: () => void;
  onStart: () => void;
}

/** One coin: its state, what was spent today, and its actions. */
export function CoinLine({ coin, noRight, onEdit, onStop, onStart }: Props) {
  const { marketId, marketName, stopped, budget, toReview } = coin;
  return (
    <tr>
      <th scope="row">
        {noRight === undefined ? <PageLink to={`/auto-payout?open=${marketId}`}>{marketName}</PageLink> : marketName}
        {budget && <span className="ht-table-page-note">第 {budget.version} 版</span>}
      </th>
      <td>
        <CoinState coin={coin} />
        <WaitingMark id={marketId} />
      </td>
      {budget && (
        <>
          <td>
            <Spent coin={coin} of="amount" />
          </td>
          <td>
            <Spent coin={coin} of="count" />
          </td>
          <td>
            {toReview ? (
              <PageLink to={`/withdraw?auto=2&marketId=${marketId}`}>{toReview} 笔</PageLink>
            ) : (
              <span className="ht-value-faint">0 笔</span>
            )}
          </td>
          <td>
            <LastDecision coin={coin} />
          </td>
        </>
      )}
      <td>
        <GreyedAction disabledReason={noRight} onClick={onEdit}>
          修改
        </GreyedAction>
        {stopped && (
          <GreyedAction disabledReason={noRight} onClick={onStart}>
            恢复
          </GreyedAction>
        )}
        {(!stopped || isRunning(coin)) && (
          <GreyedAction danger onClick={onStop}>
            暂停
          </GreyedAction>
        )}
      </td>
    </tr>
  );
}

/** The state, and of a coin that is stopped why, by whom and since when. */
export function CoinState({ coin }: { coin: AutoCoin }) {
  const { on, stopped, causes, openAlarms } = coin;
  return (
    <>
      <StateTag state={coinStateOf(coin)} labels={coinStates} tones={coinTones} />
      {stopped && (
        <>
          <span className="ht-table-page-note">{autoStops[stopped.why]}</span>
          {stopped.platforms !== null && <span className="ht-table-page-note">{stopped.platforms.join('、')}</span>}
          {stopped.by !== null && <span className="ht-table-page-note">{operatorCell(stopped.by)}</span>}
          <span className="ht-table-page-note">
            <Time value={stopped.at} near />
          </span>
        </>
      )}
      {stopped && !on && <span className="ht-table-page-note">额度为关闭，恢复后仍不自动打款</span>}
      {causes !== null && causes.length > 0 && <span className="ht-table-page-note">{causes.length} 条起因未核对</span>}
      {openAlarms !== null && openAlarms > 0 && (
        <span className="ht-table-page-note">
          <PageLink to="/alarm?state=0&kind=withdraw.unexpected">{openAlarms} 条告警未处理</PageLink>
        </span>
      )}
    </>
  );
}

function LastDecision({ coin: { lastDecision } }: { coin: AutoCoin }) {
  if (!lastDecision) return <span className="ht-value-faint">--</span>;
  const { withdrawId, why, at } = lastDecision;
  return (
    <>
      <PageLink to={`/withdraw?open=${withdrawId}`}>#{withdrawId}</PageLink>
      <span className="ht-table-page-note">{why === null ? '系统通过' : `转人工：${autoReasons[why]}`}</span>
      <span className="ht-table-page-note">
        <Time value={at} near />
      </span>
    </>
  );
}

/** A coin whose first budget waits for a second person. */
export const NewCoinLine = ({ id, name, columns }: { id: number; name: string; columns: number }) => (
  <tr>
    <th scope="row">{name}</th>
    <td colSpan={columns - 1}>
      <StateTag state="off" labels={coinStates} tones={coinTones} />
      <WaitingMark id={id} />
    </td>
  </tr>
);
