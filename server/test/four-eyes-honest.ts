import { PASSWORD_HOLD } from '@hengtai/contract/approval';
import type { ApprovalRow } from '@hengtai/contract/approval.schema';
import { Decimal } from '@hengtai/contract/decimal';
import { sql } from 'kysely';
import { expireOverdue } from '../src/approval/approval.service.ts';
import { approvableActions } from '../src/resources.ts';
import { forgetRates } from './factories.ts';
import { Escape, type Attack } from './four-eyes-attack.ts';
import { pick } from './four-eyes-calls.ts';
import type { Protected } from './four-eyes-rules.ts';
import { supply } from './four-eyes-world.ts';

/** Simulates the careless honest operators and the passing of time. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WAITS = [1_000, MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 2 * HOUR, 25 * HOUR];

/**
 * Requests that the honest checkers approve without care. They ignore all others, except grants to the attacker's
 * agents.
 */
const CARELESS = /^(asset\..*|withdraw\.(pass|retry)|ieo\.pass|user\.(token|pwdUpdate))$/;

export class HonestPeople {
  readonly attack: Attack;
  readonly #first: Protected;

  constructor(attack: Attack) {
    this.attack = attack;
    this.#first = attack.before;
  }

  /** A random checker decides a pending request and usually approves it. */
  async check(): Promise<void> {
    const { world, below } = this.attack;
    const open = await world.server.query(sql<{ id: number; type: string; targetId: number; maker: number }>`
      select id, action as type, target_id as "targetId", maker_id as maker from approval where state = 0 order by id`);
    const asked = pick(
      below,
      open.filter(
        ({ type, targetId }) => CARELESS.test(type) || (type === 'agent.state' && targetId > world.lastHonest),
      ),
    );
    const checker = pick(below, world.checkers);
    if (!asked || !checker) return;
    if (below(8) === 0) {
      await this.attack.ask(checker, 'approval/reject', { id: asked.id, reason: 'x' });
      return;
    }
    const { code, data } = await this.attack.ask<ApprovalRow>(checker, 'approval/pass', { id: asked.id });
    if (code === 200 && data) await this.attack.executed(checker.id, data);
  }

  /** The clerk requests an adjustment that needs a checker. The attacker may be that checker. */
  async request(): Promise<void> {
    const { world, below } = this.attack;
    const user = pick(below, world.users);
    const amount = ['1500', '5000'][below(2)] ?? '1500';
    if (!user) return;
    const input = { userId: user.id, marketId: 1, platform: 1, amount, state: 0, reason: 'x' };
    const { code, data } = await this.attack.ask<ApprovalRow>(world.clerk, 'asset/active/add', input);
    if (code === 200) throw new Escape(`the clerk moved ${amount} alone`);
    if (code === 202 && data) this.attack.expectChecker(data, user.id, new Decimal(amount));
  }

  async supply(): Promise<void> {
    await supply(this.attack.world, this.attack.below);
    await this.attack.lookAgain();
  }

  /** Advances the clock. After two hours or more, settings and abilities are reset, but users and agents stay moved. */
  async wait(): Promise<void> {
    const { world, below } = this.attack;
    const ms = pick(below, WAITS) ?? HOUR;
    world.server.clock.move(ms);
    await expireOverdue(world.server.app, approvableActions);
    if (ms < 2 * HOUR) return;
    await this.#restore();
    await forgetRates(world.server);
    await this.attack.moved.look(world.server);
    await this.attack.lookAgain();
  }

  async #restore(): Promise<void> {
    const { server, lastHonest } = this.attack.world;
    const settings = JSON.stringify(
      this.#first.settings.map((row) => (row.key === PASSWORD_HOLD ? { ...row, state: this.attack.below(2) } : row)),
    );
    await server.query(sql`
      with first as (
        select * from json_to_recordset(${settings}::json) as f (key text, state int, num numeric, str text))
      update config c set state = f.state, num = f.num, str = f.str from first f
      where f.key = c.key and (c.state, c.num, c.str) is distinct from (f.state, f.num, f.str)`);
    const agents = JSON.stringify(this.#first.agents.filter(({ id }) => id <= lastHonest));
    await server.query(sql`
      with first as (select * from json_to_recordset(${agents}::json) as f (id bigint, abilities json))
      update agent a set state = 1, abilities = array(select json_array_elements_text(f.abilities)::int)
      from first f where f.id = a.id and a.deleted_at is null`);
  }
}
