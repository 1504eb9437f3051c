import type { ApprovalItem } from '@hengtai/contract/approval.schema';
import type { Leg } from '../ledger/post.ts';

/** What a second person is shown of an action before agreeing to it, in an operator's words: names, never ids. */
export interface Preview {
  /** The stored input, field by field. The maker's reason is shown beside it. */
  asked: ApprovalItem[];
  /** How what it is about stands at this moment. */
  now: ApprovalItem[];
  /** What it would post, made by the rules that post it; none where no money moves. */
  legs: readonly Leg[];
  /** When that is posted; at once unless said. */
  legsWhen?: string;
  /** Why it would be refused as things stand; null when nothing is in its way. */
  problem: string | null;
}

export const textItem = (label: string, text: string): ApprovalItem => ({ label, text, kind: 'text' });
/** An address, hash or number of the platform. */
export const codeItem = (label: string, text: string): ApprovalItem => ({ label, text, kind: 'code' });
/** A decimal string with its coin. */
export const amountItem = (label: string, amount: string | null, unit: string): ApprovalItem =>
  amount === null ? textItem(label, '--') : { label, text: amount, kind: 'amount', unit };
