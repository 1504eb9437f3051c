import { type IeoAction, ieo, ieoStates } from '@hengtai/contract/ieo';
import type { IeoDetail, IeoRow } from '@hengtai/contract/ieo.schema';
import { Button } from 'antd';
import { faultOf } from '../../api/fault.ts';
import { useRead } from '../../api/hooks.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { Reader } from '../../ui/Reader.tsx';
import { StateTag } from '../../ui/StateTag.tsx';
import { useKeys } from '../../ui/keys.ts';
import { FaultState } from '../../ui/list-states.tsx';
import { Facts } from './Facts.tsx';
import { ieoTones } from './columns.tsx';
import { deedNames, deedWords, whyNot } from './deeds.ts';

interface Props {
  id: number | undefined;
  /** Absent where nothing is decided. */
  onAct?: (action: IeoAction, row: IeoRow) => void;
  able?: boolean;
  /** In the queue: how many are left, this one included. */
  left?: number | undefined;
  onClose: () => void;
}

const HINTS: Readonly<Record<IeoAction, string>> = { pass: 'A', reject: 'R' };

/** Everything needed to decide about one subscription, on one screen. A passes, R rejects, both through the dialog. */
export function IeoDrawer({ id, able = false, left, onAct, onClose }: Props) {
  const { data, error, refetch } = useRead(ieo.detail, { id: id ?? 0 }, { enabled: id !== undefined, staleTime: 5000 });
  const detail = data?.row.id === id ? data : undefined;
  const row = detail?.row;
  const act = (action: IeoAction) => () => {
    if (row && whyNot(action, row, able) === undefined) onAct?.(action, row);
  };
  useKeys({ a: act('pass'), r: act('reject') }, id !== undefined);

  return (
    <Reader
      open={id !== undefined}
      width="clamp(800px, 66vw, 1240px)"
      title={
        <span className="ie-head">
          认购 #{id}
          {row && <StateTag state={row.state} labels={ieoStates} tones={ieoTones} />}
        </span>
      }
      extra={left !== undefined && <span className="ie-left" role="status">{`审核队列 · 剩余 ${left} 条`}</span>}
      footer={
        row && (
          <>
            {onAct && <Deeds row={row} detail={detail} able={able} act={act} />}
            <span className="ie-gap" />
            <Button onClick={onClose}>{left === undefined ? '关闭' : '退出队列'}</Button>
          </>
        )
      }
      onClose={onClose}
    >
      {error && !detail ? (
        <FaultState fault={faultOf(error)} onRetry={() => void refetch()} />
      ) : detail ? (
        <div className="ie-box">
          <Facts detail={detail} />
        </div>
      ) : (
        <Bones />
      )}
    </Reader>
  );
}

interface DeedsProps {
  row: IeoRow;
  detail: IeoDetail | undefined;
  able: boolean;
  act: (action: IeoAction) => () => void;
}

function Deeds({ row, detail, able, act }: DeedsProps) {
  return deedNames.map((action) => {
    const { verb, danger } = deedWords[action];
    const why = whyNot(action, row, able);
    const second = why === undefined && action === 'pass' && detail?.approval.needed === true;
    return (
      <GreyedAction
        key={action}
        look="button"
        primary={action === 'pass'}
        danger={danger}
        why={why}
        hint={HINTS[action]}
        onClick={act(action)}
      >
        {second ? `${verb}（提交复核）` : verb}
      </GreyedAction>
    );
  });
}

const Bones = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-bone ie-bone" />
    ))}
  </div>
);
