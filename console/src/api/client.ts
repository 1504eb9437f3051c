import { API_BASE, type CallSpec, type InputOf, type OutputOf, TIMEOUT_MS } from '@hengtai/contract/endpoint';
import { CODE, type Code } from '@hengtai/contract/envelope';
import { otp } from '@hengtai/contract/otp';
import { IDLE_HEADER } from '@hengtai/contract/session';
import { type FileAnswer, readFile } from './file-answer.ts';
import { isIdle } from './activity.ts';
import { askFreshCode, isSetupDue, notifySetupDue } from './fresh-code.ts';
import { sawAnswer, sawTrouble } from './network.ts';
import { clearSession, readSession, renewToken } from './session.ts';

export interface Answer<T> {
  code: Code;
  msg: string;
  data: T;
  requestId: string;
  /** The token that came along, which only the login has to look at. */
  token?: string;
}

export interface SendOptions {
  /** Idempotency key: the same key never does the same thing twice. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Further headers, which only the login needs. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface FileOptions {
  signal?: AbortSignal | undefined;
  /** Told how many bytes have come. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** How an answer is read, where it is no envelope; such a one may take as long as it takes. */
interface Reading {
  read?: (response: Response) => Promise<Answer<unknown>>;
}

/** The server answered, and not with what was asked for. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: Code;
  readonly msg: string;
  readonly data: unknown;
  readonly requestId: string;

  constructor(answer: Answer<unknown>) {
    super(answer.msg);
    this.code = answer.code;
    this.msg = answer.msg;
    this.data = answer.data;
    this.requestId = answer.requestId;
  }
}

/** No answer came: whether the call was done is not known. */
export class NetworkTrouble extends Error {
  override readonly name = 'NetworkTrouble';

  constructor(cause: unknown) {
    super('网络异常，请稍后再试', { cause });
  }
}

/**
 * Makes a call. Codes 200 and 202 are answers, every other code is thrown as a CallError. A call that needs a one-time
 * code asks for it here, gives it, and is then made again under the same idempotency key.
 */
export async function send<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<Answer<OutputOf<C>>> {
  const first = await sendLive(call, input, options);
  const answer = first.code === CODE.fresh && !call.public ? await withFreshCode(call, input, options, first) : first;
  if (answer.code !== CODE.ok && answer.code !== CODE.submitted) throw new CallError(answer);
  return answer as Answer<OutputOf<C>>;
}

/**
 * Makes a call whose answer is a file, and waits for all of it. Comes back with the answer instead where that is an
 * envelope: the file is made later then.
 *
 * @throws CallError where the server refuses, NetworkTrouble where the file broke off
 */
export async function sendFile<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  { signal, onBytes }: FileOptions = {},
): Promise<FileAnswer | Answer<OutputOf<C>>> {
  let file: FileAnswer | undefined;
  const read = async (response: Response): Promise<Answer<unknown>> => {
    if (response.headers.get('content-type')?.includes('json')) return readAnswer(response);
    file = await readFile(response, onBytes);
    return { code: CODE.ok, msg: '', data: null, requestId: response.headers.get('x-request-id') ?? '' };
  };
  const answer = await sendLive(call, input, { signal, read });
  if (file) return file;
  if (answer.code !== CODE.ok) throw new CallError(answer);
  return answer as Answer<OutputOf<C>>;
}

async function withFreshCode(call: CallSpec, input: unknown, options: SendOptions, first: Answer<unknown>) {
  if (isSetupDue(first.data)) {
    notifySetupDue();
    return first;
  }
  asking ??= becomeFresh().finally(() => {
    asking = undefined;
  });
  return (await asking) ? sendLive(call, input, options) : first;
}

/** Calls that wait for a code at once are asked for one together. */
let asking: Promise<boolean> | undefined;

/** Asks for a code until one is right; false when the question was dismissed. */
async function becomeFresh(): Promise<boolean> {
  let displayError: string | null = null;
  for (;;) {
    const code = await askFreshCode(displayError);
    if (code === null) return false;
    const answer = await sendLive(otp.fresh, { code }, {});
    if (answer.code === CODE.ok) return true;
    if (answer.code !== CODE.wrongCredentials) throw new CallError(answer);
    displayError = answer.msg;
  }
}

/**
 * Code 400 is the only one that ends the session, and it ends the one that it was said about: when another window has
 * renewed the token meanwhile, the call is made once more under the new one.
 */
async function sendLive(call: CallSpec, input: unknown, options: SendOptions & Reading): Promise<Answer<unknown>> {
  const used = call.public ? undefined : readSession()?.token;
  const answer = await sendOnce(call, input, options, used);
  if (answer.code !== CODE.sessionInvalid || call.public) return answer;
  const now = readSession()?.token;
  if (now === undefined || now === used) {
    clearSession();
    return answer;
  }
  const again = await sendOnce(call, input, options, now);
  if (again.code === CODE.sessionInvalid) clearSession();
  return again;
}

async function sendOnce(
  call: CallSpec,
  input: unknown,
  { key, signal, headers, read }: SendOptions & Reading,
  token: string | undefined,
): Promise<Answer<unknown>> {
  const url = API_BASE + call.path + (call.method === 'GET' ? queryOf(input) : '');
  const signals = [...(signal ? [signal] : []), ...(read ? [] : [AbortSignal.timeout(TIMEOUT_MS)])];
  const init: RequestInit = {
    method: call.method,
    headers: {
      ...headers,
      ...(token && { token }),
      ...(token && isIdle() && { [IDLE_HEADER]: '1' }),
      ...(key && { 'idempotency-key': key }),
      ...(call.method === 'POST' && { 'content-type': 'application/json' }),
    },
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any(signals),
    ...(call.method === 'POST' && { body: JSON.stringify(input ?? {}) }),
  };
  try {
    const answer = await (read ?? readAnswer)(await fetch(url, init));
    sawAnswer();
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    sawTrouble();
    throw new NetworkTrouble(error);
  }
}

/** What stands between console and server may answer with a page of its own; that is no answer of the server. */
async function readAnswer(response: Response): Promise<Answer<unknown>> {
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('code' in body) || typeof body.code !== 'number') {
    throw new Error(`no envelope, status ${response.status}`);
  }
  const envelope = body as { code: Code; msg?: unknown; data?: unknown; token?: unknown };
  const token = typeof envelope.token === 'string' && envelope.token !== '' ? envelope.token : undefined;
  if (token) renewToken(token, isIdle());
  return {
    code: envelope.code,
    msg: typeof envelope.msg === 'string' ? envelope.msg : '',
    data: envelope.data ?? null,
    requestId: response.headers.get('x-request-id') ?? '',
    ...(token && { token }),
  };
}

/** `?a=1&b=2` of what is given; what is undefined, null or empty is left out. */
export function queryOf(input: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (typeof one === 'string' ? one !== '' : typeof one === 'number' || typeof one === 'boolean') {
        query.append(name, String(one));
      }
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** An idempotency key. `randomUUID` exists in secure contexts only, and a plain-HTTP address of the house is none. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
