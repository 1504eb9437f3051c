import './auth.css';
import { ABILITY } from '@hengtai/contract/ability';
import { AUTH, type AuthAction, auth } from '@hengtai/contract/auth';
import type { AuthRevealed, AuthRow } from '@hengtai/contract/auth.schema';
import { Button } from 'antd';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import { useCan } from '../../api/me.ts';
import { useQueue } from '../../api/queue.ts';
import { ListFrame } from '../../shell/ListFrame.tsx';
import { type BulkLine, BulkResults } from '../../ui/BulkResults.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { AuthDialog } from './AuthDialog.tsx';
import { AuthDrawer } from './AuthDrawer.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { RevealDialog } from './RevealDialog.tsx';
import { authColumns } from './columns.tsx';
import { NO_ABILITY, deedNames, deedWords, whyNot } from './deeds.ts';

const SHORTCUTS = [
  { keys: ['A'], what: '通过（详情打开时）' },
  { keys: ['R'], what: '驳回（详情打开时）' },
  { keys: ['V'], what: '查看完整姓名与证件号码（详情打开时）' },
  { keys: ['+', '-'], what: '放大、缩小照片' },
  { keys: ['[', ']'], what: '向左、向右旋转照片' },
  { keys: ['1…9'], what: '选择常用原因（对话框中）' },
  { keys: ['Ctrl', 'Enter'], what: '确认（对话框中）' },
];

interface Results {
  action: AuthAction;
  lines: readonly BulkLine[];
  names: ReadonlyMap<number, string>;
}

/** 用户认证: the list, one submission with its photographs, and the queue. */
export function AuthPage() {
  const able = useCan(ABILITY.identity);
  const list = useList(auth.list, { seconds: 15 });
  const queue = useQueue({
    rows: list.rows,
    waits: ({ state }) => state === AUTH.waiting,
    settled: !list.pending && !list.changing,
    left: list.total,
  });
  const [deed, setDeed] = useState<{ action: AuthAction; row: AuthRow }>();
  const [asking, setAsking] = useState<AuthRow>();
  const [revealed, setRevealed] = useState<AuthRevealed>();
  const [bulk, setBulk] = useState<{ action: AuthAction; rows: readonly AuthRow[] }>();
  const [results, setResults] = useState<Results>();
  // What was shown for a reason is shown with that record only: whoever comes back asks again.
  if (revealed && revealed.id !== queue.open) setRevealed(undefined);

  const startQueue = () =>
    list.choose(
      {
        filters: { ...list.state.filters, state: AUTH.waiting },
        from: list.state.from,
        to: list.state.to,
        sort: 'createdAt',
      },
      { queue: '1', open: undefined },
    );

  function bulkDone(action: AuthAction, rows: readonly AuthRow[], lines: readonly BulkLine[]) {
    const done = new Set(lines.filter(({ code }) => code === 200).map(({ id }) => id));
    list.select(
      rows.filter(({ id }) => done.has(id)),
      false,
    );
    setBulk(undefined);
    setResults({ action, lines, names: new Map(rows.map(({ id, account }) => [id, account])) });
  }

  return (
    <ListFrame
      title="用户认证"
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
      columns={authColumns}
      openId={queue.open}
      onOpen={(row) => queue.show(row.id)}
      shortcuts={SHORTCUTS}
      next="用户提交实名资料后会出现在这里。"
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
      <AuthDrawer
        id={queue.open}
        able={able}
        left={queue.left}
        revealed={revealed}
        onAct={(action, row) => setDeed({ action, row })}
        onReveal={setAsking}
        onClose={queue.close}
      />
      {asking && (
        <RevealDialog
          row={asking}
          onClose={() => setAsking(undefined)}
          onDone={(shown) => {
            setAsking(undefined);
            setRevealed(shown);
          }}
        />
      )}
      {deed && (
        <AuthDialog
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
  );
}
