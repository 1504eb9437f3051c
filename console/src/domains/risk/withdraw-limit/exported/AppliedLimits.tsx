import { identityLevels } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { AppliedLimits as Applied } from '@hengtai/contract/risk/withdraw-limit/schema';
import { DetailItem } from '../../../../ui/value/DetailItem.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { termText } from '../words.ts';

interface Props {
  applied: Applied;
  /** The coin. */
  unit: string;
}

/** The limits that a withdrawal was judged by, with their versions. They never change. */
export function AppliedLimits({ applied, unit }: Props) {
  const { level, userGroup, levelVersion, groupVersion, usedAmount, usedCount, fee } = applied;
  const text = (name: 'singleMin' | 'singleMax' | 'dayAmount' | 'dayCount') => termText(name, applied[name], unit);
  return (
    <Section title="提现限额" aside="申请时适用">
      <dl className="ht-value-details">
        <DetailItem label="认证等级">
          {identityLevels[level]}
          {levelVersion !== null && <span className="ht-value-faint"> 第 {levelVersion} 版</span>}
        </DetailItem>
        <DetailItem label="用户组">
          {userGroup ?? '无'}
          {groupVersion !== null && <span className="ht-value-faint"> 第 {groupVersion} 版</span>}
        </DetailItem>
        <DetailItem label="单笔">
          {text('singleMin')} 至 {text('singleMax')}
        </DetailItem>
        <DetailItem label="每日额度">
          {text('dayAmount')}
          <div className="ht-value-faint">此前已用 {termText('singleMin', usedAmount, unit)}</div>
        </DetailItem>
        <DetailItem label="每日笔数">
          {text('dayCount')}
          <div className="ht-value-faint">此前 {usedCount} 笔</div>
        </DetailItem>
        <DetailItem label="手续费">{fee === null ? '由平台决定' : termText('feeFixed', fee, unit)}</DetailItem>
      </dl>
    </Section>
  );
}
