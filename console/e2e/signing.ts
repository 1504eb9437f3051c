import { createHash, verify } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ConsentSignature } from '@hengtai/contract/risk/signing/text';
import type { Locator, Page } from '@playwright/test';
import { expect } from './desk.ts';

export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

interface Site {
  url: string;
  close: () => void;
}

/** Serves documents on a port of its own, without any header of the product. */
export async function serveSite(files: Readonly<Record<string, string>>): Promise<Site> {
  const server = createServer(({ url = '/' }, response) => {
    const text = files[url];
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

/** The files of the signing page as an operator would publish them. */
export function signingFiles(): Record<string, string> {
  const read = (name: string) =>
    readFileSync(fileURLToPath(new URL(`../dist/signing/${name}`, import.meta.url)), 'utf8');
  return { '/': read('index.html'), '/signing.js': read('signing.js') };
}

/** What an authenticator holds. It belongs to a window, so the next window gets a copy. */
export type Credentials = readonly object[];

/** Chromium warns of keys of one algorithm only, which is what the wallet accepts. */
export function expectAlgorithmWarning(complaints: string[]) {
  expect(complaints.splice(0)).toEqual([expect.stringContaining('publicKey.pubKeyCredParams is missing')]);
}

interface Authenticator {
  read: () => Promise<Credentials>;
  add: (credentials: Credentials) => Promise<void>;
  /** Whether its holder touches it when it asks. */
  setTouch: (on: boolean) => Promise<unknown>;
}

/** Gives a window an authenticator with these credentials. */
export async function addAuthenticator(page: Page, credentials: Credentials = []): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const add = async (all: Credentials) => {
    for (const credential of all)
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
  };
  await add(credentials);
  return {
    add,
    read: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    setTouch: (enabled) => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

/** The values next to a label on the signing page, as they are seen. */
export async function valuesOf(page: Page, label: string): Promise<string[]> {
  const values = page.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd[1]');
  await values.first().waitFor();
  return values.allInnerTexts();
}

/** Verifies a signature with nothing of the product. */
export function expectSigned(signature: ConsentSignature, publicKey: string, origin: string, texts: readonly string[]) {
  const [data, client, der] = [signature.authenticatorData, signature.clientDataJSON, signature.signature].map((part) =>
    Buffer.from(part, 'base64url'),
  ) as [Buffer, Buffer, Buffer];
  const challenge = createHash('sha256').update(signature.consent).digest('base64url');
  expect(JSON.parse(client.toString())).toMatchObject({ type: 'webauthn.get', challenge, origin, crossOrigin: false });
  expect(data.subarray(0, 32).toString('hex')).toBe(sha256(new URL(origin).hostname));
  // User present and verified.
  expect((data[32] ?? 0) & 5).toBe(5);
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
  const key = { key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' } as const;
  expect(verify('sha256', signed, key, der)).toBe(true);
  expect((JSON.parse(signature.consent) as { digests: string[] }).digests).toEqual(texts.map(sha256));
}

/** The lines in which the browser lays out a text. */
export const readLines = (text: Locator): Promise<string[]> =>
  text.evaluate((element) => {
    const [node] = element.childNodes;
    if (!(node instanceof Text)) throw new Error('the element has no text of its own');
    const lines = new Map<number, string>();
    const range = document.createRange();
    for (let at = 0; at < node.data.length; at += 1) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { top } = range.getBoundingClientRect();
      lines.set(top, (lines.get(top) ?? '') + node.data.charAt(at));
    }
    return [...lines.values()].map((line) => line.trim());
  });
