import type { SupportDetail } from '@hengtai/contract/desk/support/schema';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { supportStates } from '@hengtai/contract/desk/support/facts';
import { CustomerDetails } from '../../people/user/exported/CustomerDetails.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { assigneeText, stateTones } from './words.ts';

interface Props {
  detail: SupportDetail | undefined;
  ownAccount: string;
}

/** The customer of the conversation, with links to its records. */
export function CustomerPane({ detail, ownAccount }: Props) {
  return (
    <aside className="ht-support-side" aria-label="用户资料">
      {detail && (
        <>
          <CustomerDetails user={detail.user} />
          <Section title="会话">
            <dl className="ht-value-details">
              <DetailItem label="状态">
                <StateTag state={detail.row.state} labels={supportStates} tones={stateTones} />
              </DetailItem>
              <DetailItem label="处理人">{assigneeText(detail.row, ownAccount)}</DetailItem>
              <TimeItem label="开始" value={detail.row.createdAt} />
            </dl>
          </Section>
          <Section title="查看">
            <ul className="ht-support-links">
              <li>
                <PageLink to={`/user?open=${detail.user.id}`}>用户详情</PageLink>
              </li>
              <li>
                <PageLink to={`/withdraw?userId=${detail.user.id}`}>提现记录</PageLink>
              </li>
              <li>
                <PageLink to={`/recharge?userId=${detail.user.id}`}>充值记录</PageLink>
              </li>
              <li>
                <PageLink to={`/fund/record?userId=${detail.user.id}`}>资金记录</PageLink>
              </li>
            </ul>
          </Section>
        </>
      )}
    </aside>
  );
}
