import './review-drawer.css';
import { Button } from 'antd';

/** The way of a record through the review of its list. */
export interface ReviewFlow {
  /** Records left in the queue, including this one; undefined outside the queue. */
  left: number | undefined;
  /** The record that follows in the queue; it is loaded ahead. */
  next: number | undefined;
  /** The record is decided and about to be replaced by the next one. */
  isMoving: boolean;
  /** The rows next to the record in the list. */
  above: number | undefined;
  below: number | undefined;
  /** The last record of the queue was just decided; `isEmpty` is false while more are loading. */
  end: { isEmpty: boolean } | undefined;
  /** What the operator did last. */
  done: { id: number; text: string } | undefined;
  /** Receives the place of the dialogs of this record. */
  onPlace: (element: HTMLElement | null) => void;
  onShow: (id: number) => void;
  /** Puts the record behind the others; absent if there are none. */
  onPostpone: (() => void) | undefined;
}

/** Keys that show the records next to this one. */
export const moveKeys = (flow: ReviewFlow | undefined) => {
  const moveTo = (id: number | undefined) => () => id !== undefined && flow?.onShow(id);
  const [up, down] = [moveTo(flow?.above), moveTo(flow?.below)];
  return { ArrowUp: up, k: up, ArrowDown: down, j: down };
};

/** What is left of the queue, and the records before and after this one. */
export const Position = ({ flow, queueName }: { flow: ReviewFlow; queueName: string }) => (
  <span className="ht-lists-review-extra">
    {flow.left !== undefined && !flow.end && (
      <span className="ht-lists-review-left" role="status">{`${queueName} · 剩余 ${flow.left} 条`}</span>
    )}
    {!flow.end &&
      (
        [
          ['上一条', '↑', flow.above],
          ['下一条', '↓', flow.below],
        ] as const
      ).map(([word, key, id]) => (
        <Button key={word} size="small" disabled={id === undefined} onClick={() => id !== undefined && flow.onShow(id)}>
          {word}
          <kbd className="ht-dialog-key">{key}</kbd>
        </Button>
      ))}
  </span>
);

/** What was done last, with a link to it unless it is open. */
export const Done = ({ flow, id }: { flow: ReviewFlow | undefined; id: number | undefined }) => {
  const done = flow?.done;
  return (
    <p className="ht-lists-review-done" role="status">
      {done && (
        <>
          <span title={done.text}>{done.text}</span>
          {done.id !== id && (
            <Button type="link" size="small" onClick={() => flow.onShow(done.id)}>
              查看
            </Button>
          )}
        </>
      )}
    </p>
  );
};

export const End = ({ name, isEmpty, closes }: { name: string; isEmpty: boolean; closes: boolean }) => (
  <div className="ht-lists-review-end" role="status">
    <b>{isEmpty ? `${name}已清空` : '正在载入下一条'}</b>
    {isEmpty && (
      <span>没有可领取的记录了{closes && '，本页即将关闭'}；有新的记录，或他人释放的、搁置到期的，会自动打开。</span>
    )}
  </div>
);

export const Nothing = () => (
  <div className="ht-lists-review-end" role="status">
    <b>没有打开的记录</b>
    <span>从列表中打开一条，它会显示在这里。</span>
  </div>
);

export const Skeleton = () => (
  <div aria-busy role="status" aria-label="加载中">
    {Array.from({ length: 14 }, (_, i) => (
      <span key={i} className="ht-page-skeleton-line ht-lists-review-skeleton" />
    ))}
  </div>
);
