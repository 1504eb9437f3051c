import './security.css';
import { SESSION, session } from '@hengtai/contract/house/session/calls';
import type { SessionRow } from '@hengtai/contract/house/session/schema';
import { Button } from 'antd';
import { toDisplayError } from '../../../api/display-error.ts';
import { newKey, useAction, useRead } from '../../../api/hooks.ts';
import { runWithErrorToast } from '../../../api/run-with-toast.ts';
import { ConfirmableAction } from '../../../ui/dialog/ConfirmableAction.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { browserOf } from '../../../ui/browser/browser.ts';
import { ErrorState } from '../../../ui/table/list-states.tsx';
import { openPath } from '../../../navigation/open-path.ts';

const REFETCH_MS = 30_000;

/** Active sessions of the operator; each, or all others, can be ended. */
export function OwnSessions({ account }: { account: string }) {
  const { data, error, refetch } = useRead(
    session.list,
    { account, state: SESSION.online, size: 50 },
    { refetchMs: REFETCH_MS },
  );
  const kick = useAction(session.kick);
  const kickOthers = useAction(session.kickOthers);

  const rows = [...(data?.list ?? [])].sort((a, b) => b.current - a.current || b.lastSeenAt - a.lastSeenAt);
  const others = rows.filter(({ current }) => current === 0).length;
  return (
    <Section
      title="我的登录会话"
      aside={data && `${data.total} 个在线`}
      more={
        <Button type="link" size="small" onClick={() => openPath('/session')}>
          全部会话
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState error={toDisplayError(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <ul className="ht-security-sessions">
            {rows.map((row) => (
              <OwnSession
                key={row.id}
                row={row}
                onKick={() => runWithErrorToast(() => kick.submit({ id: row.id }, newKey()), `已结束会话 · ${row.ip}`)}
              />
            ))}
          </ul>
          <ConfirmableAction
            disabledReason={others === 0 ? '没有其他会话' : undefined}
            question={`结束其他 ${others} 个会话？`}
            onYes={() => runWithErrorToast(() => kickOthers.submit({}, newKey()), `已结束其他 ${others} 个会话`)}
          >
            结束其他会话
          </ConfirmableAction>
        </>
      ) : (
        <span className="ht-page-skeleton-line" />
      )}
    </Section>
  );
}

function OwnSession({ row, onKick }: { row: SessionRow; onKick: () => Promise<void> }) {
  return (
    <li>
      <div>
        <b title={row.userAgent}>{browserOf(row.userAgent)}</b>
        {row.current === 1 && <span className="ht-security-tag">当前</span>}
        {row.known === 0 && row.current === 0 && <span className="ht-security-tag ht-security-tag-warn">新设备</span>}
        <p>
          {row.ip}　最近活动 <Time value={row.lastSeenAt} short />
        </p>
      </div>
      <ConfirmableAction
        disabledReason={row.current === 1 ? '这是当前会话，请使用「退出登录」' : undefined}
        question={`结束 ${row.ip} 的会话？`}
        onYes={onKick}
      >
        结束
      </ConfirmableAction>
    </li>
  );
}
