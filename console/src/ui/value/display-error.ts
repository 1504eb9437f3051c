import type { ConflictField } from '@hengtai/contract/wire/envelope';

/** An error as shown to the operator. */
export interface DisplayError {
  /** refused: rejected by the server; unknown: no response, so it may have been executed; broken: any other failure. */
  kind: 'refused' | 'forbidden' | 'conflict' | 'unknown' | 'broken' | 'outdated';
  msg: string;
  /** The call ended without a response in its time. */
  isTimeout?: true | undefined;
  requestId?: string | undefined;
  /** Who changed the record meanwhile, if the server knows. */
  moved?: { by: string | null; at: number | null; state: number } | undefined;
  /** What others saved in the record meanwhile, if the server knows. */
  changed?: readonly ConflictField[] | undefined;
  /** Records that block the action, if the server knows them, each with a text to show. */
  blockers?: readonly { what: string; text: string }[] | undefined;
}

/** What the place of a failed load is headed with. */
export const loadErrorTitle = ({ isTimeout }: DisplayError): string => (isTimeout ? '加载超时' : '加载失败');
