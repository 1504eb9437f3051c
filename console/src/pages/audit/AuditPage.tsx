import './audit.css';
import { audit } from '@hengtai/contract/audit';
import { useList } from '../../api/list.ts';
import { useOpenId } from '../../api/open-id.ts';
import { ColumnSettings } from '../../ui/ColumnSettings.tsx';
import { FilterBar } from '../../ui/FilterBar.tsx';
import { GreyedAction } from '../../ui/GreyedAction.tsx';
import { ListTools } from '../../ui/ListTools.tsx';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { ResourceTable } from '../../ui/ResourceTable.tsx';
import { useColumns } from '../../ui/use-columns.ts';
import { AuditDrawer } from './AuditDrawer.tsx';
import { Verify } from './Verify.tsx';
import { auditColumns } from './columns.tsx';

/** 审计日志: what was done and refused, and whether the record of it is whole. */
export function AuditPage() {
  const list = useList(audit.list);
  const columns = useColumns(list.name, auditColumns);
  const { openId, open, close } = useOpenId();

  return (
    <div className="ht-page">
      <PageHeading title="审计日志">
        <Verify />
      </PageHeading>
      <FilterBar
        spec={list.spec}
        filters={list.state.filters}
        from={list.state.from}
        to={list.state.to}
        onQuery={list.choose}
        onReset={list.reset}
      >
        <ListTools list={list} columns={<ColumnSettings {...columns} />} />
      </FilterBar>
      <ResourceTable
        label="审计日志"
        list={list}
        columns={columns}
        openId={openId}
        onOpen={(row) => open(row.id)}
        actions={{
          width: 72,
          render: (row) => (
            <GreyedAction why={undefined} onClick={() => open(row.id)}>
              详情
            </GreyedAction>
          ),
        }}
      />
      <AuditDrawer id={openId} row={list.rows.find(({ id }) => id === openId)} onClose={close} />
    </div>
  );
}
