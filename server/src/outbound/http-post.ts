import { BlockedTarget, checkLiteral, hostOf } from './checked-address.ts';
import { readStart, sendRequest } from './http-request.ts';

/** Time for the whole request, from the lookup of the name to the end of the answer. */
const TIMEOUT_MS = 10_000;

/** Ports of mail servers. An entry with one of them allows mail, and no HTTP is sent there. */
export const MAIL_PORTS: readonly number[] = [25, 465, 587];

/** The other side did not accept the message. The message is what the operator reads. */
export class NotAccepted extends Error {
  override name = 'NotAccepted';
}

export interface PostRules {
  /** Exact hosts: `name` allows port 443, `name:port` that port. An IPv6 address with a port is in brackets. */
  hosts: readonly string[];
  allowPrivate: boolean;
}

/** The entry that allows exactly the host and the port of an address. */
export function hostPortOf(url: URL): string {
  const host = hostOf(url);
  return `${host.includes(':') ? `[${host}]` : host}:${portOf(url)}`;
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port));

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
  const [host, entry, port] = [hostOf(url), hostPortOf(url), portOf(url)];
  const isAllowed = hosts.includes(entry) || (port === 443 && hosts.includes(host));
  if (!isAllowed || MAIL_PORTS.includes(port)) {
    const isHostKnown = hosts.some((one) => one === host || one.startsWith(entry.slice(0, -String(port).length)));
    throw new BlockedTarget(isHostKnown ? `该主机的端口 ${port} 不在允许的名单中` : '该主机不在允许的名单中');
  }
  checkLiteral(url, allowPrivate);
  return url;
}

interface Post {
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Bytes of the answer that are read; the rest is dropped with the connection. Undefined: nothing is read. */
  answerBytesMax?: number;
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
  { body, headers = {}, answerBytesMax }: Post,
  rules: PostRules,
  stopSignal: AbortSignal,
): Promise<string> {
  const answer = await sendRequest(checkUrl(target, rules), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    allowPrivate: rules.allowPrivate,
    signal: AbortSignal.any([stopSignal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const { statusCode = 0 } = answer;
  const isAccepted = statusCode >= 200 && statusCode <= 299;
  if (isAccepted && answerBytesMax !== undefined) return (await readStart(answer, answerBytesMax)).toString('utf8');
  // The signal may still abort a body that is not read; nobody waits for it.
  answer.on('error', () => undefined).destroy();
  if (!isAccepted) throw new NotAccepted(`对方返回 HTTP ${statusCode}`);
  return '';
}
