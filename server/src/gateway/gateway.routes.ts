import { CODE } from '@hengtai/contract/envelope';
import { ANNOUNCEMENTS_MAX, COMMAND, COMMANDS_MAX, PLATFORM_BASE } from '@hengtai/contract/gateway';
import { type Ack, Acks, AnnouncementsQuery, CommandsQuery, Events, Redeem } from '@hengtai/contract/gateway.schema';
import { refusals } from '@hengtai/contract/refusals';
import { Account, Id, Strict } from '@hengtai/contract/schema';
import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../core/context.ts';
import { inTransaction, withRetries } from '../postgres/connect.ts';
import { asRefusal, logError } from '../http/errors.ts';
import { bodyParser, queryParser } from '../http/input.ts';
import { originOf } from '../http/session-hook.ts';
import { platformLive } from '../modules/installation/installation.service.ts';
import { refuse } from '../core/refuse.ts';
import { latestLiability, proofOfAccount } from '../modules/report/liability.store.ts';
import { redeemLink } from '../modules/user/support-link.service.ts';
import { platformSignals } from '../modules/signal/signal.store.ts';
import { applyAnswer } from './answer.ts';
import { finishCommand, numberCommands, takeCommands } from './command.store.ts';
import type { EventIntake } from './intake.ts';
import { publishedAnnounces } from '../modules/announce/announce.store.ts';
import { platformBinaryContractConfigs } from '../modules/binary-contract/binary-contract-config.store.ts';
import { platformBalances, platformMarkets } from './reads.store.ts';
import { hasValidHeaders, hasValidSignature } from './signature.ts';

/** Bytes; more than a thousand events need. */
const BODY_MAX = 8 * 1024 * 1024;
const POLL_EVERY_MS = 100;

const readEvents = bodyParser(Events);
const readAcks = bodyParser(Acks);
const readRedeem = bodyParser(Redeem);
const readCommandsQuery = queryParser(CommandsQuery, false);
const readAnnouncementsQuery = queryParser(AnnouncementsQuery, false);
const readProofQuery = queryParser(Strict({ account: Account, id: Type.Optional(Id) }), false);
const readBalancesQuery = queryParser(Strict({ account: Account }), false);
const notSigned = { code: CODE.wrongCredentials, msg: '签名无效' } as const;

/** Routes of the platform: every call is signed, every response is an envelope with the matching HTTP status. */
export function mountGateway(server: FastifyInstance, app: App, intake: EventIntake, closing: AbortSignal): void {
  void server.register(
    async (gateway) => {
      awaitRunningCalls(gateway);
      gateway.removeAllContentTypeParsers();
      gateway.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX }, (_request, body, done) =>
        done(null, body),
      );
      gateway.setErrorHandler((error: unknown, request, reply) => {
        const { refusal, message, data } = asRefusal(error);
        if (refusal.code >= 500) logError(request, error, 'gateway call failed');
        return reply.status(refusal.code).send({ code: refusal.code, msg: message, data });
      });
      gateway.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store');
        if (!hasValidHeaders(app, request)) throw refuse(notSigned);
      });
      gateway.addHook('preHandler', async (request) => {
        if (!hasValidSignature(app, request, rawBody(request))) throw refuse(notSigned);
      });
      gateway.post('/events', async (request) =>
        ok(await intake.apply(readEvents(json(request)) as Static<typeof Events>)),
      );
      gateway.post('/live', async (request) => {
        await platformLive(app, originOf(request));
        return ok(null);
      });
      gateway.get('/commands', async (request, reply) => {
        const query = readCommandsQuery(request.query) as Static<typeof CommandsQuery>;
        const commands = await pollCommands(app, query, AbortSignal.any([closing, goneSignal(reply)]));
        return ok(commands);
      });
      gateway.post('/commands/ack', async (request) => ok(await acknowledge(app, readAcks(json(request)) as Ack[])));
      gateway.post('/support/redeem', async (request) => {
        const { token } = readRedeem(json(request)) as Static<typeof Redeem>;
        return ok(await redeemLink(app, token, { requestId: request.id, ip: request.ip }));
      });
      gateway.get('/announcements', async (request) => {
        const query = readAnnouncementsQuery(request.query) as Static<typeof AnnouncementsQuery>;
        return ok(await publishedAnnounces(app.system, query, ANNOUNCEMENTS_MAX));
      });
      gateway.get('/signals', async () => ok(await platformSignals(app.system, app.clock.now())));
      gateway.get('/markets', async () => ok(await platformMarkets(app.system)));
      gateway.get('/seconds', async () => ok(await platformBinaryContractConfigs(app.system)));
      gateway.get('/balances', async (request) => {
        const { account } = readBalancesQuery(request.query) as { account: string };
        const balances = await platformBalances(app.system, account);
        if (!balances) throw refuse(refusals.notFound);
        return ok(balances);
      });
      gateway.get('/liabilities', async () => ok(await latestLiability(app.system)));
      gateway.get('/liabilities/proof', async (request) => {
        const { account, id } = readProofQuery(request.query) as { account: string; id?: number };
        const proof = await proofOfAccount(app.system, account, id);
        if (!proof) throw refuse(refusals.notFound);
        return ok(proof);
      });
    },
    { prefix: PLATFORM_BASE.slice(0, -1) },
  );
}

/** Makes shutdown wait for calls whose client has disconnected, because their handlers still use the database. */
function awaitRunningCalls(gateway: FastifyInstance): void {
  const running = new Set<Promise<unknown>>();
  gateway.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const answer = Promise.resolve(handler.call(this, request, reply));
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    };
  });
  gateway.addHook('onClose', async () => void (await Promise.allSettled(running)));
}

const ok = (data: unknown) => ({ code: CODE.ok, msg: 'ok', data });

const rawBody = (request: FastifyRequest): string => (typeof request.body === 'string' ? request.body : '');

function json(request: FastifyRequest): unknown {
  try {
    return JSON.parse(rawBody(request));
  } catch {
    throw refuse(refusals.brokenJson);
  }
}

async function pollCommands(app: App, query: Static<typeof CommandsQuery>, gone: AbortSignal) {
  const until = app.clock.now() + (query.wait ?? 0) * 1_000;
  for (;;) {
    const commands = await inTransaction(app.system, async (db) => {
      await numberCommands(db, 10 * COMMANDS_MAX);
      return takeCommands(db, query.after ?? 0, query.limit ?? 100, app.clock.now());
    });
    if (commands.length > 0 || app.clock.now() >= until || gone.aborted) return commands;
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** Aborts when the client disconnects, so that its long poll ends. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

const ACKED = { done: COMMAND.done, failed: COMMAND.failed, unknown: COMMAND.unknown } as const;

/** Records acks, each in its own transaction. A command that already has an answer keeps it. */
async function acknowledge(app: App, acks: readonly Ack[]) {
  const results = [];
  for (const ack of acks) {
    const isRecorded = await withRetries(() =>
      inTransaction(app.system, async (db) => {
        const now = app.clock.now();
        const command = await finishCommand(db, ack.id, ACKED[ack.state], ack.reason ?? '', now);
        if (command) await applyAnswer(db, command, ack.state, ack.reason ?? '', now);
        return command !== undefined;
      }),
    );
    results.push({ id: ack.id, result: isRecorded ? 'applied' : 'duplicate' });
  }
  return results;
}
