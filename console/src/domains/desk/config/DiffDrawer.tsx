import { config } from '@hengtai/contract/desk/config/calls';
import type { ConfigChange } from '@hengtai/contract/desk/config/schema';
import { useState } from 'react';
import { QueryPlace } from '../../../api/QueryPlace.tsx';
import { useRead } from '../../../api/hooks.ts';
import { operatorCell } from '../../../navigation/account-cells.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { MomentField } from '../../../ui/form/MomentField.tsx';
import { PageDrawer } from '../../../ui/dialog/PageDrawer.tsx';
import { Section } from '../../../ui/page/Section.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { SettingsSkeleton } from './SettingsSkeleton.tsx';
import { ValueChange } from './ValueChange.tsx';
import { nameOf, textOf } from './value.ts';

const WEEK_MS = 7 * 86_400_000;

const columns: readonly MiniColumn<ConfigChange>[] = [
  { title: '设置', cell: (one) => nameOf(one) },
  { title: '变化', cell: changeCell },
  { title: '次数', right: true, cell: ({ changes }) => changes },
  { title: '最后修改', cell: ({ at, by }) => <LastChange at={at} by={by} /> },
];

function LastChange({ at, by }: Pick<ConfigChange, 'at' | 'by'>) {
  return (
    <>
      {operatorCell(by)} · <Time value={at} />
    </>
  );
}

function changeCell(one: ConfigChange) {
  const isSame = textOf({ ...one, ...one.before }) === textOf({ ...one, ...one.after });
  if (isSame) return <span className="ht-value-faint">{textOf({ ...one, ...one.after })}（改过又改回）</span>;
  return <ValueChange setting={one} before={one.before} after={one.after} />;
}

/** 对比: settings that differ between two points in time. */
export function DiffDrawer({ onClose }: { onClose: () => void }) {
  const [range, setRange] = useState<{ from: number; to?: number | undefined }>(() => ({ from: Date.now() - WEEK_MS }));
  const { from, to } = range;
  const isReversed = to !== undefined && from > to;
  const query = useRead(
    config.diff,
    { from, ...(to !== undefined && { to }) },
    { enabled: !isReversed, keepPrevious: true, staleTime: 0 },
  );
  const { data } = query;
  return (
    <PageDrawer open width="clamp(720px, 60vw, 1000px)" title="设置对比" onClose={onClose}>
      <div className="ht-config-span">
        <label htmlFor="config-diff-from">从</label>
        <MomentField
          id="config-diff-from"
          value={from}
          onChange={(at) => at !== undefined && setRange({ ...range, from: at })}
        />
        <label htmlFor="config-diff-to">到</label>
        <MomentField id="config-diff-to" value={to} onChange={(at) => setRange({ from, to: at })} />
        <span className="ht-value-faint">{to === undefined ? '未选结束时间，即为现在' : ''}</span>
      </div>
      {isReversed ? (
        <p className="ht-value-warn" role="alert">
          开始时间不能晚于结束时间。
        </p>
      ) : data ? (
        <Changes list={data} />
      ) : (
        <QueryPlace query={query}>
          <SettingsSkeleton lines={4} />
        </QueryPlace>
      )}
    </PageDrawer>
  );
}

function Changes({ list }: { list: readonly ConfigChange[] }) {
  if (list.length === 0) return <p className="ht-value-faint">这段时间内没有设置变更过。</p>;
  const groups = [...new Set(list.map(({ group }) => group))];
  return groups.map((group) => (
    <Section key={group} title={group}>
      <MiniTable
        label={group}
        rows={list.filter((one) => one.group === group)}
        keyOf={({ id }) => id}
        empty=""
        columns={columns}
      />
    </Section>
  ));
}
