import { MoreOutlined } from '@ant-design/icons';
import { agent } from '@hengtai/contract/agent';
import type { AgentRow } from '@hengtai/contract/agent.schema';
import { Button, Dropdown } from 'antd';
import { useRead } from '../../api/hooks.ts';
import { useMe } from '../../api/me.ts';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { usePopup } from '../../ui/page-visibility.ts';
import { type AgentAction, agentActions, actionName, seesOnlySubtree, actionDisabledReasonOf } from './words.ts';

interface Props {
  row: AgentRow;
  onOpen: () => void;
  onAbilities: () => void;
  onAction: (action: AgentAction) => void;
}

/** The actions of a row. An action that is not possible is disabled, so that the others keep their places. */
export function RowActions({ row, onOpen, onAbilities, onAction }: Props) {
  const me = useMe();
  const [open, setOpen] = usePopup();
  // Headquarters also sees agents outside its subtree. Only an opened menu loads whether this agent can be changed.
  const isInSubtree = seesOnlySubtree(me);
  const { data } = useRead(agent.detail, { id: row.id }, { enabled: open && !isInSubtree });
  const changeable = isInSubtree ? true : data?.changeable;
  return (
    <>
      <GreyedAction disabledReason={undefined} onClick={onOpen}>
        详情
      </GreyedAction>
      <GreyedAction disabledReason={undefined} onClick={onAbilities}>
        权限
      </GreyedAction>
      <Dropdown
        open={open}
        onOpenChange={setOpen}
        trigger={['click']}
        menu={{
          items: agentActions.map((action) => {
            const disabledReason = actionDisabledReasonOf(me, row, action, changeable);
            return {
              key: action,
              label: <span title={disabledReason}>{actionName(action, row)}</span>,
              danger: action === 'remove' && disabledReason === undefined,
              ...(disabledReason !== undefined && {
                disabled: true,
                extra: <small className="ht-faint">{disabledReason}</small>,
              }),
            };
          }),
          onClick: ({ key, domEvent }) => {
            domEvent.stopPropagation();
            setOpen(false);
            onAction(key as AgentAction);
          },
        }}
      >
        <Button
          type="text"
          size="small"
          aria-label={`代理 ${row.account} 的更多操作`}
          icon={<MoreOutlined aria-hidden />}
          onClick={(event) => event.stopPropagation()}
        />
      </Dropdown>
    </>
  );
}
