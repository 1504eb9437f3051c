import type { SupportRow } from '@hengtai/contract/desk/support/schema';
import { useState } from 'react';

interface Held {
  /** Where the rows come from: scope, account and page of the list. */
  source: string;
  index: number;
  row: SupportRow;
}

/**
 * The rows with the open conversation at the place where it was opened, also when reading it, a new message or a filter
 * would move or remove it. Another conversation, page or filter ends this.
 */
export function useHeldRow(
  rows: readonly SupportRow[] | undefined,
  openId: number | undefined,
  source: string,
): readonly SupportRow[] | undefined {
  const [held, setHeld] = useState<Held>();
  const index = rows?.findIndex(({ id }) => id === openId) ?? -1;
  const current = rows?.[index];
  const isHeld = held !== undefined && held.row.id === openId && held.source === source;
  if (!isHeld && current) setHeld({ source, index, row: current });
  else if (isHeld && current && current !== held.row) setHeld({ ...held, row: current });
  if (!rows || !isHeld) return rows;
  const others = rows.filter(({ id }) => id !== openId);
  // A row that the filter removes was read.
  const row = current ?? { ...held.row, unread: 0 };
  return [...others.slice(0, held.index), row, ...others.slice(held.index)];
}
