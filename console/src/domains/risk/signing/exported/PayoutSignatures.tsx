import '../signing.css';
import { signing } from '@hengtai/contract/risk/signing/calls';
import type { SigningRecord } from '@hengtai/contract/risk/signing/schema';
import { saveFile } from '../../../../api/file-answer.ts';
import { useRead } from '../../../../api/hooks.ts';
import { operatorCell } from '../../../../navigation/account-cells.tsx';
import { CopyButton } from '../../../../ui/value/CopyButton.tsx';
import { GreyedAction } from '../../../../ui/dialog/GreyedAction.tsx';
import { Hash } from '../../../../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../../../../ui/table/MiniTable.tsx';
import { Section } from '../../../../ui/page/Section.tsx';
import { Time } from '../../../../ui/value/Time.tsx';
import { QueryPlace } from '../../../../api/QueryPlace.tsx';

type Payout = SigningRecord['payouts'][number];
type Signer = Payout['signers'][number];

interface Props {
  withdrawId: number;
  /** Number of payouts ordered. A new one brings new signatures. */
  attempt: number;
}

const COLUMNS: readonly MiniColumn<Signer>[] = [
  { title: '签名人', cell: ({ person }) => <b>{operatorCell(person)}</b> },
  { title: '签名时间', cell: ({ at }) => <Time value={at} /> },
  { title: '密钥编号', cell: ({ key }) => <Hash value={key} label="密钥编号" /> },
];

/** Who signed the payouts of a withdrawal, and how to verify them without this system. Nothing if none was signed. */
export function PayoutSignatures({ withdrawId, attempt }: Props) {
  const query = useRead(signing.record, { id: withdrawId }, { staleTime: 0 });
  const { data } = query;
  if (!data && query.error)
    return (
      <Section title="签名">
        <QueryPlace query={query} isSmall />
      </Section>
    );
  if (!data || data.payouts.length === 0) return null;
  return (
    <>
      {data.payouts.map((payout) => (
        <Section
          key={payout.createdAt}
          title={data.payouts.length > 1 || attempt > 1 ? `签名：第 ${payout.attempt} 次打款` : '签名'}
          aside={payout.ordered ? '已随打款指令发给钱包' : '尚未打款'}
        >
          <MiniTable label="签名" rows={payout.signers} keyOf={({ key }) => key} columns={COLUMNS} empty="还没有签名" />
          <HowToVerify payout={payout} rosters={data.rosters} />
        </Section>
      ))}
    </>
  );
}

/** The two files and the command with which anybody verifies the payout. */
function HowToVerify({ payout, rosters }: { payout: Payout } & Pick<SigningRecord, 'rosters'>) {
  const roster = rosters.at(-1);
  if (!roster || payout.signers.length === 0) return null;
  const names = {
    payout: `payout-${payout.command.no}-${payout.attempt}.json`,
    roster: `roster-${roster.version}.json`,
  };
  // As of the signatures, because the wallet refuses old ones.
  const signedAt = Math.max(...payout.signers.map(({ at }) => at));
  const command = `node verify-payout.mjs ${names.payout} ${names.roster} --at ${signedAt}`;
  return (
    <details className="ht-signing-verify">
      <summary>如何核验</summary>
      <p>
        在任何装有 Node.js 的电脑上，用发行包中的 <code>scripts/verify-payout.mjs</code>{' '}
        核对签名与内容，不需要本系统；名册文件须与钱包固定的、抄写在纸上的指纹一致。
      </p>
      <p className="ht-signing-command">
        <code aria-label="核验命令">{command}</code>
        <CopyButton text={command} label="核验命令" />
      </p>
      <GreyedAction onClick={() => save(names.payout, JSON.stringify(payout.command, null, 2))}>
        下载打款与签名
      </GreyedAction>
      <GreyedAction onClick={() => save(names.roster, roster.text)}>下载名册</GreyedAction>
      <p className="ht-value-faint">签名的原文</p>
      <p className="ht-signing-source-text">
        <code>{payout.text}</code>
      </p>
    </details>
  );
}

const save = (name: string, text: string) => saveFile({ name, blob: new Blob([text], { type: 'application/json' }) });
