import { createHmac, randomUUID } from 'node:crypto';
import { signedText } from '@hengtai/contract/gateway/gateway';
import { type Ack, Acks } from '@hengtai/contract/gateway/schema';
import type { App } from '../app/context.ts';
import { hostPortOf, postJson } from '../outbound/http-post.ts';
import { type PlatformKeys, listPlatformKeys } from '../host/platform-key.ts';
import { inTransaction, withRetries } from '../database/connect.ts';
import { checkOf } from '../http/check-of.ts';
import { acknowledge } from './command-delivery.ts';
import { type LeaseRequest, leaseCommands, postponeCommands, receiveCommands } from './command-lease.store.ts';
import type { AnswerHandlers } from './handlers.ts';
import { DEFAULT_SCOPE } from './platform-scope.ts';

/** Commands of one request. */
const BATCH = 20;
/** Longer than a request with its answer may take. */
const LEASE_SECONDS = 60;
/** Bytes of an answer; more than the acks of a batch need. */
const ANSWER_MAX = 65_536;

/**
 * Sends commands to the webhook of the default platform. A command that failed before is sent alone, so that it does not hold up
 * others. Returns true if more may be waiting.
 */
export async function pushCommands(app: App, answers: AnswerHandlers, stopSignal: AbortSignal): Promise<boolean> {
  const { platformWebhook: url } = app;
  if (url === undefined) return false;
  const target = { app, answers, url: new URL(url), stopSignal };
  const wereNewSent = await pushBatch(target, { limit: BATCH, isRetry: false });
  const wereRetriesSent = await pushBatch(target, { limit: 1, isRetry: true });
  return (wereNewSent || wereRetriesSent) && !stopSignal.aborted;
}

interface Target {
  app: App;
  answers: AnswerHandlers;
  url: URL;
  stopSignal: AbortSignal;
}

/**
 * Sends one request. A complete answer with status 2xx is the receipt of its commands and may contain their acks. Otherwise
 * they are sent again later, also if this process dies.
 *
 * @returns whether commands were sent and received
 */
async function pushBatch(
  { app, answers, url, stopSignal }: Target,
  { limit, isRetry }: Required<Pick<LeaseRequest, 'limit' | 'isRetry'>>,
): Promise<boolean> {
  const { system, clock } = app;
  const request = {
    scope: DEFAULT_SCOPE,
    lease: randomUUID(),
    seconds: LEASE_SECONDS,
    limit,
    isRetry,
    now: clock.now(),
  };
  const commands = await inTransaction(system, (db) => leaseCommands(db, request));
  if (commands.length === 0) return false;
  const body = JSON.stringify(commands);
  const headers = signPost(app.platform, url, body, clock.now());
  // The host of the installation chose the address, so it may be in a private network.
  const rules = { hosts: [hostPortOf(url)], allowPrivate: true };
  let answer: string;
  try {
    answer = await postJson(url.href, { body, headers, answerBytesMax: ANSWER_MAX }, rules, stopSignal);
  } catch (error) {
    app.log.warn(
      { err: error, commands: commands.length },
      'commands could not be sent to the webhook of the platform',
    );
    await withRetries(() => inTransaction(system, (db) => postponeCommands(db, DEFAULT_SCOPE, commands, clock.now())));
    return false;
  }
  const ids = new Set(commands.map(({ id }) => id));
  const acks = parseAcks(answer).filter(({ id }) => ids.has(id));
  // Before the receipts: if this fails, the commands are sent and answered again, and none becomes unknown.
  await acknowledge(app, DEFAULT_SCOPE, answers, acks);
  await withRetries(() => inTransaction(system, (db) => receiveCommands(db, DEFAULT_SCOPE, commands, clock.now())));
  return true;
}

/** The headers of a call of the gateway, in the other direction. During a rotation the platform surely knows the older key. */
function signPost(keys: PlatformKeys, url: URL, body: string, now: number): Record<string, string> {
  const { key, secret } = listPlatformKeys(keys).at(-1) ?? keys;
  const time = String(now);
  const text = signedText(time, 'POST', `${url.pathname}${url.search}`, body);
  return { 'x-key': key, 'x-time': time, 'x-signature': createHmac('sha256', secret).update(text).digest('hex') };
}

/** The acks in an answer; none if it is anything else. */
function parseAcks(answer: string): readonly Ack[] {
  try {
    const value: unknown = JSON.parse(answer);
    return checkOf(Acks).Check(value) ? value : [];
  } catch {
    return [];
  }
}
