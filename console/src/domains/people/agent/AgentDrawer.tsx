import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentDetail, AgentRow } from '@hengtai/contract/people/agent/schema';
import { Button } from 'antd';
import { useRead } from '../../../api/hooks.ts';
import { useMe } from '../../../api/me.ts';
import { AuditTable } from '../../house/audit/exported/AuditTable.tsx';
import { AccountHead, PartsDrawer } from '../../../lists/PartsDrawer.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { AbilityPart } from './AbilityPart.tsx';
import { ProfilePart } from './ProfilePart.tsx';
import { stateTag } from './columns.tsx';
import type { SwitchAbility } from './actions.ts';
import { type Part, partNames } from './use-agent-route.ts';
import { type AgentAction, agentActions, actionName, actionDisabledReasonOf } from './words.ts';

interface Props {
  id: number;
  part: Part;
  onPart: (part: Part) => void;
  onOpen: (id: number) => void;
  onAction: (action: AgentAction, row: AgentRow) => void;
  /** Adds an agent below the one with this account. */
  onAdd: (parent: string) => void;
  switchAbility: SwitchAbility;
  onClose: () => void;
}

const STALE_TIME_MS = 5000;

/** Everything about one agent, loaded with one call. The number keys select a tab. */
export function AgentDrawer({ id, part, onPart, onOpen, onAction, onAdd, switchAbility, onClose }: Props) {
  const { data, error, refetch } = useRead(agent.detail, { id }, { staleTime: STALE_TIME_MS });
  const detail = data?.row.id === id ? data : undefined;
  return (
    <PartsDrawer
      open
      width="clamp(760px, 58vw, 1080px)"
      title={<AccountHead noun="代理" id={id} row={detail?.row} renderState={stateTag} />}
      footer={detail && <Actions detail={detail} onAction={onAction} onAdd={onAdd} onClose={onClose} />}
      label="代理详情"
      names={partNames}
      part={part}
      onPart={onPart}
      error={detail ? undefined : error}
      onRetry={() => void refetch()}
      onClose={onClose}
    >
      {detail && (
        <PartContent
          detail={detail}
          part={part}
          onOpen={onOpen}
          onLink={() => onAction('oidc', detail.row)}
          switchAbility={switchAbility}
        />
      )}
    </PartsDrawer>
  );
}

type PartContentProps = Pick<Props, 'part' | 'onOpen' | 'switchAbility'> & { detail: AgentDetail; onLink: () => void };

function PartContent({ detail, part, onOpen, onLink, switchAbility }: PartContentProps) {
  if (part === 'profile') return <ProfilePart detail={detail} onOpen={onOpen} onLink={onLink} />;
  if (part === 'ability') return <AbilityPart detail={detail} switchAbility={switchAbility} />;
  return (
    <AuditTable
      audits={detail.audits}
      canRead={detail.auditsShown}
      none="没有对该代理的操作"
      allPath={`/audit?targetType=agent&targetId=${detail.row.id}`}
    />
  );
}

function Actions({
  detail,
  onAction,
  onAdd,
  onClose,
}: Pick<Props, 'onAction' | 'onAdd' | 'onClose'> & { detail: AgentDetail }) {
  const me = useMe();
  const { row, changeable } = detail;
  return (
    <>
      {agentActions.map((action) => (
        <GreyedAction
          key={action}
          look="button"
          danger={action === 'remove'}
          disabledReason={actionDisabledReasonOf(me, row, action, changeable)}
          onClick={() => onAction(action, row)}
        >
          {actionName(action, row)}
        </GreyedAction>
      ))}
      <GreyedAction
        look="button"
        disabledReason={changeable || row.id === me.id ? undefined : '只能在自己和自己的下级之下新增'}
        onClick={() => onAdd(row.account)}
      >
        新增下级
      </GreyedAction>
      <span className="ht-lists-gap" />
      <Button onClick={onClose}>关闭</Button>
    </>
  );
}
