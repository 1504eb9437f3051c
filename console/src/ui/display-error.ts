/** An error as shown to the operator. */
export interface DisplayError {
  /** refused: rejected by the server; unknown: no response, so it may have been executed; broken: any other failure. */
  kind: 'refused' | 'forbidden' | 'conflict' | 'unknown' | 'broken' | 'outdated';
  msg: string;
  requestId?: string | undefined;
  /** Who changed the record meanwhile, if the server knows. */
  moved?: { by: string | null; at: number | null; state: number } | undefined;
  /** Records that block the action, if the server knows them, each with a text to show. */
  blockers?: readonly { what: string; text: string }[] | undefined;
}
