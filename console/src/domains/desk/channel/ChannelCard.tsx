import { CHANNELS_MAX, channel } from '@hengtai/contract/desk/channel/calls';
import type { ChannelList, ChannelRow } from '@hengtai/contract/desk/channel/schema';
import { channelKinds } from '@hengtai/contract/wire/input-values';
import { useState } from 'react';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { OneTimeSecret } from '../../../ui/dialog/OneTimeSecret.tsx';
import { PageTable } from '../../../ui/table/PageTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { ChannelDialog } from './ChannelDialog.tsx';
import { typeLabels, stateOf } from './words.ts';

/** While a message waits its result is a moment away. */
const WAITING_POLL_MS = 1_500;

type Dialog = { row?: ChannelRow };

/** The operator's channels, with the result of their last message. */
export function ChannelCard() {
  const [isWaiting, setIsWaiting] = useState(false);
  const { data, error, refetch } = useRead(channel.list, {}, { refetchMs: isWaiting && WAITING_POLL_MS });
  const hasWaiting = data?.channels.some(({ waiting }) => waiting > 0) ?? false;
  if (hasWaiting !== isWaiting) setIsWaiting(hasWaiting);
  const [dialog, setDialog] = useState<Dialog>();
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title="通知渠道"
      aside="消息只含事项名称、条数、时间和链接，不含账号、金额和地址"
      more={
        <GreyedAction look="button" primary disabledReason={reasonNotToAdd(data)} onClick={() => setDialog({})}>
          添加渠道
        </GreyedAction>
      }
    >
      {error && !data ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <Channels data={data} onEdit={(row) => setDialog({ row })} />
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
      {dialog && data && (
        <ChannelDialog
          {...dialog}
          house={data}
          onClose={() => setDialog(undefined)}
          onDone={(saved) => {
            setDialog(undefined);
            setSecret(saved.secret);
          }}
        />
      )}
      {secret !== undefined && (
        <OneTimeSecret
          title="Webhook 签名密钥"
          what="签名密钥"
          secret={secret}
          note="接收方用它验证请求确实来自本系统。关闭后无法再次查看，只能更换。"
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}

function reasonNotToAdd(data: ChannelList | undefined): string | undefined {
  if (!data) return '正在加载';
  if (data.kinds.length === 0) return '服务器尚未配置任何外发方式，请联系运维人员';
  return data.channels.length >= CHANNELS_MAX ? `最多 ${CHANNELS_MAX} 个通知渠道` : undefined;
}

function Channels({ data, onEdit }: { data: ChannelList; onEdit: (row: ChannelRow) => void }) {
  if (data.channels.length === 0) {
    return (
      <p className="ht-page-empty">
        {data.kinds.length === 0
          ? '服务器尚未配置外发方式。运维人员设置允许的主机、邮件服务器或 Telegram 机器人后即可添加。'
          : '没有通知渠道。添加后，不打开页面也能收到待办和告警。'}
      </p>
    );
  }
  return (
    <>
      <PageTable label="通知渠道" titles={['名称', '接收方', '通知', '状态', '操作']}>
        {data.channels.map((row) => (
          <Channel key={row.id} row={row} onEdit={() => onEdit(row)} />
        ))}
      </PageTable>
      {!data.linked && <p className="ht-channel-note">服务器未设置公开地址（PUBLIC_URL），消息中没有链接。</p>}
    </>
  );
}

function Channel({ row, onEdit }: { row: ChannelRow; onEdit: () => void }) {
  const test = useAction(channel.test);
  const del = useAction(channel.del);
  const { id, name, kind, address, sentAt, error, waiting } = row;
  const state = stateOf(row);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {channelKinds[kind]}
        <span className="ht-table-page-note">{address}</span>
      </td>
      <td title={typeLabels(row).join('、')}>{row.types.length} 类</td>
      <td>
        <span className="ht-channel-state" data-tone={state.tone}>
          {state.text}
        </span>
        {waiting > 0 && <span className="ht-table-page-note">{waiting} 条待发送</span>}
        {error !== '' && <span className="ht-table-page-note">{error}</span>}
        {sentAt !== null && (
          <span className="ht-table-page-note">
            最近送达 <Time value={sentAt} short />
          </span>
        )}
      </td>
      <td>
        <GreyedAction
          disabledReason={test.pending ? '正在提交' : undefined}
          onClick={() => void runWithErrorToast(() => test.submit({ id }, newKey()), '测试消息已提交发送')}
        >
          发送测试
        </GreyedAction>
        <GreyedAction disabledReason={undefined} onClick={onEdit}>
          编辑
        </GreyedAction>
        <ConfirmableAction
          disabledReason={undefined}
          question={`删除渠道「${name}」？待发送的消息一并取消`}
          onYes={() => runWithErrorToast(() => del.submit({ id }, newKey()), '渠道已删除')}
        >
          删除
        </ConfirmableAction>
      </td>
    </tr>
  );
}
