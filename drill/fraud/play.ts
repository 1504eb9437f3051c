import { ABILITY } from '@hengtai/contract/authority/ability';
import { ADDRESS_LIST } from '@hengtai/contract/risk/address-list/calls';
import { CODE } from '@hengtai/contract/wire/envelope';
import { sql } from 'kysely';
import { PASSWORD, findUser, makeOperator } from '../../server/test/factories.ts';
import { type TestServer, call, login, send } from '../../server/test/server.ts';
import { startCoin } from '../../server/test/auto-payout.ts';
import { decideCandidates } from '../../server/src/domains/risk/auto-payout/auto-payout.jobs.ts';
import { HOUR, MINUTE, type Planned, type Task, type Timeline } from './timeline.ts';

/** How long a request may wait for the system. Events of this time go to the server in one call. */
const WINDOW_MS = 4 * MINUTE;
const WINDOW_EVENTS = 400;
/** How long a withdrawal waits for a person. */
const VISIT_MS = 2 * HOUR;

const CHECKER = 'checker';

type PlannedEvent = Extract<Planned, { event: unknown }>;

/** Plays a timeline against a server whose clock it moves: the platform, the decisions of the system, and the operators. */
export class Player {
  /** Events that the server did not apply, with the reason. */
  readonly refused: string[] = [];
  readonly #server: TestServer;
  readonly #timeline: Timeline;
  #visitAt: number;

  constructor(server: TestServer, timeline: Timeline) {
    this.#server = server;
    this.#timeline = timeline;
    this.#visitAt = timeline.start + VISIT_MS;
  }

  async play(): Promise<void> {
    const abilities = [ABILITY.approval, ABILITY.headquarters];
    await makeOperator(this.#server, await login(this.#server), { account: CHECKER, abilities });
    const { end, planned } = this.#timeline;
    const ordered = planned.filter(({ at }) => at < end).toSorted((a, b) => a.at - b.at);
    let waiting: PlannedEvent[] = [];
    let request: PlannedEvent | undefined;
    for (const one of ordered) {
      const mustVisit = one.at > this.#visitAt;
      const mustDecide = request !== undefined && one.at >= request.at + WINDOW_MS;
      if (mustVisit || mustDecide || waiting.length === WINDOW_EVENTS || 'task' in one) {
        await this.#send(waiting);
        waiting = [];
        request = undefined;
      }
      if (mustVisit) await this.#visit(one.at);
      if ('task' in one) await this.#perform(one.at, one.task);
      else {
        waiting.push(one);
        if (one.event.type === 'withdraw.requested') request ??= one;
      }
    }
    await this.#send(waiting);
    await this.#visit(end);
  }

  #moveTo(at: number): void {
    const { clock } = this.#server;
    if (at > clock.now()) clock.move(at - clock.now());
  }

  async #send(events: readonly PlannedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    this.#moveTo(last.at);
    const answers = await send(this.#server, ...events.map(({ at, event }) => ({ ...event, at })));
    answers.forEach(({ result, reason }, index) => {
      const type = events[index]?.event.type;
      // While what it would take back is frozen by a withdrawal, a platform has to try again.
      if (result !== 'applied' && type !== 'recharge.reversed') this.refused.push(`${type}: ${result} ${reason}`);
    });
    if (!events.some(({ event }) => event.type === 'withdraw.requested')) return;
    await decideCandidates(this.#server.app);
    await this.#pay();
  }

  /** The wallet pays at once. */
  async #pay(): Promise<void> {
    const server = this.#server;
    const queued = await server.query(sql<{ no: string }>`select no from withdraw where state = 2 order by id`);
    if (queued.length === 0) return;
    server.clock.move(1);
    await send(server, ...queued.map(({ no }) => ({ type: 'withdraw.paid', data: { no, txHash: `x${no}` } })));
  }

  async #perform(at: number, task: Task): Promise<void> {
    this.#moveTo(at);
    const server = this.#server;
    const token = await login(server);
    if (task.kind === 'block') {
      const entry = { list: ADDRESS_LIST.blocked, address: task.address, reason: 'scam' };
      const { code, msg } = await call(server, 'POST', 'address_list/add', entry, { token });
      if (code !== CODE.ok) throw new Error(`block of ${task.address}: ${msg}`);
      return;
    }
    const { id: userId } = await findUser(server, token, task.account);
    const answer =
      task.kind === 'freeze'
        ? await call(server, 'POST', 'user/state/disable', { id: userId }, { token })
        : await call(
            server,
            'POST',
            'asset/active/add',
            { userId, marketId: 1, platform: 1, amount: task.amount, state: 1, reason: 'bonus' },
            { token },
          );
    if (answer.code !== CODE.ok) throw new Error(`${task.kind} of ${task.account}: ${answer.msg}`);
  }

  async #approve(id: number): Promise<void> {
    const token = await login(this.#server, CHECKER, PASSWORD);
    const { code, msg } = await call(this.#server, 'POST', 'approval/pass', { id }, { token });
    if (code !== CODE.ok) throw new Error(`approval ${id}: ${msg}`);
  }

  /** Operators decide what waits, as they should: attacks that show are rejected. They close alarms and start what stopped. */
  async #visit(at: number): Promise<void> {
    this.#visitAt = at + VISIT_MS;
    const server = this.#server;
    const [found] = await server.query(sql<{ waiting: number[]; nos: string[]; alarms: number[]; stopped: number[] }>`
      select array(select id from withdraw where state = 0 and created_at < ${at} order by id) as waiting,
        array(select no from withdraw where state = 0 and created_at < ${at} order by id) as nos,
        array(select id from alarm where closed_at is null) as alarms,
        array(select market_id from auto_coin where stopped_at is not null) as stopped`);
    const { waiting = [], nos = [], alarms = [], stopped = [] } = found ?? {};
    if (waiting.length + alarms.length + stopped.length === 0) return;
    const token = await login(server);
    for (const [index, id] of waiting.entries()) {
      const isAttack = this.#timeline.withdrawals.get(nos[index] ?? '')?.label?.shows === true;
      const input = isAttack ? { id, reason: '账户存在异常' } : { id };
      const path = isAttack ? 'withdraw/reject' : 'withdraw/pass';
      const { code, data, msg } = await call<{ id: number }>(server, 'POST', path, input, { token });
      if (code === CODE.submitted) await this.#approve(data.id);
      else if (code !== CODE.ok) throw new Error(`withdrawal ${id}: ${msg}`);
    }
    for (const id of alarms) await call(server, 'POST', 'alarm/close', { id, reason: 'handled' }, { token });
    for (const id of stopped) await startCoin(server, token, id);
    await this.#pay();
  }
}
