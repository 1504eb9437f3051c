import { createHash } from 'node:crypto';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { textItem } from './preview.ts';

/** The fields of a request that its hash covers. Altering one of them in the database is detected. */
export interface HashedFields {
  action: string;
  targetType: string;
  targetId: number;
  makerId: number;
  input: unknown;
  /** Of a save: the lines that change, as they will be. */
  result?: unknown;
}

export const hashOf = ({ action, targetType, targetId, makerId, input, result }: HashedFields): string =>
  createHash('sha256')
    .update(stableJson({ action, targetType, targetId, makerId, input, ...(result != null && { result }) }))
    .digest('hex');

/** The stored input field by field, for actions without a preview. The reason is left out. */
export function plainItems(input: unknown): ApprovalItem[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input)
    .filter(([field]) => field !== 'reason')
    .map(([field, value]: [string, unknown]) =>
      textItem(labelOf(field), typeof value === 'string' ? value : JSON.stringify(value)),
    );
}
