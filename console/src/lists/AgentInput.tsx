import { agent } from '@hengtai/contract/people/agent/calls';
import { AutoComplete } from 'antd';
import { useState } from 'react';
import { useRead } from '../api/hooks.ts';
import type { SuggestProps } from '../ui/form/FilterField.tsx';
import { useDebounced } from '../ui/browser/use-debounced.ts';

const OPTIONS_MAX = 8;
const DEBOUNCE_MS = 250;

/** Offers the agents of the operator's tree whose account contains the text of a filter. */
export function AgentInput({ className, value, onChange, onChoose, children }: SuggestProps) {
  const [isOpen, setIsOpen] = useState(false);
  const text = useDebounced(value.trim().replaceAll(/^=|\*$/g, ''), DEBOUNCE_MS);
  const isTyped = isOpen && text !== '';
  const { data } = useRead(agent.list, { account: text, size: OPTIONS_MAX }, { enabled: isTyped, keepPrevious: true });
  const accounts = (data?.list ?? []).map(({ account }) => account);
  // Results of an earlier text are left out, so that a quick choice cannot be a wrong one.
  const matching = accounts.filter((account) => account.toLowerCase().includes(value.trim().toLowerCase()));
  return (
    <AutoComplete
      className={className}
      value={value}
      onChange={onChange}
      onSelect={onChoose}
      open={isTyped && matching.length > 0}
      onOpenChange={setIsOpen}
      defaultActiveFirstOption={false}
      popupMatchSelectWidth={false}
      options={matching.map((account) => ({ value: account }))}
    >
      {children}
    </AutoComplete>
  );
}
