import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentMovePreview, AgentRow } from '@hengtai/contract/people/agent/schema';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { AgentPicker } from './exported/AgentPicker.tsx';
import { LockedNote } from '../../../actions/LockedNote.tsx';
import { SUBMIT } from '../../../actions/approval-words.ts';
import { agentDetails } from './agent-details.tsx';
import { useIsGuarded } from './use-is-guarded.ts';
import { LossItems, refusalOf } from './move-preview.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';

const REASONS = ['组织调整', '原上级离职', '代理申请更换'] as const;

/** Level 2: moves an agent and its subtree to another parent, after a preview of the consequences. */
export function MoveDialog({ row, onClose }: RecordDialogProps<AgentRow>) {
  const id = useId();
  const isGuarded = useIsGuarded(row);
  const [parent, setParent] = useState<string>();
  const query = useRead(agent.parentPreview, parent === undefined ? undefined : { id: row.id, parent }, {
    staleTime: 0,
  });
  const preview = query.data;

  return (
    <ActionDialog
      call={agent.parentChange}
      input={{ id: row.id, parent: parent ?? '' }}
      title="更换上级"
      verb={isGuarded ? SUBMIT : '更换上级'}
      width={640}
      details={agentDetails(row)}
      consequence={
        preview && preview.refusal === null
          ? `${preview.agents.toLocaleString('en-US')} 个代理（含本人）和 ${preview.users.toLocaleString('en-US')} 位用户随之归入新上级，原上级不再看到他们；用户的数据不变。该代理需重新登录。`
          : undefined
      }
      danger={(preview?.lost.length ?? 0) > 0}
      blocked={parent === undefined ? '请选择新上级' : refusalOf(query)}
      query={parent === undefined ? undefined : query}
      loading={parent !== undefined && query.isFetching}
      reason={{ chips: REASONS }}
      onClose={onClose}
    >
      <div className="ht-dialog-field">
        <label htmlFor={id}>新上级</label>
        <AgentPicker
          id={id}
          label="新上级"
          value={parent}
          onChange={setParent}
          current={row.parentAccount ?? undefined}
          disabledReasons={{ [row.account]: '代理自己' }}
        />
      </div>
      {preview && <Preview preview={preview} />}
      {isGuarded && <LockedNote>该代理持有关键权限，由另一位复核员确认后才更换。</LockedNote>}
    </ActionDialog>
  );
}

/** What the move would change, or why the server would refuse it. */
function Preview({ preview }: { preview: AgentMovePreview }) {
  const { path, newPath, lost, refusal } = preview;
  return (
    <dl className="ht-agent-preview" aria-label="更换上级预览">
      <DetailItem label="原路径">{path.join(' › ')}</DetailItem>
      <DetailItem label="新路径">{newPath.join(' › ')}</DetailItem>
      <LossItems lost={lost} from="新上级" refusal={refusal} refused="不能更换" />
    </dl>
  );
}
