/** Shortcuts of a review, as `?` lists them. */
export const QUEUE_KEY = { keys: ['Q'], what: '开始或退出审核队列' };
export const DECISION_KEYS = {
  pass: { keys: ['A'], what: '通过（详情打开时）' },
  reject: { keys: ['R'], what: '驳回（详情打开时）' },
  postpone: { keys: ['P'], what: '稍后处理，看下一条（审核队列中）' },
  reasons: { keys: ['1…9'], what: '选择常用原因（确认时）' },
  confirm: { keys: ['Ctrl', 'Enter'], what: '确认' },
};
/** Only where the record belongs to a user. */
export const NOTE_KEY = { keys: ['N'], what: '给用户添加备注（详情打开时）' };
