import { credentialLabels } from '@hengtai/contract/people/user/calls';
import type { UserDetail } from '@hengtai/contract/people/user/schema';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';

const kindOf = (kind: string): string => (credentialLabels as Readonly<Record<string, string>>)[kind] ?? kind;
const device = (name: string | null) =>
  name === null ? (
    <span className="ht-value-faint">平台未提供</span>
  ) : (
    <span className="ht-value-clip" title={name}>
      {name}
    </span>
  );

const loginColumns: readonly MiniColumn<UserDetail['logins'][number]>[] = [
  { title: '时间', cell: ({ at }) => <Time value={at} /> },
  { title: 'IP', cell: ({ ip }) => ip || '--' },
  { title: '设备', cell: (login) => device(login.device) },
];

const deviceColumns: readonly MiniColumn<UserDetail['devices'][number]>[] = [
  { title: '设备', cell: (one) => device(one.device) },
  { title: '登录次数', right: true, cell: ({ times }) => times },
  { title: '首次', cell: ({ firstAt }) => <Time value={firstAt} /> },
  { title: '最近', cell: ({ lastAt }) => <Time value={lastAt} /> },
  { title: '最近 IP', cell: ({ lastIp }) => lastIp || '--' },
];

const credentialColumns: readonly MiniColumn<UserDetail['credentials'][number]>[] = [
  { title: '内容', cell: ({ kind }) => kindOf(kind) },
  { title: '时间', cell: ({ at }) => <Time value={at} /> },
];

/** Devices, changes of credentials and logins of the user. */
export function LoginsPart({ detail: { logins, devices, credentials } }: { detail: UserDetail }) {
  return (
    <>
      <Section title="设备" aside={`${devices.length} 个`}>
        <MiniTable
          label="设备"
          rows={devices}
          keyOf={(one) => one.device ?? ''}
          empty="没有登录过"
          columns={deviceColumns}
        />
      </Section>
      <Section title="登录凭证变更" aside="影响提现的风险提示">
        <MiniTable
          label="登录凭证变更"
          rows={credentials}
          keyOf={({ kind, at }) => `${kind}${at}`}
          empty="没有变更"
          columns={credentialColumns}
        />
      </Section>
      <Section title="登录记录" aside={latestText(logins.length, '次')}>
        <MiniTable label="登录记录" rows={logins} keyOf={({ id }) => id} empty="没有登录过" columns={loginColumns} />
      </Section>
    </>
  );
}
