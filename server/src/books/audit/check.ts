import type { AuditVerdict } from '@hengtai/contract/house/audit/schema';
import { GENESIS, RULE, type SealedRow, sealHash } from './chain.ts';
import { type Head, isSameHead, isSigned, linkTo } from './head.ts';
import { Signers } from './handover.ts';
import type { HeadCopy } from './heads.ts';

export type AuditProblem = NonNullable<AuditVerdict['firstBad']>;

/** The trusted data that a chain is checked against; it comes from outside the database. */
export interface Anchors {
  /** Fingerprints of keys that are trusted without a handover, the oldest first. */
  keys: readonly string[];
  /** Copies of heads. */
  copies: readonly HeadCopy[];
  /** The head beside the key. It proves a cut, but is no copy in the sense of an anchored chain: it covers one batch only. */
  lastHead?: Head;
}

/** Position after which a walk begins. */
export interface WalkStart {
  seq: number;
  hash: string;
  /** The last head at or before this position. */
  head: Head | undefined;
  /** The keys up to here; by default those of a chain that begins. */
  signers?: Signers;
}

const CHAIN_START: WalkStart = { seq: 0, hash: GENESIS, head: undefined };

export interface WalkResult {
  /** The last valid row, and its hash. */
  last: number;
  hash: string;
  bad: AuditProblem | null;
  /** The first row without a head that also has a copy outside the database; null if there is none. */
  unanchored: AuditProblem | null;
}

/**
 * Checks a chain and its heads in order, up to the first row that is not proven: changed, removed, added, reordered, cut
 * off, or covered by a head that is missing, not linked, not signed by a trusted key, or different from its copy.
 *
 * @param rows the rows after `start`, in order
 * @param nextHead returns the heads after that of `start`, in order, then undefined
 * @param isPart whether more rows follow; then the end of the chain is not checked
 */
export async function walkChain(
  rows: AsyncIterable<SealedRow> | Iterable<SealedRow>,
  nextHead: () => Promise<Head | undefined>,
  anchors: Anchors,
  { start = CHAIN_START, isPart = () => false }: { start?: WalkStart; isPart?: () => boolean } = {},
): Promise<WalkResult> {
  const heads = new HeadCheck(anchors, start);
  let { seq: last, hash } = start;
  const stop = (seq: number, auditId: number | null, problem: string): WalkResult => ({
    last,
    hash,
    bad: { seq, auditId, problem },
    unanchored: null,
  });
  let head = await nextHead();
  for await (const row of rows) {
    const problem = rowProblem(row, last + 1, hash);
    if (problem !== null) return stop(row.seq, row.auditId, problem);
    heads.takeRow(row);
    const headProblem = head ? heads.problemOf(head) : heads.problemOfEnd();
    if (headProblem !== null) return stop(heads.covered + 1, null, headProblem);
    if (row.seq === head?.rows) {
      if (head.hash !== row.hash) return stop(row.seq, row.auditId, '历史被重写：与签名的链头不符');
      heads.accept(head);
      head = await nextHead();
    }
    hash = row.hash;
    last = row.seq;
  }
  if (isPart()) return { last, hash, bad: null, unanchored: null };
  if (head)
    return stop(last + 1, null, heads.problemOf(head) ?? `链尾被截断：链头 ${head.number} 已到第 ${head.rows} 条`);
  const endProblem = heads.problemOfEnd() ?? heads.problemOfCopies();
  if (endProblem !== null) return stop(heads.covered + 1, null, endProblem);
  return { last, hash, bad: null, unanchored: unanchoredRow(last, heads.covered, anchors) };
}

function rowProblem(row: SealedRow, seq: number, previous: string): string | null {
  if (row.seq !== seq) return `第 ${seq} 条起被删除`;
  if (!row.fields) return '审计记录被删除';
  if (row.rule !== RULE) return `封存规则 ${row.rule} 未知`;
  if (row.fields[0] !== String(row.auditId) || sealHash(row.rule, row.seq, previous, row.fields) !== row.hash)
    return '内容或顺序被改动';
  return null;
}

function unanchoredRow(last: number, covered: number, { copies }: Anchors): AuditProblem | null {
  if (last > covered) return { seq: covered + 1, auditId: null, problem: '未锚定：没有签名的链头' };
  if (last > 0 && copies.length === 0) return { seq: 1, auditId: null, problem: '未锚定：数据库以外没有链头的副本' };
  return null;
}

/** Checks each head against the one before it, the trusted keys and the copies. */
class HeadCheck {
  readonly #signers: Signers;
  readonly #copies: readonly HeadCopy[];
  readonly #copiesByNumber = new Map<number, HeadCopy[]>();
  #previous: Head | undefined;
  /** A copy that differs from the database but has no trusted signature: damaged, and no evidence against the chain. */
  #badCopy: HeadCopy | undefined;
  #checked: Head | undefined;
  #endProblem: { text: string | null } | undefined;

  constructor({ keys, copies, lastHead }: Anchors, { head, signers }: WalkStart) {
    this.#signers = signers ?? new Signers(keys);
    this.#copies = lastHead ? [...copies, { head: lastHead, line: 1 }] : copies;
    this.#previous = head;
    for (const copy of this.#copies) {
      if (!copy.head) continue;
      const { number } = copy.head;
      this.#copiesByNumber.set(number, [...(this.#copiesByNumber.get(number) ?? []), copy]);
    }
  }

  /** Number of the last row that an accepted head covers. */
  get covered(): number {
    return this.#previous?.rows ?? 0;
  }

  takeRow({ fields }: SealedRow): void {
    if (fields) this.#signers.takeRow(fields);
  }

  accept(head: Head): void {
    this.#previous = head;
    this.#signers.takeHead(head.key);
  }

  problemOf(head: Head): string | null {
    if (this.#checked === head) return null;
    const number = (this.#previous?.number ?? 0) + 1;
    if (head.number !== number) return `链头 ${number} 缺失`;
    if (head.previous !== linkTo(this.#previous)) return `链头 ${number} 与前一个链头不相连`;
    if (head.rows <= this.covered) return `链头 ${number} 的条数不大于前一个链头`;
    if (!this.#signers.accepts(head.key)) return `链头 ${number} 由其他密钥签名`;
    if (!isSigned(head)) return `链头 ${number} 签名无效`;
    for (const copy of this.#copiesByNumber.get(number) ?? []) {
      if (copy.head && isSameHead(copy.head, head)) continue;
      if (copy.head && this.#isEvidence(copy.head)) return `链头 ${number} 与库外副本不符`;
      this.#badCopy ??= copy;
    }
    this.#checked = head;
    return null;
  }

  /** To be called after the last head: reports a copy of a later head, which proves that the end was cut off. */
  problemOfEnd(): string | null {
    this.#endProblem ??= { text: this.#findCutOff() };
    return this.#endProblem.text;
  }

  /** Reported last, because a damaged copy is no evidence against the chain. */
  problemOfCopies(): string | null {
    return this.#badCopy ? `库外链头副本第 ${this.#badCopy.line} 行无效` : null;
  }

  #findCutOff(): string | null {
    const last = this.#previous?.number ?? 0;
    for (const copy of this.#copies) {
      if (copy.head && copy.head.number <= last) continue;
      if (copy.head && this.#isEvidence(copy.head))
        return `链尾被截断：库外副本有链头 ${copy.head.number}（至第 ${copy.head.rows} 条）`;
      this.#badCopy ??= copy;
    }
    return null;
  }

  #isEvidence(copy: Head): boolean {
    return this.#signers.isKnown(copy.key) && isSigned(copy);
  }
}
