import { agent } from '@hengtai/contract/people/agent/calls';
import type { AgentDelPreview, AgentRow } from '@hengtai/contract/people/agent/schema';
import { useId, useState } from 'react';
import type { RecordDialogProps } from '../../../actions/record-dialog.ts';
import { useRead } from '../../../api/hooks.ts';
import { AgentPicker } from './exported/AgentPicker.tsx';
import { agentDetails } from './agent-details.tsx';
import { LossItems, refusalOf } from './move-preview.tsx';
import { ActionDialog } from '../../../actions/ActionDialog.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';

interface Props extends RecordDialogProps<AgentRow> {
  onRemoved: (id: number) => void;
}

const REASONS = ['代理离职', '终止合作', '重复账号'] as const;
const CHILDREN_LISTED = 8;

/** Level 3: deletes an agent. The operator selects a successor, sees what it takes over and types the account. */
export function RemoveDialog({ row, onClose, onRemoved }: Props) {
  const id = useId();
  const [successor, setSuccessor] = useState<string>();
  const query = useRead(
    agent.delPreview,
    successor === undefined ? undefined : { deleteId: row.id, replaceAccount: successor },
    { staleTime: 0 },
  );
  const preview = query.data;

  return (
    <ActionDialog
      call={agent.del}
      input={{ deleteId: row.id, replaceAccount: successor ?? '' }}
      onDone={() => {
        onClose();
        onRemoved(row.id);
      }}
      title="删除代理"
      verb={preview?.second ? '提交复核' : '删除代理'}
      width={640}
      danger
      details={agentDetails(row)}
      consequence={`删除后该代理不能再登录，账号不能再使用，不能恢复；名下的用户、下级代理和进行中的业务由接替代理继续。${
        preview?.second ? '提交后由另一位复核员通过才会执行。' : ''
      }`}
      blocked={successor === undefined ? '请选择接替代理' : refusalOf(query)}
      query={successor === undefined ? undefined : query}
      loading={successor !== undefined && query.isFetching}
      reason={{ required: true, chips: REASONS }}
      challenge={{ label: '请输入账号以确认', expect: row.account }}
      onClose={onClose}
    >
      <div className="ht-dialog-field">
        <label htmlFor={id}>接替代理</label>
        <AgentPicker
          id={id}
          label="接替代理"
          value={successor}
          onChange={setSuccessor}
          disabledReasons={{ [row.account]: '被删除的代理' }}
        />
      </div>
      {preview && <Preview preview={preview} />}
    </ActionDialog>
  );
}

/** What the successor would take over, or why the server would refuse it. */
function Preview({ preview }: { preview: AgentDelPreview }) {
  const { agents, users, ownUsers, children, waiting, lost, refusal } = preview;
  const firstChildren = children.slice(0, CHILDREN_LISTED).join('、');
  return (
    <dl className="ht-agent-preview" aria-label="删除预览">
      <DetailItem label="移交用户">
        {users.toLocaleString('en-US')} 位（直属 {ownUsers.toLocaleString('en-US')} 位）
      </DetailItem>
      <DetailItem label="移交代理">
        {agents.toLocaleString('en-US')} 个
        {children.length > 0 &&
          `；直属：${firstChildren}${children.length > CHILDREN_LISTED ? ` 等 ${children.length} 个` : ''}`}
      </DetailItem>
      <DetailItem label="进行中">
        {waiting.map(({ text, count }) => `${text} ${count.toLocaleString('en-US')}`).join('，')}
      </DetailItem>
      <LossItems lost={lost} from="接替代理" refusal={refusal} refused="不能删除" />
    </dl>
  );
}
