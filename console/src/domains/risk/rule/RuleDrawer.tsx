import { rule } from '@hengtai/contract/risk/rule/calls';
import { ruleStates, RULE } from '@hengtai/contract/risk/rule/facts';
import type { RuleDetail, RuleVersion } from '@hengtai/contract/risk/rule/schema';
import { type ChoiceNames, ruleChanges, ruleTexts } from '@hengtai/contract/risk/rule/text';
import { useState } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { VersionList } from '../../../lists/VersionList.tsx';
import { operatorDetail } from '../../../navigation/account-cells.tsx';
import { PageLink } from '../../../navigation/PageLink.tsx';
import { DetailItem, TimeItem } from '../../../ui/value/DetailItem.tsx';
import { type MiniColumn, MiniTable } from '../../../ui/table/MiniTable.tsx';
import { Section, latestText } from '../../../ui/page/Section.tsx';
import { StateTag } from '../../../ui/value/StateTag.tsx';
import { Time } from '../../../ui/value/Time.tsx';
import { presetRange, useZone } from '../../../ui/value/zone.ts';
import { BacktestPanel } from './exported/BacktestPanel.tsx';
import { backtestOf } from './exported/backtest.ts';
import { choicesOf, useChoiceNames } from './exported/choice-names.ts';
import { ruleTones } from './words.ts';

interface Props {
  id: number | undefined;
  onClose: () => void;
}

/** One rule: its content, its backtest, its versions with their differences, and the sets that ran it. */
export function RuleDrawer({ id, onClose }: Props) {
  const query = useRead(rule.detail, id === undefined ? undefined : { id });
  return (
    <DetailDrawer
      open={id !== undefined}
      width={760}
      title={query.data ? `规则：${query.data.row.name}` : `规则 #${id ?? ''}`}
      onClose={onClose}
      query={query}
    >
      {(detail) => <Content detail={detail} />}
    </DetailDrawer>
  );
}

function Content({ detail: { row, versions, sets } }: { detail: RuleDetail }) {
  const names = useChoiceNames(choicesOf(versions.flatMap(({ conditions }) => conditions)));
  const zone = useZone();
  const [from] = useState(() => presetRange('近7天', Date.now(), zone).from);
  return (
    <>
      <dl className="ht-value-details">
        <DetailItem label="状态">
          <StateTag state={row.state} labels={ruleStates} tones={ruleTones} />
        </DetailItem>
        <DetailItem label="版本">第 {row.version} 版</DetailItem>
        <TimeItem label="建立" value={row.createdAt} />
        <TimeItem label="最近修改" value={row.updatedAt} />
        <DetailItem label="命中" wide>
          <PageLink to={`/withdraw?ruleId=${row.id}&from=${from}`}>近 7 天命中的提现</PageLink>
        </DetailItem>
      </dl>
      <Section title="内容">
        <ul className="ht-rule-lines">
          {ruleTexts(row, names).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Section>
      <Section title="回测">
        <BacktestPanel
          key={row.id}
          backtest={backtestOf({ ids: [row.id] })}
          canCombine={row.state !== RULE.effective}
        />
      </Section>
      <Section title="版本" aside={`共 ${versions.length} 版`}>
        <VersionList
          label="历次版本"
          versions={versions}
          renderBy={installedBy}
          renderChanges={(version, before) => <Changes before={before} after={version} names={names} />}
        />
      </Section>
      <Section title="运行" aside={latestText(sets.length, '个规则集')}>
        <MiniTable
          label="运行过此规则的规则集"
          rows={sets}
          keyOf={({ set }) => set}
          columns={setColumns}
          empty="还没有运行过"
        />
      </Section>
    </>
  );
}

const installedBy = (account: string | null) => (account === '' ? '随安装建立' : operatorDetail(account));

const setColumns: readonly MiniColumn<RuleDetail['sets'][number]>[] = [
  { title: '规则集', cell: ({ set }) => set },
  { title: '版本', cell: ({ version }) => `第 ${version} 版` },
  { title: '方式', cell: ({ trial }) => ruleStates[trial ? RULE.trial : RULE.effective] },
  { title: '变更人', cell: ({ by }) => installedBy(by) },
  { title: '时间', cell: ({ at }) => <Time value={at} /> },
];

const WORDS = { added: '增加', removed: '去掉' } as const;

interface ChangesProps {
  before: RuleVersion | undefined;
  after: RuleVersion;
  names: ChoiceNames;
}

function Changes({ before, after, names }: ChangesProps) {
  if (!before) return <p className="ht-value-faint">新建</p>;
  const changes = ruleChanges(before, after, names);
  if (changes.length === 0) return <p className="ht-value-faint">内容没有变化</p>;
  return (
    <ul className="ht-rule-lines">
      {changes.map(({ kind, text }) => (
        <li key={`${kind} ${text}`} data-kind={kind}>
          {WORDS[kind]} {text}
        </li>
      ))}
    </ul>
  );
}
