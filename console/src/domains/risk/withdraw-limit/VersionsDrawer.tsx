import { termLabels } from '@hengtai/contract/risk/withdraw-limit/labels';
import { inheritedTerms, withdrawLimit } from '@hengtai/contract/risk/withdraw-limit/calls';
import type { LimitCoin, LimitTerms } from '@hengtai/contract/risk/withdraw-limit/schema';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { VersionList } from '../../../lists/VersionList.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { type TierRow, diffTerms } from './words.ts';

interface Props {
  coin: LimitCoin;
  row: TierRow;
  onClose: () => void;
}

/** All versions of the terms of a level or a group for a coin, each with its differences from the one before. */
export function VersionsDrawer({ coin: { marketId, marketName }, row: { tier, name }, onClose }: Props) {
  const { level, groupId } = tier;
  const input = groupId === null ? { marketId, level: level as 0 | 1 | 2 } : { marketId, groupId };
  const query = useRead(withdrawLimit.versions, input);
  return (
    <DetailDrawer open width={640} title={`提现限额的版本：${name} · ${marketName}`} onClose={onClose} query={query}>
      {(versions) => (
        <Section title="版本" aside={`共 ${versions.length} 版`}>
          <VersionList
            label="历次版本"
            versions={versions}
            renderChanges={(version, before) => (
              <Changes before={before ?? inheritedTerms} after={version} unit={marketName} />
            )}
          />
        </Section>
      )}
    </DetailDrawer>
  );
}

interface ChangesProps {
  before: LimitTerms;
  after: LimitTerms;
  unit: string;
}

const Changes = ({ before, after, unit }: ChangesProps) => (
  <ul>
    {diffTerms(before, after, unit).map((change) => (
      <li key={change.name}>
        {termLabels[change.name]}：{change.before} → {change.after}
      </li>
    ))}
  </ul>
);
