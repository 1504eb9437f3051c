import './ieo.css';
import { ABILITY } from '@hengtai/contract/ability';
import { IEO, type IeoAction, ieo } from '@hengtai/contract/ieo';
import type { IeoRow } from '@hengtai/contract/ieo.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useMarketOptions } from '../../api/market-options.ts';
import { useCan } from '../../api/me.ts';
import { useQueue } from '../../api/queue.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { WaitingMarks } from '../../shell/WaitingMark.tsx';
import { type BulkLine, BulkResults } from '../../ui/BulkResults.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { IeoDialog } from './IeoDialog.tsx';
import { IeoDrawer } from './IeoDrawer.tsx';
import { ieoPageSum, ieoSums, reviewColumns } from './columns.tsx';
import { NO_ABILITY, deedNames, deedWords, whyNot } from './deeds.ts';

const SHORTCUTS = [
  { keys: ['A'], what: '通过（详情打开时）' },
  { keys: ['R'], what: '驳回（详情打开时）' },
  { keys: ['1…9'], what: '选择常用原因（对话框中）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

const WAITING = { type: 'review', state: IEO.waiting } as const;

interface Results {
  action: IeoAction;
  lines: readonly BulkLine[];
  names: ReadonlyMap<number, string>;
}

/** 认购审核: what waits, one subscription with everything needed to decide it, and the queue. */
export function IeoReviewPage() {
  const able = useCan(ABILITY.subscription);
  const list = useList(ieo.list, { seconds: 15, within: WAITING });
  const options = useMarketOptions();
  const queue = useQueue({
    rows: list.rows,
    waits: ({ state }) => state === IEO.waiting,
    settled: !list.pending && !list.changing,
    left: list.total,
  });
  const [deed, setDeed] = useState<{ action: IeoAction; row: IeoRow }>();
  const [bulk, setBulk] = useState<{ action: IeoAction; rows: readonly IeoRow[] }>();
  const [results, setResults] = useState<Results>();

  const startQueue = () => {
    const { filters, from, to } = list.state;
    list.choose({ filters, from, to, sort: 'createdAt' }, { queue: '1', open: undefined });
  };

  function bulkDone(action: IeoAction, rows: readonly IeoRow[], lines: readonly BulkLine[]) {
    const done = new Set(lines.filter(({ code }) => code === 200 || code === 202).map(({ id }) => id));
    list.select(
      rows.filter(({ id }) => done.has(id)),
      false,
    );
    setBulk(undefined);
    setResults({ action, lines, names: new Map(rows.map(({ id, account }) => [id, account])) });
  }

  return (
    <WaitingMarks targetType="ieo" ids={[...list.rows.map(({ id }) => id), queue.open]}>
      <ListFrame
        title="认购审核"
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
        columns={reviewColumns}
        options={options}
        sums={ieoSums}
        pageSum={ieoPageSum}
        openId={queue.open}
        onOpen={(row) => queue.show(row.id)}
        shortcuts={SHORTCUTS}
        next="用户申请认购代币后会出现在这里，已处理的在认购历史中。"
        actions={{
          width: 160,
          render: (row) => (
            <>
              <GreyedAction why={undefined} onClick={() => queue.show(row.id)}>
                详情
              </GreyedAction>
              {deedNames.map((action) => (
                <GreyedAction
                  key={action}
                  danger={deedWords[action].danger}
                  why={whyNot(action, row, able)}
                  onClick={() => setDeed({ action, row })}
                >
                  {deedWords[action].short}
                </GreyedAction>
              ))}
            </>
          ),
        }}
        bulk={(rows) =>
          deedNames.map((action) => (
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
        <IeoDrawer
          id={queue.open}
          able={able}
          left={queue.left}
          onAct={(action, row) => setDeed({ action, row })}
          onClose={queue.close}
        />
        {deed && (
          <IeoDialog
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
