import { kycStates } from '@hengtai/contract/risk/kyc/calls';
import type { KycDetail, KycRevealed } from '@hengtai/contract/risk/kyc/schema';
import { userStates } from '@hengtai/contract/people/user/calls';
import { OpenRequest } from '../../../actions/OpenRequest.tsx';
import { userAccount } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { CopyButton } from '../../../ui/value/CopyButton.tsx';
import { GreyedAction } from '../../../ui/dialog/GreyedAction.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { kycTones, idTypeText, ensureMaskedName, ensureMaskedNumber } from './columns.tsx';
import { NO_ABILITY, levelText } from './actions.ts';
import { CaseState } from '../../../records/CaseLayout.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';
import { DocumentNumberItem } from './DocumentNumberItem.tsx';

interface Props {
  detail: KycDetail;
  revealed: KycRevealed | undefined;
  hasAbility: boolean;
  onReveal: () => void;
}

/** What is decided: the level, and the doubt about the document that matters most. */
export function Head({ detail: { row, same, approval } }: Pick<Props, 'detail'>) {
  return (
    <>
      <div className="ht-records-case-hero">
        <b className="ht-kyc-level">{levelText(row.level)}</b>
        <span>
          {idTypeText(row.idType)} · {row.country}
        </span>
        {same.users > 0 && (
          <span className="ht-value-risk" data-grave>
            另有 {same.users} 位用户使用同一证件
          </span>
        )}
        {same.outside && (
          <span className="ht-value-risk" data-grave>
            另有范围外账号
          </span>
        )}
        {same.users === 0 && !same.outside && (
          <span className="ht-value-risk ht-value-risk-none">没有其他用户使用同一证件</span>
        )}
        <CaseState state={row.state} labels={kycStates} tones={kycTones} />
      </div>
      {approval.openId !== null && (
        <dl className="ht-records-case-facts">
          <OpenRequest approval={approval} />
        </dl>
      )}
    </>
  );
}

/** The submitted data, other users of the document, the customer and its devices. */
export function Details({ detail, revealed, hasAbility, onReveal }: Props) {
  const { row, document, user, same, devices } = detail;
  return (
    <>
      <Section
        title="提交的信息"
        more={
          !revealed && (
            <GreyedAction disabledReason={hasAbility ? undefined : NO_ABILITY} hint="V" onClick={onReveal}>
              查看完整
            </GreyedAction>
          )
        }
      >
        <dl className="ht-value-details">
          <DetailItem label="姓名">
            <MaskedValue value={revealed?.name} masked={ensureMaskedName(row.name)} what="姓名" />
          </DetailItem>
          <DetailItem label="证件号码">
            <MaskedValue value={revealed?.idNumber} masked={ensureMaskedNumber(row.idNumber)} what="证件号码" />
          </DetailItem>
          {document && <DocumentNumberItem document={document} isRevealed={revealed !== undefined} />}
          {row.reason !== '' && <DetailItem label="原因">{row.reason}</DetailItem>}
        </dl>
      </Section>
      {same.users > 0 && (
        <Section title="使用相同证件号码的用户" aside={`${same.users} 位，只统计本人可见范围`}>
          <MiniTable
            label="使用相同证件号码的用户"
            rows={same.list}
            keyOf={({ userId }) => userId}
            empty=""
            isMarked={() => true}
            columns={sameColumns}
          />
        </Section>
      )}
      <CustomerDetails user={user} />
      <Section title="登录设备">
        {devices.length === 0 && <p className="ht-value-faint">没有登录记录</p>}
        <ul className="ht-records-case-lines" aria-label="登录设备">
          {devices.map(({ device, times, firstAt, lastAt, lastIp }) => (
            <li key={`${device ?? ''}${lastAt}`}>
              <span>{device ?? '未知设备'}</span>
              <span className="ht-value-faint">
                {times} 次 · 首次 <Time value={firstAt} near /> · 最近 <Time value={lastAt} near />
              </span>
              <span>{lastIp}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function MaskedValue({ value, masked, what }: { value: string | undefined; masked: string; what: string }) {
  if (value === undefined) return <span className="ht-kyc-veil">{masked}</span>;
  return (
    <b className="ht-kyc-clear">
      {value}
      <CopyButton text={value} label={what} />
    </b>
  );
}

const sameColumns: readonly MiniColumn<KycDetail['same']['list'][number]>[] = [
  { title: '用户', cell: ({ account, userId }) => userAccount(account, userId) },
  {
    title: '账号状态',
    cell: ({ state }) => <StateTag state={state} labels={userStates} tones={{ 1: 'good', 0: 'bad' }} />,
  },
  { title: '认证编号', cell: ({ authId }) => <PageLink to={`/auth?open=${authId}`}>{authId}</PageLink> },
  { title: '认证状态', cell: ({ authState }) => <StateTag state={authState} labels={kycStates} tones={kycTones} /> },
  { title: '提交时间', cell: ({ createdAt }) => <Time value={createdAt} near /> },
];
