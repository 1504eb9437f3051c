import { type AuthAction, auth, authStates } from '@hengtai/contract/auth';
import type { AuthRevealed, AuthRow } from '@hengtai/contract/auth.schema';
import { Button } from 'antd';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { useKeys } from '../../ui/keys.ts';
import { FaultState } from '../../ui/list-states.tsx';
import { Facts, History } from './Facts.tsx';
import { Pictures } from './Pictures.tsx';
import { authTones } from './columns.tsx';
import { deedNames, deedWords, whyNot } from './deeds.ts';

interface Props {
  id: number | undefined;
  able: boolean;
  /** In the queue: how many are left, this one included. */
  left: number | undefined;
  revealed: AuthRevealed | undefined;
  onAct: (action: AuthAction, row: AuthRow) => void;
  onReveal: (row: AuthRow) => void;
  onClose: () => void;
}

const HINTS: Readonly<Record<AuthAction, string>> = { pass: 'A', reject: 'R' };

/** One submission: the photographs beside what was written down. A passes, R rejects, V shows name and number for a reason. */
export function AuthDrawer({ id, able, left, revealed, onAct, onReveal, onClose }: Props) {
  const { data, error, refetch } = useRead(
    auth.detail,
    { id: id ?? 0 },
    { enabled: id !== undefined, staleTime: 5000 },
  );
  const detail = data?.row.id === id ? data : undefined;
  const row = detail?.row;
  const act = (action: AuthAction) => () => {
    if (row && whyNot(action, row, able) === undefined) onAct(action, row);
  };
  const reveal = () => {
    if (row && able && !revealed) onReveal(row);
  };
  useKeys({ a: act('pass'), r: act('reject'), v: reveal }, id !== undefined);

  return (
    <Reader
      open={id !== undefined}
      width="clamp(800px, 66vw, 1240px)"
      title={
        <span className="au-head">
          实名 #{id}
          {row && <StateTag state={row.state} labels={authStates} tones={authTones} />}
        </span>
      }
      extra={left !== undefined && <span className="au-left" role="status">{`审核队列 · 剩余 ${left} 条`}</span>}
      footer={
        row && (
          <>
            {deedNames.map((action) => (
              <GreyedAction
                key={action}
                look="button"
                primary={action === 'pass'}
                danger={deedWords[action].danger}
                why={whyNot(action, row, able)}
                hint={HINTS[action]}
                onClick={act(action)}
              >
                {deedWords[action].verb}
              </GreyedAction>
            ))}
            <span className="au-gap" />
            <Button onClick={onClose}>{left === undefined ? '关闭' : '退出队列'}</Button>
          </>
        )
      }
      onClose={onClose}
    >
      {error && !detail ? (
        <FaultState fault={faultOf(error)} onRetry={() => void refetch()} />
      ) : detail ? (
        <div className="au-grid">
          <Pictures key={detail.row.id} row={detail.row} able={able} />
          <Facts detail={detail} revealed={revealed} able={able} onReveal={reveal} />
          <History detail={detail} />
        </div>
      ) : (
        <Bones />
      )}
    </Reader>
  );
}

const Bones = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-bone au-bone" />
    ))}
  </div>
);
