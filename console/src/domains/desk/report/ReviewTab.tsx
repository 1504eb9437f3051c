import { report } from '@hengtai/contract/desk/report/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { reviewColumns } from './columns.tsx';

/** 审核时效报表: how long records waited in their queue, and how long operators worked on them. */
export function ReviewTab() {
  const list = useList(report.reviews);
  return (
    <ListFrame
      title="审核时效报表"
      note="处理时间取自打开记录的占用；超时按现在的目标；未选时间时为最近 30 天"
      list={list}
      columns={reviewColumns}
      emptyHint="操作员处理审核队列中的记录之后会出现在这里。"
    />
  );
}
