import { type SentCall, callText } from '@hengtai/contract/wire/stable-json';

/** The digest by which a passkey confirms a call. Needs a secure context, as passkeys do. */
export async function digestOf({ body, ...call }: SentCall): Promise<string> {
  // What the server parses: without undefined fields.
  const sent: unknown = JSON.parse(JSON.stringify(body ?? {}));
  const bytes = new TextEncoder().encode(callText({ ...call, body: sent }));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
