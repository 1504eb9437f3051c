import { agent, agentStates } from '@hengtai/contract/agent';
import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useRead } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';

interface Props {
  id: string;
  value: string | undefined;
  onChange: (account: string) => void;
  /** The agent that it already is, which cannot be chosen. */
  current?: string | undefined;
  /** What is chosen; 新代理 unless it is something else. */
  label?: string;
  /** Others that cannot be chosen, each with why. */
  barred?: Readonly<Record<string, string>>;
}

const NOBODY: Readonly<Record<string, string>> = {};
const SIZE = 20;
const QUIET_MS = 250;

/** Finds an agent of the operator's tree by the beginning of its account. */
export function AgentPicker({ id, value, onChange, current, label = '新代理', barred = NOBODY }: Props) {
  const me = useMe();
  const [text, setText] = useState('');
  const typed = text.trim().replaceAll('*', '');
  const asked = useQuiet(typed);
  const { data, isFetching, isError } = useRead(
    agent.list,
    { ...(asked && { account: `${asked}*` }), size: SIZE },
    { keepPrevious: true },
  );
  const listed = data?.list ?? [];
  const more = (data?.total ?? 0) - listed.length;
  // Until the answer to what was typed is there, those of the former that it would have as well: nothing else may be chosen
  // by a quick Enter, and none moves away from under the pointer.
  const fits = (account: string): boolean => account.toLowerCase().startsWith(typed.toLowerCase());
  // The top-level admin is no row of the list, yet users can stand directly under it.
  const own = me.top && fits(me.admin) ? [me.admin] : [];
  const found = listed.filter(({ account }) => fits(account));
  const seeking = isFetching || typed !== asked;

  const options = [
    ...own.map((account) => ({ value: account, label: account, note: '顶级管理员' })),
    ...found.map(({ account, remark, state }) => ({
      value: account,
      label: account,
      note: state === 1 ? remark : agentStates[state],
    })),
  ].map((option) => {
    const note = option.value === current ? '当前代理' : barred[option.value];
    return note === undefined ? option : { ...option, disabled: true, note };
  });

  return (
    <>
      <Select
        id={id}
        className="ht-picker"
        showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
        value={value ?? null}
        loading={seeking}
        placeholder="输入代理账号的开头"
        aria-label={label}
        notFoundContent={seeking ? '查找中…' : isError ? '查找失败，请重试' : '没有匹配的代理'}
        onChange={(account: string) => {
          setText('');
          onChange(account);
        }}
        options={options}
        onInputKeyDown={(event) => {
          // Enter would close an empty list and throw away what was typed.
          if (event.key === 'Enter' && seeking && options.length === 0) event.stopPropagation();
        }}
        optionRender={drawOption}
      />
      {more > 0 && (value === undefined || text !== '') && (
        <p className="ht-picker-more">还有 {more.toLocaleString('en-US')} 个代理，继续输入以缩小范围</p>
      )}
    </>
  );
}

const drawOption = ({ data }: { data: { label: string; note?: string | undefined } }) => (
  <span className="ht-option">
    <span title={data.label}>{data.label}</span>
    {data.note && <small className="ht-faint">{data.note}</small>}
  </span>
);

/** The text once nobody has typed for a moment. */
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
}
