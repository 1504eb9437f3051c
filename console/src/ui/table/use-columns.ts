import { useMemo } from 'react';
import { type Column, type ColumnChoice, parseChoice, placeColumns } from './columns.ts';
import { usePreference } from '../browser/preference.ts';

const NO_CHOICE: ColumnChoice = {};

/** A saved view with its own columns. */
interface ViewColumns {
  id: number;
  columns: unknown;
}

/**
 * The columns of a list with the choice of the operator. If the view has columns they are the default, and changes are
 * stored per view.
 */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[], view?: ViewColumns) {
  const defaultChoice = useMemo(() => (view && parseChoice(view.columns)) ?? NO_CHOICE, [view]);
  const key = view ? viewColumnsKey(view.id) : `list.${name}.columns`;
  const [choice, setChoice] = usePreference<ColumnChoice>(key, defaultChoice, parseChoice);
  const placed = useMemo(() => placeColumns(columns, choice), [columns, choice]);
  return { placed, choice, setChoice };
}

/** Preference key of the column choice of a view. */
export const viewColumnsKey = (id: number): string => `view.${id}.columns`;

export type Columns<Row> = ReturnType<typeof useColumns<Row>>;
