import type { ApprovalFact } from '@hengtai/contract/approval.schema';
import type { Leg } from '../ledger/post.ts';

/** What a second person is shown of a deed before agreeing to it, in an operator's words: names, never ids. */
export interface Outlook {
  /** The stored input, field by field. The maker's reason is shown beside it. */
  asked: ApprovalFact[];
  /** How what it is about stands at this moment. */
  now: ApprovalFact[];
  /** What it would post, made by the rules that post it; none where no money moves. */
  legs: readonly Leg[];
  /** When that is posted; at once unless said. */
  legsWhen?: string;
  /** Why it would be refused as things stand; null when nothing is in its way. */
  problem: string | null;
}

export const fact = (label: string, text: string): ApprovalFact => ({ label, text, kind: 'text' });
/** An address, hash or number of the platform. */
export const codeFact = (label: string, text: string): ApprovalFact => ({ label, text, kind: 'code' });
/** A decimal string with its coin. */
export const amountFact = (label: string, amount: string | null, unit: string): ApprovalFact =>
  amount === null ? fact(label, '--') : { label, text: amount, kind: 'amount', unit };
