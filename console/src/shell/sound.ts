import { type NotificationType, soundTypes } from '@hengtai/contract/notify';
import type { NotificationRow } from '@hengtai/contract/notify.schema';
import { useEffect } from 'react';
import { claimSound, onNotifications } from '../api/notify.ts';
import { usePreference } from '../ui/preference.ts';
import { formatClock, useZone } from '../ui/zone.ts';

/** When a sound is heard; hours are minutes of the day in the operator's zone. */
export interface SoundChoice {
  on: boolean;
  kinds: readonly NotificationType[];
  quiet: boolean;
  from: number;
  to: number;
}

const SILENT: SoundChoice = {
  on: false,
  kinds: soundTypes.filter((type) => type !== 'recharge.credited'),
  quiet: false,
  from: 22 * 60,
  to: 8 * 60,
};
const DAY = 24 * 60;
/** What is told later than this after it happened was missed, and does not ring any more. */
const FRESH_MS = 2 * 60_000;

const isMinute = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < DAY;

export function isSoundChoice(stored: unknown): SoundChoice | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { on, kinds, quiet, from, to } = stored as Partial<Record<keyof SoundChoice, unknown>>;
  if (typeof on !== 'boolean' || typeof quiet !== 'boolean' || !isMinute(from) || !isMinute(to)) return undefined;
  if (!Array.isArray(kinds)) return undefined;
  return { on, quiet, from, to, kinds: soundTypes.filter((type) => kinds.includes(type)) };
}

export const useSoundChoice = () => usePreference<SoundChoice>('notify.sound', SILENT, isSoundChoice);

/** Whether it is quiet time; hours may reach over midnight, and from equal to to is never. */
export function isQuiet({ quiet, from, to }: SoundChoice, now: number, zone: string): boolean {
  if (!quiet) return false;
  const [hour = 0, minute = 0] = formatClock(now, zone).split(':').map(Number);
  const at = hour * 60 + minute;
  return from <= to ? at >= from && at < to : at >= from || at < to;
}

/** The notification to sound for, if any: chosen, fresh, not one's own action, and not in quiet hours. */
export function soundFor(
  notifications: readonly NotificationRow[],
  choice: SoundChoice,
  now: number,
  zone: string,
): NotificationRow | undefined {
  if (!choice.on || isQuiet(choice, now, zone)) return undefined;
  return notifications.findLast(({ type, own, at }) => choice.kinds.includes(type) && !own && at > now - FRESH_MS);
}

/** Sounds for what happens, in one window of however many are open. */
export function useSound() {
  const [choice] = useSoundChoice();
  const zone = useZone();
  const { on } = choice;
  // A browser lets a page sound only after somebody has touched it.
  useEffect(() => {
    if (!on) return undefined;
    const wake = () => void wakeAudio();
    window.addEventListener('pointerdown', wake);
    window.addEventListener('keydown', wake);
    return () => {
      window.removeEventListener('pointerdown', wake);
      window.removeEventListener('keydown', wake);
    };
  }, [on]);
  useEffect(
    () =>
      onNotifications((notifications) => {
        const notification = soundFor(notifications, choice, Date.now(), zone);
        // A window that must be silent leaves the sound to another.
        if (notification && audio?.state === 'running') void soundAlone(notification.id);
      }),
    [choice, zone],
  );
}

async function soundAlone(id: number) {
  if (await claimSound(id)) await playTone();
}

let audio: AudioContext | undefined;

async function wakeAudio(): Promise<boolean> {
  audio ??= new AudioContext();
  if (audio.state !== 'running') await audio.resume();
  return audio.state === 'running';
}

/** Two short, soft tones; called by a press of the button it also wakes the sound. */
export async function playTone() {
  if (!(await wakeAudio()) || !audio) return;
  const start = audio.currentTime;
  for (const [at, pitch] of [
    [0, 784],
    [0.16, 1047],
  ] as const) {
    const tone = new OscillatorNode(audio, { type: 'sine', frequency: pitch });
    const loud = new GainNode(audio, { gain: 0 });
    loud.gain.setValueAtTime(0, start + at);
    loud.gain.linearRampToValueAtTime(0.2, start + at + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.001, start + at + 0.3);
    tone.connect(loud).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.32);
  }
}
