import type { AgentDetail } from '@hengtai/contract/people/agent/schema';
import { agentDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { useMe } from '../../../api/me.ts';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { MoneySection } from './MoneySection.tsx';
import { actionDisabledReasonOf } from './words.ts';
import { abilitiesOf, stateTag } from './columns.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';

interface Props {
  detail: AgentDetail;
  onOpen: (id: number) => void;
  onLink: () => void;
}

/** Path, counts and details of an agent. */
export function ProfilePart({ detail, onOpen, onLink }: Props) {
  const { row, path, children, ownUsers, workingBelow, sessions, approvals } = detail;
  const account = encodeURIComponent(row.account);
  return (
    <>
      <nav className="ht-agent-path" aria-label="上级路径">
        <ol>
          {path.map((step) => (
            <li key={step.id}>
              {step.id === row.id ? (
                <span aria-current="page">{step.account}</span>
              ) : (
                <button type="button" className="ht-navigation-link" onClick={() => onOpen(step.id)}>
                  {step.account}
                </button>
              )}
            </li>
          ))}
        </ol>
        <PageLink to={treeAddress(detail)}>在树中查看</PageLink>
      </nav>
      <dl className="ht-lists-figures ht-agent-figures">
        <Figure label="用户" value={row.userCount} note={`直属 ${formatCount(ownUsers)}`} />
        <Figure
          label="下级代理"
          value={row.agentCount}
          note={`直属 ${formatCount(children)}，启用 ${formatCount(workingBelow)}`}
        />
        <Figure label="在线会话" value={sessions} />
        <Figure
          label="待复核申请"
          value={approvals.made}
          note={approvals.about > 0 ? `针对本代理 ${approvals.about}` : '由其提交'}
        />
      </dl>
      <MoneySection account={row.account} />
      <Section
        title="资料"
        more={
          <>
            <PageLink to={`/user?agentRoot=${account}`}>查看用户</PageLink>
            <PageLink to={`/agent?parentAccount=${account}`}>直属下级</PageLink>
            <PageLink to={`/session?account=${account}`}>登录会话</PageLink>
          </>
        }
      >
        <dl className="ht-value-details ht-agent-facts">
          <DetailItem label="账号" wide>
            {row.account}
          </DetailItem>
          <DetailItem label="代理编号">{row.id}</DetailItem>
          <DetailItem label="状态">{stateTag(row.state)}</DetailItem>
          <DetailItem label="层级">{row.depth}</DetailItem>
          <DetailItem label="上级账号">{agentDetail(row.parentAccount)}</DetailItem>
          <DetailItem label="顶级代理">{agentDetail(row.root)}</DetailItem>
          <DetailItem label="登录 IP">{row.lastLoginIp ?? '--'}</DetailItem>
          <TimeItem label="创建时间" value={row.createdAt} />
          <TimeItem label="最近登录" value={row.lastLoginAt} />
          <TimeItem label="更新时间" value={row.updatedAt} />
          {detail.oidc && <OidcItem detail={detail} onLink={onLink} />}
          <DetailItem label="权限" wide>
            {abilitiesOf(row)}
          </DetailItem>
          <DetailItem label="备注" wide>
            {row.remark || '--'}
          </DetailItem>
        </dl>
      </Section>
    </>
  );
}

/** The linked account at the identity provider, and the button that changes it. */
function OidcItem({ detail, onLink }: Pick<Props, 'detail' | 'onLink'>) {
  const me = useMe();
  const { row, changeable, oidc } = detail;
  return (
    <DetailItem label="企业账号" wide>
      {oidc?.subject ?? '未关联'}{' '}
      <GreyedAction disabledReason={actionDisabledReasonOf(me, row, 'oidc', changeable)} onClick={onLink}>
        {oidc?.subject === null ? '关联' : '更改'}
      </GreyedAction>
    </DetailItem>
  );
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

/** Address of the tree reduced to this branch, expanded down to the agent, with its drawer open. */
function treeAddress({ row, path }: AgentDetail): string {
  // The admin is not a row of the tree.
  const steps = path.filter((_, index) => row.depth - (path.length - 1 - index) >= 1).map(({ id }) => id);
  return `/agent?branch=${steps[0] ?? row.id}&expand=${steps.slice(0, -1).join('.')}&open=${row.id}`;
}

function Figure({ label, value, note }: { label: string; value: number; note?: string }) {
  return (
    <DetailItem label={label}>
      {formatCount(value)}
      {note && <small>{note}</small>}
    </DetailItem>
  );
}
