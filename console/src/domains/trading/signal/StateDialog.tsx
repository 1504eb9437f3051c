import { futureSides } from '@hengtai/contract/trading/future/calls';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { signal } from '@hengtai/contract/trading/signal/calls';
import { SIGNAL } from '@hengtai/contract/trading/signal/facts';
import type { SignalRow } from '@hengtai/contract/trading/signal/schema';
import { Money } from '../../../ui/value/Money.tsx';
import { Direction } from '../../../records/Direction.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { stateText } from './words.ts';
import { GuardNote } from '../../../actions/LockedNote.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';

interface Props {
  action: 'publish' | 'end';
  row: SignalRow;
  onClose: () => void;
}

const words = {
  publish: {
    verb: '发布信号',
    to: SIGNAL.running,
    done: '信号已发布',
    what: '发布后平台立即展示，用户可在开始时间后跟单；市场、方向、杠杆、入场价与开始时间不能再改。',
  },
  end: {
    verb: '结束信号',
    to: SIGNAL.ended,
    done: '信号已结束',
    what: '结束后不再接受新的跟单，且不能恢复；已有跟单不受影响，由平台按其规则了结，或在「跟单」中逐笔结束。',
  },
} as const;

/** Level 2: publishes or ends a signal. */
export function StateDialog({ action, row, onClose }: Props) {
  const { verb, to, done, what } = words[action];

  return (
    <ActionDialog
      call={signal.change}
      input={{ id: row.id, version: row.version, state: to }}
      successText={done}
      title={`${verb} #${row.id}`}
      verb={verb}
      danger={action === 'end'}
      details={[
        { label: '标题', value: row.title, wide: true },
        {
          label: '合约',
          value: (
            <>
              {row.marketName} <Direction side={row.side} labels={futureSides} /> {row.leverage}×
            </>
          ),
        },
        { label: '入场价', value: <Money value={row.price} unit={SETTLEMENT} /> },
        { label: '止盈价', value: <Money value={row.takeProfit} unit={SETTLEMENT} /> },
        { label: '止损价', value: <Money value={row.stopLoss} unit={SETTLEMENT} /> },
        { label: '开始', value: <Time value={row.startAt} /> },
        { label: '结束', value: <Time value={row.endAt} /> },
        { label: '跟单中', value: `${row.openCount} 笔` },
        { label: '跟单金额', value: <Money value={row.openAmount} unit={SETTLEMENT} /> },
      ]}
      consequence={row.state === SIGNAL.draft && action === 'end' ? '草稿从未发布，作废后不能恢复。' : what}
      stateText={stateText}
      onClose={onClose}
    >
      {action === 'publish' && <GuardNote call="signal.change" />}
    </ActionDialog>
  );
}
