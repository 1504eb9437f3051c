import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ack, type EventAnswer, type PlatformEvent, sign } from '../../clients/typescript/src/index.ts';

export interface NaiveOptions {
  /** Gives the events new ids in each try after the first. */
  newIds?: boolean;
  /** Tries again at once. */
  noPause?: boolean;
  /** Does not correct its clock. */
  ignoresServerTime?: boolean;
}

interface Target {
  url: string;
  key: string;
  secret: string;
  signal: AbortSignal;
}

const PATH = '/platform/v1/events';
const ACK_PATH = '/platform/v1/commands/ack';
const PAUSE_MS = 100;

/** Sends events until they are answered, as a program without the client might do. */
export async function sendNaively(
  events: readonly PlatformEvent[],
  { url, key, secret, signal, newIds = false, noPause = false, ignoresServerTime = false }: Target & NaiveOptions,
): Promise<EventAnswer[]> {
  let skew = 0;
  for (let tries = 0; ; tries += 1) {
    const sent = newIds && tries > 0 ? events.map((event) => ({ ...event, eventId: randomUUID() })) : events;
    const [body, time] = [JSON.stringify(sent), String(Date.now() + skew)];
    const headers = { 'x-key': key, 'x-time': time, 'x-signature': sign(secret, time, 'POST', PATH, body) };
    const answer = await post(new URL(PATH, url), { method: 'POST', headers, body, signal });
    if (answer?.code === 200) {
      const answers = answer.data as EventAnswer[];
      return answers.map((one, index) => ({ ...one, eventId: events[index]?.eventId ?? '' }));
    }
    const { serverTime } = (answer?.data ?? {}) as { serverTime?: number };
    if (serverTime !== undefined && !ignoresServerTime) skew = serverTime - Date.now();
    await sleep(noPause ? 0 : PAUSE_MS, undefined, { signal });
  }
}

/** Sends acks once, whatever the answer. */
export async function acknowledgeOnce(acks: readonly Ack[], { url, key, secret, signal }: Target): Promise<void> {
  const [body, time] = [JSON.stringify(acks), String(Date.now())];
  const signature = sign(secret, time, 'POST', ACK_PATH, body);
  const headers = { 'x-key': key, 'x-time': time, 'x-signature': signature };
  await post(new URL(ACK_PATH, url), { method: 'POST', headers, body, signal });
}

/** @returns the envelope, or undefined without an answer */
async function post(url: URL, init: RequestInit): Promise<{ code: number; data: unknown } | undefined> {
  try {
    return (await (await fetch(url, init)).json()) as { code: number; data: unknown };
  } catch (error) {
    if (init.signal?.aborted) throw error;
    return undefined;
  }
}
