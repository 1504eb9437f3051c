import './agent-picker.css';
import { agent, agentStates } from '@hengtai/contract/people/agent/calls';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../../api/hooks.ts';
import { useMe } from '../../../../api/me.ts';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';
import { useDebounced } from '../../../../ui/browser/use-debounced.ts';

interface Props {
  id: string;
  value: string | undefined;
  onChange: (account: string) => void;
  /** Account of the current agent, which cannot be chosen. */
  current?: string | undefined;
  /** Label, 新代理 by default. */
  label?: string;
  /** Accounts that cannot be chosen, each with the reason. */
  disabledReasons?: Readonly<Record<string, string>>;
}

const NO_REASONS: Readonly<Record<string, string>> = {};
const OPTIONS_MAX = 20;
const DEBOUNCE_MS = 250;

/** Selects an agent of the operator's tree by account prefix. */
export function AgentPicker({ id, value, onChange, current, label = '新代理', disabledReasons = NO_REASONS }: Props) {
  const me = useMe();
  const [text, setText] = useState('');
  const input = text.trim().replaceAll('*', '');
  const prefix = useDebounced(input, DEBOUNCE_MS);
  const query = useRead(
    agent.list,
    { ...(prefix && { account: `${prefix}*` }), size: OPTIONS_MAX },
    { keepPrevious: true },
  );
  const { data, isFetching } = query;
  const listed = data?.list ?? [];
  const hiddenCount = (data?.total ?? 0) - listed.length;
  // Until the response for the current input arrives, only previous results that still match are shown, so that a quick
  // Enter cannot choose a wrong one and options do not jump.
  const matchesInput = (account: string): boolean => account.toLowerCase().startsWith(input.toLowerCase());
  // The top-level admin is not in the agent list, but users can belong to it directly.
  const admins = me.top && matchesInput(me.admin) ? [me.admin] : [];
  const agents = listed.filter(({ account }) => matchesInput(account));
  const isSearching = isFetching || input !== prefix;

  const options = [
    ...admins.map((account) => ({ value: account, label: account, note: '顶级管理员' })),
    ...agents.map(({ account, remark, state }) => ({
      value: account,
      label: account,
      note: state === 1 ? remark : agentStates[state],
    })),
  ].map((option) => {
    const note = option.value === current ? '当前代理' : disabledReasons[option.value];
    return note === undefined ? option : { ...option, disabled: true, note };
  });

  return (
    <>
      <Select
        id={id}
        className="ht-agent-picker"
        showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
        value={value ?? null}
        loading={isSearching}
        placeholder="输入代理账号的开头"
        aria-label={label}
        notFoundContent={
          isSearching ? (
            '查找中…'
          ) : (
            <QueryPlace query={query} isSmall>
              没有匹配的代理
            </QueryPlace>
          )
        }
        onChange={(account: string) => {
          setText('');
          onChange(account);
        }}
        options={options}
        onInputKeyDown={(event) => {
          // With an empty list Enter would close it and discard the input.
          if (event.key === 'Enter' && isSearching && options.length === 0) event.stopPropagation();
        }}
        optionRender={renderOption}
      />
      {hiddenCount > 0 && (value === undefined || text !== '') && (
        <p className="ht-agent-picker-more">还有 {hiddenCount.toLocaleString('en-US')} 个代理，继续输入以缩小范围</p>
      )}
    </>
  );
}

const renderOption = ({ data }: { data: { label: string; note?: string | undefined } }) => (
  <span className="ht-agent-option">
    <span title={data.label}>{data.label}</span>
    {data.note && <small className="ht-value-faint">{data.note}</small>}
  </span>
);
