import './bulk-results.css';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { type MiniColumn, MiniTable } from '../table/MiniTable.tsx';
import { PageModal } from './PageModal.tsx';

export interface BulkLine {
  id: number;
  code: number;
  msg: string;
}

interface Props {
  title: string;
  results: readonly BulkLine[];
  /** Name of a row, shown next to its number. */
  nameOf: (id: number) => ReactNode;
  onClose: () => void;
}

const DONE = 200;
const SUBMITTED = 202;

const failedColumns: readonly MiniColumn<BulkLine & { name: ReactNode }>[] = [
  { title: '编号', cell: ({ id }) => id },
  { title: '账号', cell: ({ name }) => name },
  { title: '原因', cell: ({ msg }) => <span className="ht-dialog-wrap">{msg}</span> },
];

/** Result of a bulk action: counts, and each failed row with its reason. Succeeded rows stay done. */
export function BulkResults({ title, results, nameOf, onClose }: Props) {
  const doneCount = results.filter(({ code }) => code === DONE).length;
  const submittedCount = results.filter(({ code }) => code === SUBMITTED).length;
  const failed = results.filter(({ code }) => code !== DONE && code !== SUBMITTED);
  return (
    <PageModal title={`${title}：结果`} width={560} onCancel={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <p role="status">
        成功 {doneCount} 条{submittedCount > 0 && `，提交复核 ${submittedCount} 条`}，失败 {failed.length} 条
      </p>
      {failed.length > 0 && (
        <MiniTable
          label="失败的记录"
          rows={failed.map((line) => ({ ...line, name: nameOf(line.id) }))}
          keyOf={({ id }) => id}
          empty=""
          columns={failedColumns}
        />
      )}
    </PageModal>
  );
}
