import { termLabels } from '@hengtai/contract/withdraw-limit-labels';
import { withdrawLimit } from '@hengtai/contract/withdraw-limit';
import type { LimitCoin, LimitVersion } from '@hengtai/contract/withdraw-limit.schema';
import { useRead } from '../../api/hooks.ts';
import { DetailDrawer } from '../../lists/DetailDrawer.tsx';
import { operatorDetail } from '../../navigation/account-cells.tsx';
import { Section } from '../../ui/Section.tsx';
import { Time } from '../../ui/Time.tsx';
import { type TierRow, diffTerms, inheritedTerms } from './words.ts';

interface Props {
  coin: LimitCoin;
  row: TierRow;
  onClose: () => void;
}

/** All versions of the terms of a level or a group for a coin, each with its differences from the one before. */
export function VersionsDrawer({ coin: { marketId, marketName }, row: { tier, name }, onClose }: Props) {
  const { level, groupId } = tier;
  const input = groupId === null ? { marketId, level: level as 0 | 1 | 2 } : { marketId, groupId };
  const found = useRead(withdrawLimit.versions, input);
  return (
    <DetailDrawer open width={640} title={`提现限额的版本：${name} · ${marketName}`} onClose={onClose} query={found}>
      {(versions) => (
        <Section title="版本" aside={`共 ${versions.length} 版`}>
          <Versions versions={versions} unit={marketName} />
        </Section>
      )}
    </DetailDrawer>
  );
}

/** Latest first. */
const Versions = ({ versions, unit }: { versions: readonly LimitVersion[]; unit: string }) => (
  <ol className="limit-versions" aria-label="历次版本">
    {versions.map((version, index) => (
      <li key={version.version}>
        <p>
          <b>第 {version.version} 版</b>
          <span className="ht-faint">
            {' '}
            {operatorDetail(version.by)} · <Time value={version.createdAt} />
          </span>
        </p>
        <ul>
          {diffTerms(versions[index + 1] ?? inheritedTerms, version, unit).map(({ name, before, after }) => (
            <li key={name}>
              {termLabels[name]}：{before} → {after}
            </li>
          ))}
        </ul>
        {version.reason !== '' && <p>原因：{version.reason}</p>}
      </li>
    ))}
  </ol>
);
