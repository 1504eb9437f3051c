import { DownOutlined } from '@ant-design/icons';
import { support } from '@hengtai/contract/desk/support/calls';
import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import { Button, Dropdown, Tooltip } from 'antd';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { usePopup } from '../../../ui/browser/page-visibility.ts';
import { NO_ABILITY, assigneeText } from './words.ts';
import { QueryPlace } from '../../../api/QueryPlace.tsx';

interface Props {
  row: SupportRow;
  hasAbility: boolean;
  ownAccount: string;
}

/** Shows the assignee of a conversation and assigns it to another operator. */
export function AssignMenu({ row, hasAbility, ownAccount }: Props) {
  const [open, setOpen] = usePopup();
  const query = useRead(support.operators, { id: row.id }, { enabled: open && hasAbility, staleTime: 5_000 });
  const { data = [], isPending } = query;
  const { submit, pending } = useAction(support.assign);
  const label = `处理人：${assigneeText(row, ownAccount)}`;
  const assign = async (operatorId: number) => {
    const account = data.find(({ id }) => id === operatorId)?.account;
    const done = account === undefined ? '已取消分配' : `已分配给 ${account}`;
    await runWithErrorToast(() => submit({ id: row.id, operatorId }, newKey()), `${done} · ${row.account}`);
  };
  if (!hasAbility)
    return (
      <Tooltip title={NO_ABILITY}>
        <Button size="small" aria-disabled className="ht-dialog-action ht-dialog-greyed">
          {label}
        </Button>
      </Tooltip>
    );
  const others = data.filter(({ account }) => account !== ownAccount);
  const me = data.find(({ account }) => account === ownAccount);
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      menu={{
        items: [
          ...(isPending && open ? [{ key: 'wait', label: '加载中…', disabled: true }] : []),
          ...(query.error ? [{ key: 'failed', label: <QueryPlace query={query} isSmall />, disabled: true }] : []),
          ...(me ? [{ key: String(me.id), label: `分配给我（${me.open}）`, disabled: row.assigneeId === me.id }] : []),
          ...others.map(({ id, account, open: count }) => ({
            key: String(id),
            label: `${account}（${count}）`,
            disabled: row.assigneeId === id,
          })),
          { type: 'divider' as const },
          { key: '0', label: '取消分配', disabled: row.assigned === 0 },
        ],
        onClick: ({ key }) => {
          setOpen(false);
          void assign(Number(key));
        },
      }}
    >
      <Button size="small" loading={pending}>
        {label} <DownOutlined aria-hidden />
      </Button>
    </Dropdown>
  );
}
