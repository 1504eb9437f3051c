import { identityLevels } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { AppliedLimits as Applied } from '@hengtai/contract/risk/withdraw-limit/schema';
import { Section } from '../../../../ui/page/Section.tsx';
import { termText } from '../words.ts';

interface Props {
  applied: Applied;
  /** The coin. */
  unit: string;
}

const versionText = (version: number | null): string => (version === null ? '' : ` 第 ${version} 版`);

/** The limits that a withdrawal was judged by, with their versions. They never change. */
export function AppliedLimits({ applied, unit }: Props) {
  const { level, userGroup, levelVersion, groupVersion, usedAmount, usedCount, fee } = applied;
  const text = (name: 'singleMin' | 'singleMax' | 'dayAmount' | 'dayCount') => termText(name, applied[name], unit);
  const owner = [
    `${identityLevels[level]}${versionText(levelVersion)}`,
    ...(userGroup === null ? [] : [`${userGroup}${versionText(groupVersion)}`]),
  ];
  return (
    <Section title="提现限额" aside={`申请时适用：${owner.join(' · ')}`}>
      <ul className="ht-records-case-lines">
        <li>
          <span>
            单笔 {text('singleMin')} 至 {text('singleMax')}
          </span>
          <span>手续费 {fee === null ? '由平台决定' : termText('feeFixed', fee, unit)}</span>
        </li>
        <li>
          <span>
            每日 {text('dayAmount')}
            <span className="ht-value-faint"> 此前已用 {termText('singleMin', usedAmount, unit)}</span>
          </span>
          <span>
            笔数 {text('dayCount')}
            <span className="ht-value-faint"> 此前 {usedCount} 笔</span>
          </span>
        </li>
      </ul>
    </Section>
  );
}
