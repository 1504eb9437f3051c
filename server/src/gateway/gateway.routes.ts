import { CODE } from '@hengtai/contract/wire/envelope';
import { PLATFORM_BASE } from '@hengtai/contract/gateway/gateway';
import { Acks, CommandsQuery, Events, EventsQuery } from '@hengtai/contract/gateway/schema';
import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app/context.ts';
import { requireFound } from '../app/refuse.ts';
import { asRefusal, logError } from '../http/errors.ts';
import { originOf } from '../http/session-hook.ts';
import { authenticateCalls, missingRights, requireEventRights } from './authenticate.ts';
import { commandCalls } from './command-calls.ts';
import { acknowledge, pollCommands } from './command-delivery.ts';
import { requireKey } from './gateway-key.store.ts';
import type { PlatformCall, PlatformHandlers } from './handlers.ts';
import { findAppliedEvent } from './inbox.store.ts';
import { EventIntake } from './intake.ts';
import { limitConcurrency } from '../host/limit-concurrency.ts';
import { describeGateway } from './openapi.ts';
import { bodyParser, queryParser, refuseQuery } from './input.ts';
import type { GatewayKey, Right } from './keyring.ts';
import { CallRefused, toCallRefused } from './call-refused.ts';

/** Bytes; more than a thousand events need. */
const BODY_MAX = 8 * 1024 * 1024;
/**
 * Calls that use the database at the same time: half of the system pool, so that a locked table, for which all of them wait,
 * leaves connections to sessions and jobs.
 */
const CONCURRENT_CALLS = 4;

const readEvents = bodyParser(Events, 'too_many_events', EventsQuery);
const readAcks = bodyParser(Acks, 'too_many_acks');
const readCommandsQuery = queryParser(CommandsQuery);

/** Routes of the platform: every call is signed, every response is an envelope with the matching HTTP status. */
export function mountGateway(
  server: FastifyInstance,
  app: App,
  platform: PlatformHandlers,
  stopSignal: AbortSignal,
): void {
  const intake = new EventIntake(app, platform);
  const inTurn = limitConcurrency(CONCURRENT_CALLS);
  const calls = [...commandCalls, ...platform.calls.map(withKey)];
  // Not signed: it is the same for every installation, and tools read it before they can sign.
  const document = describeGateway(calls);
  server.get(`${PLATFORM_BASE}openapi.json`, { config: { call: 'platform.openapi' } }, () => document);
  void server.register(
    async (gateway) => {
      awaitRunningCalls(gateway);
      parseAsBuffer(gateway);
      answerRefusals(gateway);
      const runWithKey = authenticateCalls(gateway, app);
      const answer = async <T>(request: FastifyRequest, work: (key: GatewayKey) => Promise<T>) =>
        ok(await inTurn(() => runWithKey(request, work)));
      gateway.post('/events', configOf('events'), async (request) => {
        const events = readEvents(request);
        const isDryRun = 'dryRun' in (request.query as Static<typeof EventsQuery>);
        return answer(request, async (key) => {
          requireEventRights(key, events);
          return isDryRun ? intake.dryRun(events, key.scope) : intake.apply(events, key.scope);
        });
      });
      // A wildcard, because the router limits the length of other parameters.
      gateway.get('/events/*', configOf('events/event'), async (request) => {
        refuseQuery(request);
        const { '*': eventId } = request.params as { '*': string };
        return answer(request, async (key) => {
          const event = await findAppliedEvent(app.system, key.scope, eventId);
          return requireFound(event && missingRights(key, event).length === 0 ? event : undefined);
        });
      });
      gateway.get(
        '/commands',
        { config: { call: 'platform.commands', right: 'commands', waits: true } },
        async (request, reply) => {
          const query = readCommandsQuery(request);
          const gone = AbortSignal.any([stopSignal, goneSignal(reply)]);
          return ok(
            await pollCommands(app, query, gone, (read) => runWithKey(request, async ({ scope }) => read(scope))),
          );
        },
      );
      gateway.post('/commands/ack', configOf('commands/ack', 'commands'), async (request) => {
        const acks = readAcks(request);
        return answer(request, async ({ scope }) => acknowledge(app, scope, platform.answers, acks));
      });
      for (const { method, path, right, input, tooMany, answer: read } of calls) {
        const parse = input ? (method === 'GET' ? queryParser(input) : bodyParser(input, tooMany)) : refuseQuery;
        gateway.route({
          method,
          url: path,
          ...configOf(path.slice(1), right),
          handler: async (request) => {
            const input: unknown = parse(request);
            return answer(request, async ({ scope }) => read(app, input, scope, originOf(request)));
          },
        });
      }
      gateway.all('/*', { config: { call: 'platform.unknown' } }, () => {
        throw new CallRefused('not_found', null, 'there is no such call');
      });
    },
    { prefix: PLATFORM_BASE.slice(0, -1) },
  );
}

/** Bodies stay bytes, which the signature covers. */
function parseAsBuffer(gateway: FastifyInstance): void {
  gateway.removeAllContentTypeParsers();
  gateway.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX }, (_request, body, done) =>
    done(null, body),
  );
}

/** A call of a module whose statements do not look at the key: it is checked just before them. */
const withKey = (call: PlatformCall): PlatformCall => ({
  ...call,
  answer: async (app, input, scope, origin) => {
    await requireKey(app.system, scope);
    return call.answer(app, input, scope, origin);
  },
});

/** Answers every error in the envelope of the gateway. */
function answerRefusals(gateway: FastifyInstance): void {
  gateway.setErrorHandler((error: unknown, request, reply) => {
    const refused = toCallRefused(asRefusal(error));
    const { code } = refused.refusal;
    if (code >= 500) logError(request, error, 'gateway call failed');
    request.outcome = code;
    return reply.status(code).send({ code, msg: refused.message, data: refused.data, error: refused.error });
  });
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

/** Name of a call of the platform in the metrics. */
const configOf = (path: string, right?: Right) => ({ config: { call: `platform.${path}`, ...(right && { right }) } });

const ok = (data: unknown) => ({ code: CODE.ok, msg: 'ok', data });

/** Aborts when the client disconnects, so that its long poll ends. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
