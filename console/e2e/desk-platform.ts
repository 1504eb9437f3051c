import { createHmac, randomUUID } from 'node:crypto';
import { signedText } from '@hengtai/contract/gateway/gateway';
import { expect } from './desk.ts';
import { baseUrl, platform } from './server.ts';

export interface PlatformEvent {
  type: string;
  data: object;
  /** Unix milliseconds; now if absent. */
  at?: number;
}

/** A signed call of the gateway; returns the data of its answer. */
export async function callGateway(
  base: string,
  method: 'GET' | 'POST',
  path: string,
  input?: object,
): Promise<unknown> {
  const body = input === undefined ? '' : JSON.stringify(input);
  const time = String(Date.now());
  const target = `/platform/v1/${path}`;
  const signature = createHmac('sha256', platform.secret)
    .update(signedText(time, method, target, body))
    .digest('hex');
  const headers = {
    'x-key': platform.key,
    'x-time': time,
    'x-signature': signature,
    'content-type': 'application/json',
  };
  const response = await fetch(base + target, { method, headers, ...(method === 'POST' && { body }) });
  return ((await response.json()) as { data: unknown }).data;
}

/** Sends events as the platform does; all of them must be applied. */
export const sendEvents = (...events: PlatformEvent[]) => sendEventsTo(baseUrl(), ...events);

/** The same for a separate installation. */
export async function sendEventsTo(base: string, ...events: PlatformEvent[]) {
  const eventsWithIds = events.map((event) => ({ at: Date.now(), ...event, eventId: randomUUID() }));
  const data = (await callGateway(base, 'POST', 'events', eventsWithIds)) as { result: string; reason?: string }[];
  expect(data.map(({ result, reason }) => reason ?? result)).toEqual(events.map(() => 'applied'));
}
