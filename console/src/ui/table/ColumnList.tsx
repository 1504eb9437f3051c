import {
  ColumnWidthOutlined,
  DownOutlined,
  MergeCellsOutlined,
  PushpinFilled,
  PushpinOutlined,
  UpOutlined,
} from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { type DragEvent, useState } from 'react';
import { type ColumnChoice, type PlacedColumn, moveKey, withOwnCells, withShown, withoutUnit } from './columns.ts';

export interface ColumnListProps<Row> {
  placed: readonly PlacedColumn<Row>[];
  choice: ColumnChoice;
  setChoice: (choice: ColumnChoice | undefined) => void;
  /** Name of the view whose columns are edited. */
  viewName?: string;
}

/** The columns of a list with everything that can be chosen about them; fully usable by keyboard. */
export function ColumnList<Row>({ placed, choice, setChoice, viewName }: ColumnListProps<Row>) {
  const [dragged, setDragged] = useState<string>();
  const order = placed.map(({ key }) => key);
  const titleOf = (key: string) => withoutUnit(placed.find((one) => one.key === key)?.title ?? '');
  const sideOf = (key: string) => placed.find((one) => one.key === key)?.side;
  const move = (key: string, to: number) => setChoice({ ...choice, order: moveKey(order, key, to) });

  return (
    <div className="ht-table-columns" role="group" aria-label="列设置">
      <div className="ht-table-columns-head">
        <b>列设置{viewName && <small className="ht-table-columns-of">视图「{viewName}」</small>}</b>
        <Button type="link" size="small" onClick={() => setChoice(undefined)}>
          恢复默认
        </Button>
      </div>
      <ul>
        {placed.map((column, i) => (
          // Dragging is mouse only; the buttons do the same by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={column.key}
            draggable
            data-dragged={dragged === column.key}
            onDragStart={() => setDragged(column.key)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event: DragEvent) => {
              event.preventDefault();
              if (dragged && dragged !== column.key && sideOf(dragged) === column.side) move(dragged, i);
            }}
          >
            <Checkbox
              checked={column.shown}
              disabled={column.locked === true}
              onChange={(event) => setChoice(withShown(choice, column, event.target.checked))}
            >
              {column.title}
              {column.host !== undefined && (
                <small className="ht-table-columns-of">在「{titleOf(column.host)}」内</small>
              )}
              {!column.shown && column.exported && <small className="ht-table-columns-of">在详情与导出中</small>}
            </Checkbox>
            <span className="ht-table-columns-tools">
              {column.shown && column.foldsInto !== undefined && (
                <Button
                  type="text"
                  size="small"
                  aria-label={`${column.host ? '单独成列' : '并入其他列'}：${column.title}`}
                  title={column.host ? '单独成列' : `并入「${titleOf(column.foldsInto)}」`}
                  icon={column.host ? <ColumnWidthOutlined aria-hidden /> : <MergeCellsOutlined aria-hidden />}
                  onClick={() => setChoice(withOwnCells(choice, column.key, column.host !== undefined))}
                />
              )}
              <Button
                type="text"
                size="small"
                aria-label={`冻结${column.title}`}
                title={column.side ? '取消冻结' : '冻结在左侧'}
                aria-pressed={column.side !== undefined}
                icon={column.side ? <PushpinFilled aria-hidden /> : <PushpinOutlined aria-hidden />}
                onClick={() =>
                  setChoice({ ...choice, fixed: { ...choice.fixed, [column.key]: column.side ? 'none' : 'left' } })
                }
              />
              <Button
                type="text"
                size="small"
                disabled={placed[i - 1]?.side !== column.side}
                aria-label={`上移${column.title}`}
                title="上移"
                icon={<UpOutlined aria-hidden />}
                onClick={() => move(column.key, i - 1)}
              />
              <Button
                type="text"
                size="small"
                disabled={placed[i + 1]?.side !== column.side}
                aria-label={`下移${column.title}`}
                title="下移"
                icon={<DownOutlined aria-hidden />}
                onClick={() => move(column.key, i + 1)}
              />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
