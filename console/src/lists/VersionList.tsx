import './version-list.css';
import type { ReactNode } from 'react';
import { operatorDetail } from '../navigation/account-cells.tsx';
import { Time } from '../ui/value/Time.tsx';

interface Version {
  version: number;
  /** Account of an operator; null outside the scope. */
  by: string | null;
  createdAt: number;
  reason?: string;
}

interface Props<V extends Version> {
  label: string;
  /** Latest first. */
  versions: readonly V[];
  renderBy?: (account: string | null) => ReactNode;
  /** What a version changed in the one before it. */
  renderChanges: (version: V, before: V | undefined) => ReactNode;
}

/** All versions of something, each with who saved it, when, why, and what it changed. */
export const VersionList = <V extends Version>({
  label,
  versions,
  renderBy = operatorDetail,
  renderChanges,
}: Props<V>) => (
  <ol className="ht-lists-versions" aria-label={label}>
    {versions.map((version, index) => (
      <li key={version.version}>
        <p>
          <b>第 {version.version} 版</b>
          <span className="ht-value-faint">
            {' '}
            {renderBy(version.by)} · <Time value={version.createdAt} />
          </span>
        </p>
        {renderChanges(version, versions[index + 1])}
        {version.reason && <p>原因：{version.reason}</p>}
      </li>
    ))}
  </ol>
);
