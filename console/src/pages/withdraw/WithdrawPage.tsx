import './withdraw.css';
import { ABILITY } from '@hengtai/contract/ability';
import { WITHDRAW, type WithdrawAction, withdraw } from '@hengtai/contract/withdraw';
import type { WithdrawRow } from '@hengtai/contract/withdraw.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useQueue } from '../../api/queue.ts';
import { type BulkLine, BulkResults } from '../../ui/BulkResults.tsx';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { type BulkAction, BulkDialog } from './BulkDialog.tsx';
import { Cockpit } from './Cockpit.tsx';
import { RowActions } from './RowActions.tsx';
import { WithdrawDialog } from './WithdrawDialog.tsx';
import { withdrawColumns, withdrawPageSum, withdrawSums } from './columns.tsx';
import { NO_ABILITY, deedWords } from './deeds.ts';

const SHORTCUTS = [
  { keys: ['A'], what: '通过（详情打开时）' },
  { keys: ['R'], what: '驳回（详情打开时）' },
  { keys: ['1…9'], what: '选择常用原因（对话框中）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

/** 提现记录: the list, the review cockpit and the queue. */
export function WithdrawPage() {
  const able = useCan(ABILITY.withdraw);
  const list = useList(withdraw.list, { seconds: 15 });
  const options = useMarketOptions();
  const queue = useQueue({
    rows: list.rows,
    waits: ({ state }) => state === WITHDRAW.review,
    settled: !list.pending && !list.changing,
    left: list.total,
  });
  const [deed, setDeed] = useState<{ action: WithdrawAction; row: WithdrawRow }>();
  const [bulk, setBulk] = useState<{ action: BulkAction; rows: readonly WithdrawRow[] }>();
  const [results, setResults] = useState<{
    action: BulkAction;
    lines: readonly BulkLine[];
    names: ReadonlyMap<number, string>;
  }>();

  const startQueue = () =>
    list.choose(
      {
        filters: { ...list.state.filters, state: WITHDRAW.review },
        from: list.state.from,
        to: list.state.to,
        sort: 'createdAt',
      },
      { queue: '1', open: undefined },
    );

  function bulkDone(action: BulkAction, rows: readonly WithdrawRow[], lines: readonly BulkLine[]) {
    const done = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
    list.select(
      rows.filter(({ id }) => done.has(id)),
      false,
    );
    setBulk(undefined);
    setResults({ action, lines, names: new Map(rows.map(({ id, account }) => [id, account])) });
  }

  return (
    <WaitingMarks targetType="withdraw" ids={[...list.rows.map(({ id }) => id), queue.open]}>
      <ListFrame
        title="提现记录"
        note={queue.queue && (queue.empty ? '审核队列已清空' : `审核队列 · 剩余 ${queue.left ?? '--'} 条`)}
        tools={
          queue.queue ? (
            <Button onClick={queue.close}>退出队列</Button>
          ) : (
            <GreyedAction look="button" why={able ? undefined : NO_ABILITY} onClick={startQueue}>
              审核队列
            </GreyedAction>
          )
        }
        list={list}
        columns={withdrawColumns}
        options={options}
        sums={withdrawSums}
        pageSum={withdrawPageSum}
        openId={queue.open}
        onOpen={(row) => queue.show(row.id)}
        shortcuts={SHORTCUTS}
        next="用户发起提现后会出现在这里。"
        actions={{
          width: 196,
          render: (row) => (
            <RowActions
              row={row}
              able={able}
              onOpen={() => queue.show(row.id)}
              onAct={(action) => setDeed({ action, row })}
            />
          ),
        }}
        bulk={(rows) =>
          (['pass', 'reject'] as const).map((action) => (
            <GreyedAction
              key={action}
              look="button"
              danger={deedWords[action].danger}
              why={able ? undefined : NO_ABILITY}
              onClick={() => setBulk({ action, rows })}
            >
              批量{deedWords[action].short}
            </GreyedAction>
          ))
        }
      >
        <Cockpit
          id={queue.open}
          able={able}
          left={queue.left}
          onAct={(action, row) => setDeed({ action, row })}
          onClose={queue.close}
        />
        {deed && (
          <WithdrawDialog
            {...deed}
            onClose={() => setDeed(undefined)}
            onDone={({ id }) => {
              setDeed(undefined);
              queue.decided(id);
            }}
          />
        )}
        {bulk && (
          <BulkDialog
            {...bulk}
            onClose={() => setBulk(undefined)}
            onDone={(lines) => bulkDone(bulk.action, bulk.rows, lines)}
          />
        )}
        {results && (
          <BulkResults
            title={`批量${deedWords[results.action].verb}`}
            results={results.lines}
            nameOf={(id) => results.names.get(id)}
            onClose={() => setResults(undefined)}
          />
        )}
      </ListFrame>
    </WaitingMarks>
  );
}
