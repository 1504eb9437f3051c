import type { ReactNode } from 'react';
import type { List } from '../api/list.ts';
import { type ViewedList, useViews } from '../api/views.ts';
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
  /** A quiet line beside the title, and what can be done on the page. */
  note?: ReactNode;
  tools?: ReactNode;
  /** Stands between the heading and the filters. */
  above?: ReactNode;
  list: List<Row, Sum, F>;
  columns: readonly Column<Row>[];
  /** Values of filters that are known only at run time. */
  options?: Readonly<Record<string, Options | undefined>>;
  /** Dialogs and drawers of the page. */
  children?: ReactNode;
}

/** A page that is a list: heading, filters, tools and table at the places where every list has them. */
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
  const viewed: ViewedList = { ...list, choose: (chosen, more) => list.choose({ ...chosen }, more) };
  const views = useViews(viewed);
  const saved = views.active?.saved;
  // A part of a list has columns of its own: what is of no use there is hidden there only.
  const part = list.baseFilters ? [list.name, ...Object.values(list.baseFilters)].join('/') : list.name;
  const chosen = useColumns(part, columns, saved?.columns ? saved : undefined);
  const read = () => {
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
          list={{ ...list, refresh: read }}
          download={
            <ExportButton call={list.call} state={list.state} baseFilters={list.baseFilters} placed={chosen.placed} />
          }
          columns={<ColumnSettings {...chosen} {...(saved?.columns && { of: saved.name })} />}
        />
      </FilterBar>
      <ViewChips list={viewed} views={views} columns={chosen} />
      <ResourceTable label={title} list={list} columns={chosen} {...table} />
      {children}
    </div>
  );
}
