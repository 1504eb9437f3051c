import { operatorDetail, userDetail } from '../navigation/account-cells.tsx';
import { DetailItem } from '../ui/value/DetailItem.tsx';
import { Hash } from '../ui/value/Hash.tsx';
import { type MiniColumn, MiniTable } from '../ui/table/MiniTable.tsx';
import { Section, latestText } from '../ui/page/Section.tsx';
import { entryColumns } from '../records/order-parts.tsx';
import { PageLink } from '../navigation/PageLink.tsx';

/** Platform commands of a record; renders nothing if there are none. */
export function CommandsPart<C extends { id: number }>(props: {
  title: string;
  rows: readonly C[];
  columns: readonly MiniColumn<C>[];
}) {
  const { title, rows, columns } = props;
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <MiniTable label={title} rows={rows} keyOf={({ id }) => id} empty="没有指令" columns={columns} />
    </Section>
  );
}

type Entry = Parameters<(typeof entryColumns)[number]['cell']>[0] & { id: number };

/** Ledger entries of a record, with a link to all entries of the user. */
export function EntriesPart(props: { rows: readonly Entry[]; userId: number; platform: number }) {
  const { rows, userId, platform } = props;
  return (
    <Section
      title="资金变动"
      aside={latestText(rows.length, '条')}
      more={<PageLink to={`/fund/record?userId=${userId}&platform=${platform}`}>查看全部</PageLink>}
    >
      <MiniTable label="资金变动" rows={rows} keyOf={({ id }) => id} empty="没有资金变动" columns={entryColumns} />
    </Section>
  );
}

export function UserItem({ userId, account }: { userId: number; account: string }) {
  return (
    <DetailItem label="用户">
      {userDetail(account, userId)}（{userId}）
    </DetailItem>
  );
}

/** Operator and reason of a manual end, and the order number of the platform. */
export function OrderItems(props: { who: string; by: string | null; reason: string; no: string }) {
  const { who, by, reason, no } = props;
  return (
    <>
      {by !== null && (
        <>
          <DetailItem label={who}>{operatorDetail(by)}</DetailItem>
          <DetailItem label="原因">{reason || '--'}</DetailItem>
        </>
      )}
      <DetailItem wide label="平台单号">
        <Hash full value={no} label="平台单号" />
      </DetailItem>
    </>
  );
}
