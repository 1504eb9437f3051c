import { PERIOD, periodLabels, weekdayLabels } from '@hengtai/contract/desk/schedule/calls';
import type { ScheduleRow } from '@hengtai/contract/desk/schedule/schema';

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** `每周 周一 09:00`. */
export function timingText({ period, day, hour }: Pick<ScheduleRow, 'period' | 'day' | 'hour'>): string {
  const name = period === PERIOD.weekly ? weekdayLabels[day as keyof typeof weekdayLabels] : `${day} 日`;
  return [periodLabels[period], ...(period === PERIOD.daily ? [] : [name]), hourText(hour)].join(' ');
}

export const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: hourText(hour) }));
export const WEEKDAYS = Object.entries(weekdayLabels).map(([day, label]) => ({ value: Number(day), label }));
export const MONTH_DAYS = Array.from({ length: 28 }, (_, index) => ({ value: index + 1, label: `${index + 1} 日` }));
