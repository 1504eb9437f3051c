/** Why something was not done or not read, in the words shown to the operator. */
export interface DisplayError {
  /** refused: the server said no; unknown: no answer came, so it may or may not have been done; broken: anything else. */
  kind: 'refused' | 'forbidden' | 'conflict' | 'unknown' | 'broken' | 'outdated';
  msg: string;
  requestId?: string | undefined;
  /** Who moved the record meanwhile, when the server knows. */
  moved?: { by: string | null; at: number | null; state: number } | undefined;
  /** What stands in the way, one by one, when the server knows; each is named and fit to show. */
  blockers?: readonly { what: string; text: string }[] | undefined;
}
