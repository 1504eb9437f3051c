import { report } from '@hengtai/contract/desk/report/calls';
import { useList } from '../../../lists/list.ts';
import { ListFrame } from '../../../lists/ListFrame.tsx';
import { workColumns } from './columns.tsx';

/** 操作员工作报表: actions of the operators in the subtree, and how long the requests had waited. */
export function WorkTab() {
  const list = useList(report.work);
  return (
    <ListFrame
      title="操作员工作报表"
      note="取自审计日志；未选时间时为最近 30 天"
      list={list}
      columns={workColumns}
      emptyHint="操作员登录、审核或修改任何内容之后会出现在这里。"
    />
  );
}
