import { type NotificationType, soundTypes } from '@hengtai/contract/desk/notify/notification';
import type { NotificationRow } from '@hengtai/contract/desk/notify/schema';
import { useEffect } from 'react';
import { claimSound, onNotifications } from '../../../api/notify.ts';
import { usePreference } from '../../../ui/browser/preference.ts';
import { formatClock, useZone } from '../../../ui/value/zone.ts';

/** Sound preferences; `from` and `to` are minutes of the day in the zone of the operator. */
export interface SoundChoice {
  on: boolean;
  kinds: readonly NotificationType[];
  quiet: boolean;
  from: number;
  to: number;
}

const DEFAULT_CHOICE: SoundChoice = {
  on: false,
  kinds: soundTypes.filter((type) => type !== 'recharge.credited'),
  quiet: false,
  from: 22 * 60,
  to: 8 * 60,
};
const DAY_MINUTES = 24 * 60;
/** Notifications that arrive later than this were missed and play no sound. */
const FRESH_MS = 2 * 60_000;

const isMinute = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < DAY_MINUTES;

export function parseSoundChoice(stored: unknown): SoundChoice | undefined {
  if (typeof stored !== 'object' || stored === null) return undefined;
  const { on, kinds, quiet, from, to } = stored as Partial<Record<keyof SoundChoice, unknown>>;
  if (typeof on !== 'boolean' || typeof quiet !== 'boolean' || !isMinute(from) || !isMinute(to)) return undefined;
  if (!Array.isArray(kinds)) return undefined;
  return { on, quiet, from, to, kinds: soundTypes.filter((type) => kinds.includes(type)) };
}

export const useSoundChoice = () => usePreference<SoundChoice>('notify.sound', DEFAULT_CHOICE, parseSoundChoice);

/** Whether it is quiet hours now; they may span midnight, and equal ends mean never. */
export function isQuietTime({ quiet, from, to }: SoundChoice, now: number, zone: string): boolean {
  if (!quiet) return false;
  const [hour = 0, minute = 0] = formatClock(now, zone).split(':').map(Number);
  const at = hour * 60 + minute;
  return from <= to ? at >= from && at < to : at >= from || at < to;
}

/**
 * The latest notification that plays a sound: of a chosen kind, recent, not by the operator itself, outside quiet
 * hours.
 */
export function soundFor(
  notifications: readonly NotificationRow[],
  choice: SoundChoice,
  now: number,
  zone: string,
): NotificationRow | undefined {
  if (!choice.on || isQuietTime(choice, now, zone)) return undefined;
  return notifications.findLast(({ type, own, at }) => choice.kinds.includes(type) && !own && at > now - FRESH_MS);
}

/** Plays the sound for new notifications, in one of all open windows. */
export function useSound() {
  const [choice] = useSoundChoice();
  const zone = useZone();
  const { on } = choice;
  // Browsers allow audio only after user input.
  useEffect(() => {
    if (!on) return undefined;
    const onInput = () => void wakeAudio();
    window.addEventListener('pointerdown', onInput);
    window.addEventListener('keydown', onInput);
    return () => {
      window.removeEventListener('pointerdown', onInput);
      window.removeEventListener('keydown', onInput);
    };
  }, [on]);
  useEffect(
    () =>
      onNotifications((notifications) => {
        const notification = soundFor(notifications, choice, Date.now(), zone);
        // A window without permission for audio leaves the sound to another.
        if (notification && audio?.state === 'running') void playIfGranted(notification.id);
      }),
    [choice, zone],
  );
}

async function playIfGranted(id: number) {
  if (await claimSound(id)) await playTone();
}

let audio: AudioContext | undefined;

async function wakeAudio(): Promise<boolean> {
  audio ??= new AudioContext();
  if (audio.state !== 'running') await audio.resume();
  return audio.state === 'running';
}

/** Plays two short tones; as a click handler it also unlocks audio. */
export async function playTone() {
  if (!(await wakeAudio()) || !audio) return;
  const start = audio.currentTime;
  for (const [at, pitch] of [
    [0, 784],
    [0.16, 1047],
  ] as const) {
    const tone = new OscillatorNode(audio, { type: 'sine', frequency: pitch });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, start + at);
    gain.gain.linearRampToValueAtTime(0.2, start + at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, start + at + 0.3);
    tone.connect(gain).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.32);
  }
}
