import { createHmac, randomUUID } from 'node:crypto';
import { signedText } from '@hengtai/contract/gateway';
import { expect } from './desk.ts';
import { baseUrl, platform } from './server.ts';

/** Sends events as the platform does; all of them must be applied. */
export async function report(...events: { type: string; data: object }[]) {
  const body = JSON.stringify(events.map((event) => ({ ...event, eventId: randomUUID(), at: Date.now() })));
  const time = String(Date.now());
  const path = '/platform/v1/events';
  const signature = createHmac('sha256', platform.secret)
    .update(signedText(time, 'POST', path, body))
    .digest('hex');
  const headers = {
    'x-key': platform.key,
    'x-time': time,
    'x-signature': signature,
    'content-type': 'application/json',
  };
  const response = await fetch(baseUrl() + path, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { result: string; reason?: string }[] };
  expect(data.map(({ result, reason }) => reason ?? result)).toEqual(events.map(() => 'applied'));
}
