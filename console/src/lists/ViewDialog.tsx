import './view-chips.css';
import { type ListSpec, filterText, filtersOf } from '@hengtai/contract/wire/list';
import { VIEW_NAME_MAX } from '@hengtai/contract/wire/input-values';
import type { ViewRow, ViewSave } from '@hengtai/contract/desk/view/schema';
import { Checkbox, Input, type InputRef, Radio } from 'antd';
import { useId, useRef, useState } from 'react';
import { settle } from '../api/display-error.ts';
import { newKey } from '../api/hooks.ts';
import type { ListState } from './list-address.ts';
import { toast } from '../api/toast.ts';
import { columnsOf } from './view-state.ts';
import { type ViewedList, useViewActions } from './views.ts';
import { SaveForm, SaveModal } from '../ui/dialog/SaveModal.tsx';
import type { ColumnChoice } from '../ui/table/columns.ts';
import type { DisplayError } from '../ui/value/display-error.ts';
import { formatTime, useZone } from '../ui/value/zone.ts';
import { isComposing } from '../ui/browser/ime.ts';

interface Props {
  list: ViewedList;
  /** Query of the current list state, as stored. */
  query: string;
  choice: ColumnChoice;
  /** Column titles by key. */
  titles: ReadonlyMap<string, string>;
  /** The view to rename; without it a new view is created. */
  saved?: ViewRow;
  onClose: () => void;
  onDone: (row: ViewRow) => void;
}

/** 保存为视图 and 重命名. No money is involved, so Enter saves. */
export function ViewDialog({ list, query, choice, titles, saved, onClose, onDone }: Props) {
  const zone = useZone();
  const id = useId();
  const nameInput = useRef<InputRef>(null);
  const [key, setKey] = useState(newKey);
  const [name, setName] = useState(saved?.name ?? '');
  const [shared, setShared] = useState<0 | 1>(saved?.shared ?? 0);
  const [withColumns, setWithColumns] = useState(false);
  const [isNameMissing, setIsNameMissing] = useState(false);
  const [error, setError] = useState<DisplayError>();
  const { save } = useViewActions();
  const title = saved ? '重命名视图' : '保存为视图';

  /** A changed input is a new request and needs a new idempotency key. */
  function edit(change: () => void) {
    change();
    setKey(newKey());
    setError(undefined);
  }

  async function submit() {
    setIsNameMissing(name.trim() === '');
    if (name.trim() === '' || save.pending) return;
    const base: ViewSave = saved
      ? { id: saved.id, list: list.name, name, query: saved.query, shared: saved.shared }
      : { list: list.name, name, query, shared };
    const viewColumns = saved?.columns ?? (withColumns ? columnsOf(choice) : undefined);
    const failure = await settle(async () => {
      const outcome = await save.submit(
        { ...base, name: name.trim(), ...(viewColumns && { columns: viewColumns }) },
        key,
      );
      if (outcome.kind === 'done') onDone(outcome.data);
    });
    setError(failure);
    if (!failure) toast.success(saved ? '视图已重命名' : '视图已保存');
  }

  return (
    <SaveModal
      title={title}
      width={480}
      verb={saved ? '重命名' : '保存视图'}
      busy={save.pending}
      error={error}
      afterOpenChange={(open) => open && nameInput.current?.focus()}
      onSave={() => void submit()}
      onClose={onClose}
    >
      <SaveForm className="ht-dialog-form" onSave={() => void submit()}>
        <label htmlFor={`${id}name`}>名称</label>
        <div>
          <Input
            id={`${id}name`}
            ref={nameInput}
            value={name}
            maxLength={VIEW_NAME_MAX}
            showCount
            autoComplete="off"
            disabled={save.pending}
            status={isNameMissing ? 'error' : ''}
            aria-invalid={isNameMissing}
            onKeyDown={(event) => {
              // Enter that ends an IME composition must not save.
              if (event.key === 'Enter' && isComposing(event)) {
                event.preventDefault();
              }
            }}
            onChange={({ target }) => edit(() => setName(target.value))}
          />
          {isNameMissing && <p className="ht-dialog-form-error">请输入名称</p>}
        </div>
        {!saved && (
          <>
            <span>内容</span>
            <ul className="ht-lists-view-content">
              {describeState(list.spec, list.state, zone, titles).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <span id={`${id}who`}>可见范围</span>
            <div>
              <Radio.Group
                aria-labelledby={`${id}who`}
                value={shared}
                disabled={save.pending}
                onChange={({ target }) => edit(() => setShared(target.value as 0 | 1))}
                options={[
                  { value: 0, label: '仅自己可见' },
                  { value: 1, label: '共享给下级' },
                ]}
              />
              <p className="ht-dialog-form-hint">
                {shared === 1
                  ? '所有下级操作员都能看到此视图，数量按各自的权限范围统计；只有您能修改或删除。'
                  : '只有您自己能看到。'}
              </p>
            </div>
            <span>列设置</span>
            <Checkbox
              checked={withColumns}
              disabled={save.pending}
              onChange={({ target }) => edit(() => setWithColumns(target.checked))}
            >
              同时保存当前的列、顺序和宽度
            </Checkbox>
          </>
        )}
      </SaveForm>
    </SaveModal>
  );
}

/** Describes the content of a new view. */
function describeState(
  spec: ListSpec,
  { filters, from, to, sort }: ListState,
  zone: string,
  titles: ReadonlyMap<string, string>,
): string[] {
  const lines = filtersOf(spec).flatMap((filter) => {
    const value = filters[filter.field];
    return value === undefined ? [] : [`${filter.label}：${filterText(filter, value)}`];
  });
  if (from !== undefined || to !== undefined) {
    const [start, end] = [from, to].map((at) => (at === undefined ? '不限' : formatTime(at, zone)));
    lines.push(`时间：${start} 至 ${end}（固定日期，不随今天变化）`);
  }
  if (sort !== undefined) {
    const field = sort.replace(/^-/, '');
    lines.push(`排序：${titles.get(field) ?? field}，${sort === field ? '升序' : '降序'}`);
  }
  return lines.length > 0 ? lines : ['全部记录，默认排序'];
}
