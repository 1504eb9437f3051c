import '../ui/page/page-heading.css';
import './list-frame.css';
import { type ReactNode, useMemo } from 'react';
import type { List } from './list.ts';
import { type ViewedList, useViews } from './views.ts';
import { ExportButton } from './ExportButton.tsx';
import { ColumnSettings } from '../ui/table/ColumnSettings.tsx';
import { FilterBar } from '../ui/form/FilterBar.tsx';
import type { Options } from '../ui/form/FilterField.tsx';
import { GreyedAction } from '../ui/dialog/GreyedAction.tsx';
import { ListTools } from '../ui/table/ListTools.tsx';
import { ResourceTable, type ResourceTableProps } from '../ui/table/ResourceTable.tsx';
import type { Column } from '../ui/table/columns.ts';
import type { CoinSum } from '../ui/table/list-view.ts';
import { useColumns } from '../ui/table/use-columns.ts';
import { WaitingMarks } from '../actions/WaitingMark.tsx';
import { usePageTitle } from '../navigation/page-route.ts';
import { FilterSettings, useFilterChoice } from './FilterSettings.tsx';
import { useMarketOptions } from './market-options.ts';
import { AgentInput } from './AgentInput.tsx';
import { ViewChips } from './ViewChips.tsx';

type Table<Row extends { id: number }, Sum> = Omit<
  ResourceTableProps<Row, Sum>,
  'list' | 'columns' | 'label' | 'actions'
>;

interface RowActions<Row> {
  /** Width of the column, in pixels. */
  width: number;
  /** Text of the first action, which opens the record. */
  open?: string | ((row: Row) => string);
  /** The other actions. */
  render?: (row: Row) => ReactNode;
}

export interface ListFrameProps<Row extends { id: number }, Sum, F> extends Table<Row, Sum> {
  /** That of the page by default. */
  title?: string;
  /** Secondary text next to the title; `tools` are actions of the page. */
  note?: ReactNode;
  tools?: ReactNode;
  /** Content between heading and filters. */
  above?: ReactNode;
  list: List<Row, Sum, F>;
  columns: readonly Column<Row>[];
  /** Kind of the records in approvals; its rows show which of them wait for a second person. */
  targetType?: string;
  /** Options of filters that are only known at run time, by field. The coins of the filter `marketId` are known. */
  options?: Readonly<Record<string, Options | undefined>>;
  actions?: RowActions<Row>;
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
  targetType,
  options,
  actions,
  children,
  ...table
}: ListFrameProps<Row, Sum, F>) {
  const pageTitle = usePageTitle();
  const heading = title ?? pageTitle;
  const markets = useMarketOptions(list.spec.filters.some(({ field }) => field === 'marketId'));
  const allOptions = useMemo(() => ({ ...markets, ...options }), [markets, options]);
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
  const openId = 'openId' in table ? table.openId : table.onOpen && list.openId;
  const page = (
    <div className="ht-page">
      <header className="ht-lists-band">
        <h1>{heading}</h1>
        {note && <span className="ht-page-heading-note">{note}</span>}
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
              <ColumnSettings {...columnState} {...(saved?.columns && { viewName: saved.name })} />
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
        options={allOptions}
        Suggest={AgentInput}
        onQuery={list.choose}
        onReset={list.reset}
      />
      <ResourceTable
        label={heading}
        list={list}
        columns={columnState}
        {...(actions && {
          actions: { width: actions.width, render: (row: Row) => renderActions(row, actions, table.onOpen) },
        })}
        {...table}
        openId={openId}
      />
      {children}
    </div>
  );
  if (targetType === undefined) return page;
  return (
    <WaitingMarks targetType={targetType} ids={[...list.rows.map(({ id }) => id), openId]}>
      {page}
    </WaitingMarks>
  );
}

const renderActions = <Row,>(row: Row, { open, render }: RowActions<Row>, onOpen: ((row: Row) => void) | undefined) => (
  <>
    {open !== undefined && (
      <GreyedAction onClick={() => onOpen?.(row)}>{typeof open === 'string' ? open : open(row)}</GreyedAction>
    )}
    {render?.(row)}
  </>
);
