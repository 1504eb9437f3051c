import type { ActionTable, NounFacts } from '../../authority/action.ts';

/** Claims say where an operator is, and decide nothing: they are not audited, and need no second person. */
export const queueActions = {
  next: { summary: '领取下一条', guard: 'none' },
  claim: { summary: '占用记录', guard: 'none' },
  release: { summary: '释放记录', guard: 'none' },
  park: { summary: '搁置', reason: 'optional', audit: '搁置记录', guard: 'none' },
  handOver: { summary: '转交', reason: 'optional', audit: '转交记录', guard: 'none' },
  escalate: { summary: '上报', reason: 'required', audit: '上报记录', guard: 'none' },
  comment: { summary: '评论', audit: '评论记录', guard: 'none' },
  absent: { summary: '暂离', reason: 'optional', audit: '标记暂离或返回', guard: 'none' },
} as const satisfies ActionTable;

export const queueFacts = {
  actions: queueActions,
  targets: { queue: { label: '审核队列' } },
  notifications: {
    'queue.mentioned': { label: '有人在评论中提到您', rings: true },
    'queue.handedOver': { label: '有记录转交给您', rings: true },
    'queue.escalated': { label: '有记录上报给您', rings: true },
  },
} as const satisfies NounFacts;
