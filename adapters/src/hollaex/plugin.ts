import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlatformClient } from '../../../clients/typescript/src/index.ts';
import { decimalText, fromUnits, toUnits } from '../shared/decimal.ts';
import { forward } from '../shared/forward.ts';
import { Journal } from '../shared/journal.ts';
import { ExchangeApi } from './api.ts';
import { executeCommand } from './commands.ts';
import { type Coins, accountOf, registered } from './mapping.ts';
import { pollExchange } from './poll.ts';

interface Request {
  body: Record<string, unknown>;
  /** Set by the kit's own check of the bearer token. */
  auth?: { sub?: { id?: number } };
}
interface Response {
  status: (code: number) => Response;
  json: (data: unknown) => unknown;
}
type Handler = (request: Request, response: Response) => unknown;

type Value = Readonly<Record<string, { value: string | number | boolean | null }>>;

/** What HollaEx Kit gives to the script of a plugin. */
export interface PluginContext {
  meta: Value;
  publicMeta: Value;
  /** The Express application of the plugins. */
  app: { get: (path: string, handler: Handler) => unknown; post: (path: string, ...handlers: Handler[]) => unknown };
  toolsLib: { security: { verifyBearerTokenExpressMiddleware: (roles: string[]) => Handler } };
  loggerPlugin: Record<'info' | 'error', (...texts: string[]) => unknown>;
}

const POLL_SECONDS = 5;
const RESTART_MS = 5_000;

interface Running {
  journal: Journal;
  coins: Coins;
}

/**
 * Starts the plugin: its routes, the poll of the exchange's lists and the exchange with the back office. Failures of the two
 * are logged, and the work starts again.
 */
export function startPlugin(context: PluginContext, signal: AbortSignal): void {
  const { meta, publicMeta, loggerPlugin } = context;
  const text = (name: string): string => String(meta[name]?.value ?? '');
  const coins = JSON.parse(String(publicMeta['coins']?.value ?? '{}')) as Coins;
  const journal = Journal.open(text('journal'));
  const log = (message: string): unknown => loggerPlugin.error('HENGTAI PLUGIN', message);
  const api = new ExchangeApi({ url: text('exchange_url'), key: text('api_key'), secret: text('api_secret') });
  const credentials = { key: text('platform_key'), secret: text('platform_secret') };
  const client = new PlatformClient({ url: text('platform_url'), ...credentials, signal });
  mountRoutes(context, { journal, coins });
  const repeat = async (work: () => Promise<void>, pauseMs: number): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work();
      } catch (error) {
        if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  };
  void repeat(
    () => pollExchange({ api, journal, coins, log }),
    Number(publicMeta['poll_seconds']?.value ?? POLL_SECONDS) * 1_000,
  );
  void repeat(
    () => forward(client, journal, (command) => executeCommand(command, api, journal, coins), signal),
    RESTART_MS,
  );
}

const PATH = '/plugins/hengtai';
/** Longest key of a user's request. */
const KEY_MAX = 64;

function mountRoutes({ app, toolsLib }: PluginContext, running: Running): void {
  app.get(`${PATH}/health`, (_request, response) => response.json({ waiting: running.journal.next(1_000).length }));
  app.post(
    `${PATH}/withdrawal`,
    toolsLib.security.verifyBearerTokenExpressMiddleware(['user']),
    (request, response) => {
      const userId = request.auth?.sub?.id;
      if (userId === undefined) return response.status(401).json({ message: 'log in first' });
      const no = requestWithdrawal(userId, request.body, running);
      return no === undefined
        ? response.status(400).json({ message: 'currency, address, amount and key are required' })
        : response.json({ no });
    },
  );
}

/**
 * Requests a withdrawal that the back office reviews. The key of the user makes a repeated request the same one.
 *
 * @returns its number; undefined if the request has the wrong form
 */
function requestWithdrawal(
  userId: number,
  body: Record<string, unknown>,
  { journal, coins }: Running,
): string | undefined {
  const { currency, address, amount, key, network } = body;
  const coin = typeof currency === 'string' ? coins[currency] : undefined;
  if (!coin || typeof address !== 'string' || address === '') return undefined;
  if (typeof key !== 'string' || key === '' || key.length > KEY_MAX) return undefined;
  if (typeof amount !== 'string' || !/^\d+(\.\d{1,18})?$/.test(amount)) return undefined;
  const no = createHash('sha256').update(`${userId}\n${key}`).digest('hex').slice(0, 32);
  const at = Date.now();
  const data = {
    no,
    account: accountOf(userId),
    market: coin.market,
    network: typeof network === 'string' ? network : coin.network,
    address,
    amount: fromUnits(toUnits(amount) + toUnits(coin.withdrawFee)),
    fee: decimalText(coin.withdrawFee),
  };
  const requested = { eventId: `hollaex:request:${no}`, type: 'withdraw.requested', at, data } as const;
  journal.add([registered(userId, at), requested]);
  return no;
}
