import { SETTLEMENT } from '@hengtai/contract/values/money';
import { binaryContract, binaryContractConfigStates } from '@hengtai/contract/trading/binary-contract/calls';
import type {
  BinaryContractConfigRow,
  BinaryContractConfigVersion,
} from '@hengtai/contract/trading/binary-contract/schema';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/hooks.ts';
import { DetailDrawer } from '../../../lists/DetailDrawer.tsx';
import { VersionList } from '../../../lists/VersionList.tsx';
import { DetailItem } from '../../../ui/value/DetailItem.tsx';
import { Money } from '../../../ui/value/Money.tsx';
import { Section } from '../../../ui/page/Section.tsx';

interface Props {
  id: number | undefined;
  actions: (row: BinaryContractConfigRow) => ReactNode;
  onClose: () => void;
}

/** A setting of binary contracts and its versions, which contracts name. It opens also after the setting was deleted. */
export function ConfigDrawer({ id, actions, onClose }: Props) {
  const query = useRead(binaryContract.configDetail, id === undefined ? undefined : { id });
  const row = query.data?.row ?? undefined;
  return (
    <DetailDrawer
      open={id !== undefined}
      width={640}
      title={`秒合约设置 #${id ?? ''}`}
      {...(row && { footer: actions(row) })}
      onClose={onClose}
      query={query}
    >
      {({ versions }) => (
        <>
          {row ? (
            <dl className="ht-value-details">
              {fields.map(({ label, render }) => (
                <DetailItem key={label} label={label}>
                  {render(row)}
                </DetailItem>
              ))}
              <DetailItem label="进行中">{row.running} 笔</DetailItem>
            </dl>
          ) : (
            <p className="ht-value-faint">设置已删除，合约按下单时的版本结算。</p>
          )}
          <Section title="版本" aside={`共 ${versions.length} 版`}>
            <VersionList
              label="历次版本"
              versions={versions}
              renderChanges={(version, before) => <Changes version={version} before={before} />}
            />
          </Section>
        </>
      )}
    </DetailDrawer>
  );
}

type Settings = Omit<BinaryContractConfigVersion, 'version' | 'by' | 'createdAt' | 'state'> & { state: number };

const fields: readonly { name: keyof Settings; label: string; render: (settings: Settings) => ReactNode }[] = [
  { name: 'marketName', label: '市场', render: ({ marketName }) => marketName },
  { name: 'seconds', label: '时长', render: ({ seconds }) => `${seconds} 秒` },
  { name: 'payoutRate', label: '收益率', render: ({ payoutRate }) => `${payoutRate}%` },
  { name: 'minAmount', label: '最小下单', render: ({ minAmount }) => <Money value={minAmount} unit={SETTLEMENT} /> },
  {
    name: 'maxAmount',
    label: '最大下单',
    render: ({ maxAmount }) => (maxAmount === '0' ? '不限' : <Money value={maxAmount} unit={SETTLEMENT} />),
  },
  { name: 'sort', label: '排序', render: ({ sort }) => sort },
  { name: 'state', label: '状态', render: ({ state }) => binaryContractConfigStates[state as 0 | 1] },
];

interface ChangesProps {
  version: BinaryContractConfigVersion;
  before: BinaryContractConfigVersion | undefined;
}

/** What a version changed in the one before it, or all of the first one that is kept. */
const Changes = ({ version, before }: ChangesProps) => (
  <ul>
    {fields
      .filter(({ name }) => before?.[name] !== version[name])
      .map(({ label, name, render }) => (
        <li key={name}>
          {label}：{before && <>{render(before)} → </>}
          {render(version)}
        </li>
      ))}
  </ul>
);
