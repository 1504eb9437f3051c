import { useMemo } from 'react';
import { type Column, type ColumnChoice, checkChoice, place } from './columns.ts';
import { usePreference } from './preference.ts';

const NONE: ColumnChoice = {};

/** A saved view that brings its columns along. */
interface Bringing {
  id: number;
  columns: unknown;
}

/**
 * The columns of a list as this operator wants them, and what changes them. Under a view that brings its own, those are
 * the default, and what the operator changes then belongs to the view as he sees it.
 */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[], view?: Bringing) {
  const brought = useMemo(() => (view && checkChoice(view.columns)) ?? NONE, [view]);
  const key = view ? viewColumnsKey(view.id) : `list.${name}.columns`;
  const [choice, setChoice] = usePreference<ColumnChoice>(key, brought, checkChoice);
  const placed = useMemo(() => place(columns, choice), [columns, choice]);
  return { placed, choice, setChoice };
}

/** What an operator changed about the columns of one view. */
export const viewColumnsKey = (id: number): string => `view.${id}.columns`;

export type Columns<Row> = ReturnType<typeof useColumns<Row>>;
