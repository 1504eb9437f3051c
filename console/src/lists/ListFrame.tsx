import type { ReactNode } from 'react';
import type { List } from './list.ts';
import { type ViewedList, useViews } from './views.ts';
import { ExportButton } from './ExportButton.tsx';
import { ColumnSettings } from '../ui/ColumnSettings.tsx';
import { FilterBar, type Options } from '../ui/FilterBar.tsx';
import { ListTools } from '../ui/ListTools.tsx';
import { ResourceTable, type ResourceTableProps } from '../ui/ResourceTable.tsx';
import type { Column } from '../ui/columns.ts';
import type { CoinSum } from '../ui/list-view.ts';
import { useColumns } from '../ui/use-columns.ts';
import { FilterSettings, useFilterChoice } from './FilterSettings.tsx';
import { ViewChips } from './ViewChips.tsx';

type Table<Row extends { id: number }, Sum> = Omit<ResourceTableProps<Row, Sum>, 'list' | 'columns' | 'label'>;

export interface ListFrameProps<Row extends { id: number }, Sum, F> extends Table<Row, Sum> {
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
}: ListFrameProps<Row, Sum, F>) {
  const viewedList: ViewedList = { ...list, choose: (choice, more) => list.choose({ ...choice }, more) };
  const views = useViews(viewedList);
  const saved = views.active?.saved;
  // Pages with base filters have their own column choice, so that hiding a column affects only them.
  const columnsKey = list.baseFilters ? [list.name, ...Object.values(list.baseFilters)].join('/') : list.name;
  const columnState = useColumns(columnsKey, columns, saved?.columns ? saved : undefined);
  const filterChoice = useFilterChoice(list.name, list.spec);
  const refreshAll = () => {
    list.refresh();
    views.refresh();
  };
  return (
    <div className="ht-page">
      <header className="ht-band">
        <h1>{title}</h1>
        {note && <span className="ht-heading-note">{note}</span>}
        <ViewChips list={viewedList} views={views} columns={columnState} />
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
          columns={
            <>
              <FilterSettings {...filterChoice} />
              <ColumnSettings {...columnState} {...(saved?.columns && { of: saved.name })} />
            </>
          }
        >
          {tools}
        </ListTools>
      </header>
      {above}
      <FilterBar
        spec={filterChoice.spec}
        filters={list.state.filters}
        from={list.state.from}
        to={list.state.to}
        {...(options && { options })}
        onQuery={list.choose}
        onReset={list.reset}
      />
      <ResourceTable label={title} list={list} columns={columnState} {...table} />
      {children}
    </div>
  );
}
