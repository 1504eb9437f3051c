import { action, call, read } from '../../wire/endpoint.ts';
import { queueActions } from './facts.ts';
import type {
  QueueAbsent,
  QueueClaim,
  QueueClaimed,
  QueueColleague,
  QueueComment,
  QueueEscalate,
  QueueGiven,
  QueueHandOver,
  QueueHistory,
  QueueMark,
  QueueMarks,
  QueueNext,
  QueuePark,
  QueuePresence,
  QueueRecord,
  QueueRelease,
} from './schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';

/** An open tab renews its claim this often; a claim that is not renewed ends after the lease. */
export const CLAIM_RENEW_SECONDS = 10;
export const CLAIM_LEASE_SECONDS = 25;
/** Longest time that a record can be parked, and an operator be absent with a time of return. */
export const PARK_DAYS_MAX = 30;
export const ABSENCE_DAYS_MAX = 90;

export const queueEventKinds = { park: '搁置', handOver: '转交', escalate: '上报', comment: '评论' } as const;

/** A claim is the place of a tab, not an action of an operator, so these calls are part of its session and not audited. */
const ofTab = { method: 'POST', kind: 'session' } as const;

export const queue = {
  /** Gives the next record of a queue to the tab and claims it; gives back what the tab held. */
  next: call<QueueNext, QueueGiven>()({ ...queueActions.next, ...ofTab, path: 'queue/next' }),
  /** Claims a record for the tab or renews the claim. The answer says who holds it, and who else has it open. */
  claim: call<QueueClaim, QueueClaimed>()({ ...queueActions.claim, ...ofTab, path: 'queue/claim' }),
  /** Gives back what the tab holds or has open. */
  release: call<QueueRelease, null>()({ ...queueActions.release, ...ofTab, path: 'queue/release' }),
  /** Which of the given records are held, parked, handed over or escalated. Others are omitted. */
  marks: call<QueueMarks, QueueMark[]>()({
    method: 'POST',
    path: 'queue/marks',
    summary: '记录的处理情况',
    kind: 'read',
  }),
  history: read<QueueRecord, QueueHistory>()('queue/history', '记录的协作历史'),
  /** Operators who can decide about the record, with their absence and load. */
  colleagues: read<QueueRecord, QueueColleague[]>()('queue/colleagues', '可处理记录的操作员'),
  park: action<QueuePark, QueueHistory>()(queueActions.park, 'queue/park'),
  handOver: action<QueueHandOver, QueueHistory>()(queueActions.handOver, 'queue/hand_over'),
  escalate: action<QueueEscalate, QueueHistory>()(queueActions.escalate, 'queue/escalate'),
  comment: action<QueueComment, QueueHistory>()(queueActions.comment, 'queue/comment'),
  /** Marks the caller as absent or present. */
  absent: action<QueueAbsent, QueuePresence>()(queueActions.absent, 'queue/absent'),
  presence: read<EmptyInput, QueuePresence>()('queue/presence', '自己的暂离状态'),
};
