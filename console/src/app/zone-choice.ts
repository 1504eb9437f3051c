import { usePreference } from '../ui/browser/preference.ts';
import { DEFAULT_ZONE } from '../ui/value/zone.ts';

/** Zones offered in addition to the zone of the installation. */
export const zoneNames: Readonly<Record<string, string>> = {
  'Asia/Shanghai': '北京',
  UTC: 'UTC',
  'Asia/Tokyo': '东京',
  'Asia/Singapore': '新加坡',
  'Asia/Dubai': '迪拜',
  'Europe/London': '伦敦',
  'America/New_York': '纽约',
};

export const zoneName = (zone: string): string => zoneNames[zone] ?? zone;

function parseZone(stored: unknown): string | undefined {
  if (typeof stored !== 'string') return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: stored }).resolvedOptions().timeZone ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Preference for the zone in which the operator sees times. */
export const useZoneChoice = () => usePreference<string>('zone', DEFAULT_ZONE, parseZone);
