import { approval } from '@hengtai/contract/desk/approval/calls';
import type { FourEyesState } from '@hengtai/contract/desk/approval/schema';
import { Checkbox, Input } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { controlText } from './four-eyes-words.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  holders: FourEyesState['holders'];
  /** Accounts of those who always count as known: the asker and the confirmer. */
  always: readonly string[];
  known: readonly number[];
  onChange: (known: readonly number[]) => void;
}

const SEARCH_MS = 300;

/** The confirmer of the lock ticks whom it knows: the holders one by one, other operators from a list with a search. */
export function KnownTicks({ holders, always, known, onChange }: Props) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim(), SEARCH_MS);
  const query = useRead(approval.operators, search === '' ? {} : { search }, { keepPrevious: true });
  const { data } = query;
  const tick = (id: number, checked: boolean) => onChange(checked ? [...known, id] : known.filter((one) => one !== id));
  return (
    <>
      <p className="ht-approval-part" id="ap-known">
        勾选您认识的人：确认账号由本人使用，以前由谁创建、授权或重置不再影响其复核
      </p>
      <ul className="ht-approval-exceptions" aria-labelledby="ap-known">
        {holders.map(({ id, account }) => {
          const isAlways = always.includes(account);
          return (
            <li key={id}>
              <Checkbox
                checked={isAlways || known.includes(id)}
                disabled={isAlways}
                onChange={({ target }) => tick(id, target.checked)}
              >
                {account}
              </Checkbox>
              <span className="ht-value-faint">{isAlways ? '提交人与确认人' : '关键权限持有者'}</span>
            </li>
          );
        })}
      </ul>
      <p className="ht-approval-part" id="ap-known-others">
        其他操作员
        {data && `（共 ${data.total} 名${data.total > data.list.length ? `，显示 ${data.list.length} 名` : ''}）`}
      </p>
      <Input
        aria-label="搜索其他操作员"
        placeholder="搜索账号"
        allowClear
        value={text}
        maxLength={64}
        onChange={({ target }) => setText(target.value)}
      />
      {data && data.list.length > 0 ? (
        <ul className="ht-approval-exceptions ht-approval-others" aria-labelledby="ap-known-others">
          {data.list.map(({ id, account, records }) => (
            <li key={id}>
              <Checkbox checked={known.includes(id)} onChange={({ target }) => tick(id, target.checked)}>
                {account}
              </Checkbox>
              <span className="ht-value-faint">{controlText(records)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <QueryPlace query={query} isSmall>
          <p className="ht-value-faint">{data ? '没有符合的操作员' : '加载中'}</p>
        </QueryPlace>
      )}
    </>
  );
}
