import { API_BASE, type CallSpec, type InputOf, type OutputOf, CALL_TIMEOUT_MS } from '@hengtai/contract/wire/endpoint';
import { CODE, type Code } from '@hengtai/contract/wire/envelope';
import { otp } from '@hengtai/contract/house/otp/calls';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import type { PasskeyRequest } from '@hengtai/contract/house/passkey/schema';
import { IDLE_HEADER } from '@hengtai/contract/house/session/calls';
import type { SentCall } from '@hengtai/contract/wire/stable-json';
import { type FileAnswer, readFile } from './file-answer.ts';
import { isIdle } from './activity.ts';
import { digestOf } from './call-digest.ts';
import { acceptedFactors, askFreshFactor, isSetupDue, isSignatureDue, notifySetupDue } from './fresh-code.ts';
import { markReachable, markUnreachable } from './network.ts';
import { clearSession, readSession, renewToken } from './session.ts';

export interface Answer<T> {
  code: Code;
  msg: string;
  data: T;
  requestId: string;
  /** Renewed session token; only the login reads it. */
  token?: string;
}

export interface SendOptions {
  /** Idempotency key: the server executes a mutation once per key. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Additional headers; only the login needs them. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface FileOptions {
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes received so far. */
  onBytes?: ((bytes: number) => void) | undefined;
}

/** Options of calls that send or receive a file. */
interface FileExchange {
  /** Reads the response instead of `readAnswer`. Without a timeout, because a file may take long. */
  read?: (response: Response) => Promise<Answer<unknown>>;
  /** Sent instead of the input. */
  body?: Blob;
}

/** The server answered with a code other than 200 or 202. */
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

/** No response arrived, so it is unknown whether the call was executed. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(cause: unknown) {
    super('网络异常，请稍后再试', { cause });
  }
}

/** No response arrived in the time that calls have. */
export class TimeoutError extends NetworkError {}

/**
 * Sends a call. If the server demands a second factor, the operator is asked for it and the call is repeated with the same
 * idempotency key.
 *
 * @throws CallError for every code except 200 and 202
 * @throws NetworkError without a response
 */
export async function send<C extends CallSpec>(
  call: C,
  input: InputOf<C>,
  options: SendOptions = {},
): Promise<Answer<OutputOf<C>>> {
  const initial = await sendInSession(call, input, options);
  const answer =
    initial.code === CODE.fresh && !call.public ? await retryWithFactor(call, input, options, initial) : initial;
  if (answer.code !== CODE.ok && answer.code !== CODE.submitted) throw new CallError(answer);
  return answer as Answer<OutputOf<C>>;
}

/**
 * Sends a call whose response is a file and waits for all of it. Returns the envelope instead when the server makes the
 * file later, in a background job.
 *
 * @throws CallError if the server refuses
 * @throws NetworkError if the download is interrupted
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
  const answer = await sendInSession(call, input, { signal, read });
  if (file) return file;
  if (answer.code !== CODE.ok) throw new CallError(answer);
  return answer as Answer<OutputOf<C>>;
}

/** Loops because a passkey confirms only one call: a call that shared the prompt of another may need its own. */
async function retryWithFactor(call: CallSpec, input: unknown, options: SendOptions, initial: Answer<unknown>) {
  let answer = initial;
  while (answer.code === CODE.fresh && !isSignatureDue(answer.data)) {
    if (isSetupDue(answer.data)) {
      notifySetupDue();
      return answer;
    }
    pendingPrompt ??= verifyFactor(call, input, options, answer.data).finally(() => {
      pendingPrompt = undefined;
    });
    if (!(await pendingPrompt)) return answer;
    answer = await sendInSession(call, input, options);
  }
  return answer;
}

/** Concurrent calls that need a second factor share one prompt. */
let pendingPrompt: Promise<boolean> | undefined;

/** Asks until a second factor is accepted; false if the operator cancels. */
async function verifyFactor(
  call: CallSpec,
  input: unknown,
  options: SendOptions,
  refusalData: unknown,
): Promise<boolean> {
  const accepted = acceptedFactors(refusalData);
  const { key } = options;
  const challenge =
    accepted.passkey && key !== undefined ? () => challengeFor({ path: call.path, key, body: input }) : undefined;
  let refusal: string | null = null;
  for (;;) {
    const factor = await askFreshFactor({ refusal, code: accepted.code, challenge });
    if (factor === null) return false;
    const answer: Answer<unknown> =
      'code' in factor ? await sendInSession(otp.fresh, factor, {}) : await sendInSession(passkey.fresh, factor, {});
    if (answer.code === CODE.ok) return true;
    if (answer.code !== CODE.wrongCredentials) throw new CallError(answer);
    refusal = answer.msg;
  }
}

/** Challenges the operator's passkeys for one call. */
async function challengeFor(call: SentCall): Promise<PasskeyRequest> {
  const answer = await sendInSession(passkey.begin, { digest: await digestOf(call) }, {});
  if (answer.code !== CODE.ok) throw new CallError(answer);
  return answer.data as PasskeyRequest;
}

/**
 * Code 400 ends the session, but only the one whose token was sent: if another window renewed the token meanwhile, the
 * call is repeated once with the new token.
 */
export async function sendInSession(
  call: CallSpec,
  input: unknown,
  options: SendOptions & FileExchange,
): Promise<Answer<unknown>> {
  const sentToken = call.public ? undefined : readSession()?.token;
  const answer = await sendOnce(call, input, options, sentToken);
  if (answer.code !== CODE.sessionInvalid || call.public) return answer;
  const currentToken = readSession()?.token;
  if (currentToken === undefined || currentToken === sentToken) {
    clearSession();
    return answer;
  }
  const retried = await sendOnce(call, input, options, currentToken);
  if (retried.code === CODE.sessionInvalid) clearSession();
  return retried;
}

async function sendOnce(
  call: CallSpec,
  input: unknown,
  { key, signal, headers, read, body }: SendOptions & FileExchange,
  token: string | undefined,
): Promise<Answer<unknown>> {
  const url = API_BASE + call.path + (call.method === 'GET' ? toQueryString(input) : '');
  const timeout = read ? undefined : AbortSignal.timeout(CALL_TIMEOUT_MS);
  const init: RequestInit = {
    method: call.method,
    headers: {
      ...headers,
      ...(token && { token }),
      ...(token && isIdle() && { [IDLE_HEADER]: '1' }),
      ...(key && { 'idempotency-key': key }),
      ...(call.method === 'POST' && { 'content-type': body?.type ?? 'application/json' }),
    },
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.any([signal, timeout].filter((one) => one !== undefined)),
    ...(call.method === 'POST' && { body: body ?? JSON.stringify(input ?? {}) }),
  };
  try {
    const answer = await (read ?? readAnswer)(await fetch(url, init));
    markReachable();
    return answer;
  } catch (error) {
    if (signal?.aborted) throw error;
    markUnreachable();
    throw timeout?.aborted ? new TimeoutError(error) : new NetworkError(error);
  }
}

/** A proxy may answer with a page of its own; that is treated as a network error. */
export async function readAnswer(response: Response): Promise<Answer<unknown>> {
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

/** `?a=1&b=2` for a call input; undefined, null and empty values are omitted, arrays are repeated. */
export function toQueryString(input: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((input ?? {}) as Record<string, unknown>)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'string' ? item !== '' : typeof item === 'number' || typeof item === 'boolean') {
        query.append(name, String(item));
      }
    }
  }
  const text = query.toString();
  return text && `?${text}`;
}

/**
 * Creates an idempotency key. `randomUUID` is missing outside secure contexts, for example on plain HTTP in a local
 * network.
 */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
