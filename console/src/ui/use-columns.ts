import { useMemo } from 'react';
import { type Column, type ColumnChoice, checkChoice, place } from './columns.ts';
import { usePreference } from './preference.ts';

const NONE: ColumnChoice = {};

/** The columns of a list as this operator wants them, and what changes them. */
export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const [choice, setChoice] = usePreference<ColumnChoice>(`list.${name}.columns`, NONE, checkChoice);
  const placed = useMemo(() => place(columns, choice), [columns, choice]);
  return { placed, choice, setChoice };
}

export type Columns<Row> = ReturnType<typeof useColumns<Row>>;
