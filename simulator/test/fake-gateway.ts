import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformCommand } from '@hengtai/contract/gateway/commands.schema';
import type { PlatformEvent } from '@hengtai/contract/gateway/events.schema';
import type { Ack, EventAnswer } from '@hengtai/contract/gateway/schema';

export const KEY = 'platform';
export const SECRET = 'a secret of both sides';

const network = (name: string, fee: string | null = null) => ({ network: name, recharge: 1, withdraw: 1, fee });
const market = (marketName: string, networks: unknown[], withdrawFee: string, withdrawMin: string) => ({
  marketName,
  price: null,
  withdrawFee,
  withdrawMin,
  withdrawMax: null,
  rechargeState: 1,
  withdrawState: 1,
  networks,
});
export const MARKETS = [
  market('USDT', [network('TRC20'), network('ERC20', '5')], '1', '1'),
  market('BTC', [network('Bitcoin')], '0.0002', '0.0005'),
  market('ETH', [network('ERC20')], '0.002', '0.005'),
  market('SOL', [network('Solana')], '0.01', '0.05'),
  market('XRP', [network('XRPL')], '0.25', '5'),
  market('HTT', [network('ERC20')], '3', '10'),
];

/** A gateway with the behaviour that the platform can observe. */
export interface FakeGateway {
  /** Applied events in order of arrival, without duplicates. */
  readonly applied: PlatformEvent[];
  readonly duplicates: PlatformEvent[];
  readonly acks: Ack[];
  readonly problems: string[];
  /** Number of next POST calls that take effect but lose their response. */
  responsesToLose: number;
  /** True after the live call, which is refused unless `mayGoLive`. */
  isLive: boolean;
  allowsLive: boolean;
  /** Events to reject, and the balances and limits of withdrawals to return for any account. */
  isRejected: (event: PlatformEvent) => boolean;
  balances: unknown[];
  limits: unknown[];
  /** Approves every withdrawal when it arrives. */
  approvesAll: boolean;
  addCommand: (type: string, data: Record<string, unknown>) => number;
  listen: (port?: number) => Promise<string>;
  close: () => Promise<void>;
}

export function createFakeGateway(): FakeGateway {
  const appliedIds = new Set<string>();
  const commands: PlatformCommand[] = [];
  let server: Server | undefined;
  const gateway: FakeGateway = {
    applied: [],
    duplicates: [],
    acks: [],
    problems: [],
    responsesToLose: 0,
    isLive: false,
    allowsLive: true,
    isRejected: () => false,
    balances: [],
    limits: [],
    approvesAll: false,
    addCommand: (type, data) => {
      const seq = commands.length + 1;
      commands.push({ seq, id: seq + 100, type, at: Date.now(), attempt: 1, data } as PlatformCommand);
      return seq + 100;
    },
    listen: async (port = 0) => {
      server = createServer((request, response) => {
        handleRequest(request, response).catch((error: unknown) => gateway.problems.push(String(error)));
      });
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    close: async () => {
      server?.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    },
  };

  const applyEvent = (event: PlatformEvent): EventAnswer => {
    const { eventId } = event;
    if (appliedIds.has(eventId)) {
      gateway.duplicates.push(event);
      return { eventId, result: 'duplicate' };
    }
    if (gateway.isRejected(event)) return { eventId, result: 'rejected', reason: 'insufficient' };
    appliedIds.add(eventId);
    gateway.applied.push(event);
    if (event.type === 'withdraw.requested' && gateway.approvesAll) {
      const { no, account, market, network, address, amount } = event.data;
      gateway.addCommand('withdraw.payout', { no, attempt: 1, account, market, network, address, memo: '', amount });
    }
    return { eventId, result: 'applied' };
  };

  const poll = async (url: URL): Promise<PlatformCommand[]> => {
    const after = Number(url.searchParams.get('after'));
    const deadline = Date.now() + Number(url.searchParams.get('wait')) * 1_000;
    for (;;) {
      const pending = commands.filter((command) => command.seq > after);
      if (pending.length > 0 || Date.now() >= deadline || !server?.listening) return pending;
      await sleep(10);
    }
  };

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const reply = (status: number, data: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: status, msg: '', data }));
    };
    const expected = createHmac('sha256', SECRET)
      .update([request.headers['x-time'], request.method, request.url, body].join('\n'))
      .digest('hex');
    if (request.headers['x-key'] !== KEY || request.headers['x-signature'] !== expected) {
      gateway.problems.push(`signature of ${String(request.url)}`);
      return reply(401, null);
    }
    let data: unknown = null;
    if (url.pathname === '/platform/v1/markets') data = MARKETS;
    else if (url.pathname === '/platform/v1/events') data = (JSON.parse(body) as PlatformEvent[]).map(applyEvent);
    else if (url.pathname === '/platform/v1/balances') data = gateway.balances;
    else if (url.pathname === '/platform/v1/withdrawal-limits') data = gateway.limits;
    else if (url.pathname === '/platform/v1/live' && gateway.allowsLive) gateway.isLive = true;
    else if (url.pathname === '/platform/v1/live') return reply(403, null);
    else if (url.pathname === '/platform/v1/commands') data = await poll(url);
    else if (url.pathname === '/platform/v1/commands/ack') gateway.acks.push(...(JSON.parse(body) as Ack[]));
    else return reply(404, null);
    if (request.method === 'POST' && gateway.responsesToLose > 0) {
      gateway.responsesToLose -= 1;
      request.socket.destroy();
      return;
    }
    reply(200, data);
  };
  return gateway;
}
