import { lookup as resolveName } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Time for the whole request, from the lookup of the name to the end of the answer. */
const TIMEOUT_MS = 10_000;

const PRIVATE_RANGES = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/** A target that no later attempt may reach either. The message is what the operator reads. */
export class BlockedTarget extends Error {
  override name = 'BlockedTarget';
}
/** The other side did not accept the message. The message is what the operator reads. */
export class NotAccepted extends Error {
  override name = 'NotAccepted';
}

export interface PostRules {
  /** Exact host names. */
  hosts: readonly string[];
  allowPrivate: boolean;
}

/**
 * Checks the parts of an address that need no lookup. `URL` has already turned other spellings of an IPv4 address into
 * its usual form.
 *
 * @throws BlockedTarget
 */
export function checkUrl(text: string, { hosts, allowPrivate }: PostRules): URL {
  if (!URL.canParse(text)) throw new BlockedTarget('地址格式不正确');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPrivate))
    throw new BlockedTarget('地址必须以 https:// 开头');
  if (url.username !== '' || url.password !== '') throw new BlockedTarget('地址不能含用户名或密码');
  const name = hostOf(url);
  if (!hosts.includes(name)) throw new BlockedTarget('该主机不在允许的名单中');
  if (ipaddr.isValid(name)) checkAddress(name, url.protocol, allowPrivate);
  return url;
}

/** The host name without the brackets of IPv6 and the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

/**
 * Refuses addresses inside the house, unless they are allowed, and always those that no receiver has: link-local ones,
 * which include the metadata services of clouds, multicast, reserved and translated ones. Plain HTTP stays inside.
 *
 * @throws BlockedTarget
 */
export function checkAddress(address: string, protocol: string, allowPrivate: boolean): void {
  const range = ipaddr.process(address).range();
  const isPrivate = PRIVATE_RANGES.has(range);
  if (!(range === 'unicast' || (isPrivate && allowPrivate))) throw new BlockedTarget('地址指向内部网络，已被阻止');
  if (protocol === 'http:' && !isPrivate) throw new BlockedTarget('公网地址必须以 https:// 开头');
}

/** Looks up a name and checks every address. The connection uses these addresses, so a second lookup cannot change them. */
const checkedLookup =
  (protocol: string, allowPrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      try {
        for (const { address } of addresses) checkAddress(address, protocol, allowPrivate);
      } catch (blocked) {
        return callback(blocked as Error, '', 0);
      }
      const [first] = addresses;
      if (options.all) return callback(null, addresses);
      return callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };

interface Post {
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Bytes of the answer that are read; the rest is dropped with the connection. Undefined: nothing is read. */
  answerMax?: number;
}

/**
 * Posts JSON. Redirects are not followed. The answer's body is read only on demand: 2xx alone means that the message
 * has arrived, so a body that never ends must not cause a repeat.
 *
 * @throws BlockedTarget; NotAccepted for an answer other than 2xx; other errors of the connection
 * @returns the first bytes of the answer, if `answerMax` is set
 */
export async function postJson(
  target: string,
  { body, headers = {}, answerMax }: Post,
  rules: PostRules,
  stopping: AbortSignal,
): Promise<string> {
  const url = checkUrl(target, rules);
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
  const options: RequestOptions = {
    method: 'POST',
    // A connection of its own, so that no proxy of the environment and no older connection is used.
    agent: false,
    lookup: checkedLookup(url.protocol, rules.allowPrivate),
    signal,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'HengTai',
    },
  };
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    send(url, options, resolve).on('error', reject).end(body);
  });
  const { statusCode = 0 } = answer;
  const isAccepted = statusCode >= 200 && statusCode <= 299;
  if (isAccepted && answerMax !== undefined) return readStart(answer, answerMax);
  // The signal may still abort a body that is not read; nobody waits for it.
  answer.on('error', () => undefined).destroy();
  if (!isAccepted) throw new NotAccepted(`对方返回 HTTP ${statusCode}`);
  return '';
}

async function readStart(answer: IncomingMessage, max: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= max) break;
  }
  return Buffer.concat(chunks).subarray(0, max).toString('utf8');
}
