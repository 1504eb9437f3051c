import { approvalTypes } from '../approval/calls.ts';
import { commandTypes } from '../../house/command/facts.ts';
import { marketTypes } from '../../trading/market/type.ts';
import { alarmKinds } from '../../house/alarm/facts.ts';
import type { NotificationRow } from './schema.ts';

/** The label of a notification's `detail`. */
export function notificationDetail({ noun, detail }: Pick<NotificationRow, 'noun' | 'detail'>): string {
  if (noun === 'approval') return Object.entries(approvalTypes).find(([type]) => type === detail)?.[1] ?? detail;
  if (noun === 'alarm') return Object.entries(alarmKinds).find(([kind]) => kind === detail)?.[1] ?? detail;
  if (noun === 'command') return Object.entries(commandTypes).find(([type]) => type === detail)?.[1] ?? detail;
  if (noun === 'plan') return Object.entries(marketTypes).find(([type]) => type === detail)?.[1] ?? detail;
  return detail;
}
