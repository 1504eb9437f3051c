import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { MoreActions } from '../../../ui/dialog/MoreActions.tsx';
import { type AgentAction, agentActions, actionName, seesOnlySubtree, actionDisabledReasonOf } from './words.ts';

interface Props {
  row: AgentRow;
  onOpen: () => void;
  onAbilities: () => void;
  onAction: (action: AgentAction) => void;
}

/** The actions of a row. */
export function RowActions({ row, onOpen, onAbilities, onAction }: Props) {
  const me = useMe();
  const [open, setOpen] = useState(false);
  // Headquarters also sees agents outside its subtree. Only an opened menu loads whether this agent can be changed.
  const isInSubtree = seesOnlySubtree(me);
  const { data } = useRead(agent.detail, { id: row.id }, { enabled: open && !isInSubtree });
  const changeable = isInSubtree ? true : data?.changeable;
  return (
    <>
      <GreyedAction onClick={onOpen}>详情</GreyedAction>
      <GreyedAction onClick={onAbilities}>权限</GreyedAction>
      <MoreActions
        label={`代理 ${row.account} 的更多操作`}
        actions={agentActions.map((action) => ({
          key: action,
          label: actionName(action, row),
          danger: action === 'remove',
          disabledReason: actionDisabledReasonOf(me, row, action, changeable),
        }))}
        onAction={(key) => onAction(key as AgentAction)}
        onOpenChange={setOpen}
      />
    </>
  );
}
