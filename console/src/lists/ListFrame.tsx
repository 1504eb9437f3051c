import type { ReactNode } from 'react';
import type { List } from './list.ts';
import { type ViewedList, useViews } from './views.ts';
import { ExportButton } from './ExportButton.tsx';
import { ColumnSettings } from '../ui/ColumnSettings.tsx';
import { FilterBar, type Options } from '../ui/FilterBar.tsx';
import { ListTools } from '../ui/ListTools.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';
import { ResourceTable, type ResourceTableProps } from '../ui/ResourceTable.tsx';
import type { Column } from '../ui/columns.ts';
import type { CoinSum } from '../ui/list-view.ts';
import { useColumns } from '../ui/use-columns.ts';
import { ViewChips } from './ViewChips.tsx';

type Table<Row extends { id: number }, Sum> = Omit<ResourceTableProps<Row, Sum>, 'list' | 'columns' | 'label'>;

interface Props<Row extends { id: number }, Sum, F> extends Table<Row, Sum> {
  title: string;
  /** Secondary text next to the title; `tools` are actions of the page. */
  note?: ReactNode;
  tools?: ReactNode;
  /** Content between heading and filters. */
  above?: ReactNode;
  list: List<Row, Sum, F>;
  columns: readonly Column<Row>[];
  /** Options of filters that are only known at run time, by field. */
  options?: Readonly<Record<string, Options | undefined>>;
  /** Dialogs and drawers. */
  children?: ReactNode;
}

/** Layout of a list page: heading, filters, views, tools and table. */
export function ListFrame<Row extends { id: number }, Sum extends CoinSum, F>({
  title,
  note,
  tools,
  above,
  list,
  columns,
  options,
  children,
  ...table
}: Props<Row, Sum, F>) {
  const viewedList: ViewedList = { ...list, choose: (choice, more) => list.choose({ ...choice }, more) };
  const views = useViews(viewedList);
  const saved = views.active?.saved;
  // Pages with base filters have their own column choice, so that hiding a column affects only them.
  const columnsKey = list.baseFilters ? [list.name, ...Object.values(list.baseFilters)].join('/') : list.name;
  const columnState = useColumns(columnsKey, columns, saved?.columns ? saved : undefined);
  const refreshAll = () => {
    list.refresh();
    views.refresh();
  };
  return (
    <div className="ht-page">
      <PageHeading title={title} note={note}>
        {tools}
      </PageHeading>
      {above}
      <FilterBar
        spec={list.spec}
        filters={list.state.filters}
        from={list.state.from}
        to={list.state.to}
        {...(options && { options })}
        onQuery={list.choose}
        onReset={list.reset}
      >
        <ListTools
          list={{ ...list, refresh: refreshAll }}
          download={
            <ExportButton
              call={list.call}
              state={list.state}
              baseFilters={list.baseFilters}
              placed={columnState.placed}
            />
          }
          columns={<ColumnSettings {...columnState} {...(saved?.columns && { of: saved.name })} />}
        />
      </FilterBar>
      <ViewChips list={viewedList} views={views} columns={columnState} />
      <ResourceTable label={title} list={list} columns={columnState} {...table} />
      {children}
    </div>
  );
}
