import { agent } from '@hengtai/contract/people/agent/calls';
import { CHOICES_MAX } from '@hengtai/contract/risk/rule/catalogue';
import { Select } from 'antd';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useDebounced } from '../../../ui/browser/use-debounced.ts';
import { useAgentNames } from './exported/choice-names.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  label: string;
  /** Ids of agents. */
  value: string[];
  onChange: (ids: string[]) => void;
}

const OPTIONS_MAX = 20;
const DEBOUNCE_MS = 250;

/** Selects agents by the beginning of their accounts. */
export function AgentChoice({ label, value, onChange }: Props) {
  const [text, setText] = useState('');
  const prefix = useDebounced(text.trim().replaceAll('*', ''), DEBOUNCE_MS);
  const query = useRead(
    agent.list,
    { ...(prefix && { account: `${prefix}*` }), size: OPTIONS_MAX },
    { keepPrevious: true },
  );
  const { data, isFetching } = query;
  const names = useAgentNames(value);
  const matches = data?.list.map(({ id, account }) => ({ value: String(id), label: account })) ?? [];
  const chosen = value
    .filter((id) => !matches.some((one) => one.value === id))
    .map((id) => ({ value: id, label: names.get(id) ?? id }));
  return (
    <Select
      mode="multiple"
      aria-label={label}
      maxCount={CHOICES_MAX}
      showSearch={{ filterOption: false, onSearch: setText, searchValue: text }}
      placeholder="输入代理账号的开头"
      loading={isFetching}
      notFoundContent={
        isFetching ? (
          '查找中…'
        ) : (
          <QueryPlace query={query} isSmall>
            没有匹配的代理
          </QueryPlace>
        )
      }
      value={value}
      options={[...chosen, ...matches]}
      onChange={(ids: string[]) => {
        setText('');
        onChange(ids);
      }}
    />
  );
}
