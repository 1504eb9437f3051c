import { PASSWORD_HOLD } from '@hengtai/contract/desk/approval/calls';
import type { ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { sql } from 'kysely';
import { expireOverdue } from '../src/domains/desk/approval/approval.service.ts';
import { approvableActions } from '../src/modules.ts';
import { clearRateLimits } from './factories.ts';
import { RuleViolation, type Attack } from './four-eyes-attack.ts';
import { pickRandom } from './four-eyes-calls.ts';
import { settingsOf } from './four-eyes-reach.ts';
import type { Protections } from './four-eyes-rules.ts';
import { isLooserSetting } from './four-eyes-setting-rules.ts';
import type { SignedResult } from './four-eyes-signed.ts';
import { sendPlatformEvents } from './four-eyes-world.ts';

/** Simulates the careless honest operators and the passing of time. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WAIT_TIMES_MS = [1_000, MINUTE, 20 * MINUTE, HOUR, 2 * HOUR, 2 * HOUR, 25 * HOUR];

/**
 * Requests that the honest checkers approve without care, besides saves and grants to the attacker's agents. They ignore
 * all others.
 */
const ALWAYS_APPROVED = /^(asset\..*|withdraw\.(pass|retry)|ieo\.pass|user\.(token|pwdUpdate))$/;

interface PendingRequest {
  id: number;
  type: string;
  targetId: number;
  result: SignedResult | null;
}

export class HonestOperators {
  readonly attack: Attack;
  readonly #initial: Protections;

  constructor(attack: Attack) {
    this.attack = attack;
    this.#initial = attack.before;
  }

  /** A random checker decides a pending request and usually approves it. */
  async decideRequest(): Promise<void> {
    const { world, below } = this.attack;
    const pending = await world.server.query(sql<PendingRequest>`
      select id, action as type, target_id as "targetId", result from approval where state = 0 order by id`);
    const request = pickRandom(
      below,
      pending.filter((one) => this.#accepts(one)),
    );
    const checker = pickRandom(below, world.checkers);
    if (!request || !checker) return;
    if (below(8) === 0) {
      await this.attack.send(checker, 'approval/reject', { id: request.id, reason: 'x' });
      return;
    }
    const { code, data } = await this.attack.send<ApprovalRow>(checker, 'approval/pass', { id: request.id });
    if (code === 200 && data) await this.attack.recordVote(checker.id, data);
    else await this.attack.compare();
  }

  /** Of settings a checker signs what is no looser than at the beginning: the limits of the model stay those. */
  #accepts({ type, targetId, result }: PendingRequest): boolean {
    if (ALWAYS_APPROVED.test(type)) return true;
    if (type.startsWith('agent.')) return type === 'agent.state' && targetId > this.attack.world.lastHonest;
    const { lines } = this.#initial;
    const settings = settingsOf(lines);
    return (
      result !== null &&
      Object.entries(result).every(([line, signed]) => {
        const before = settings.find(({ key }) => key === lines[line]?.['key']);
        return !before || (signed !== null && !isLooserSetting(before, { ...before, ...signed }, settings));
      })
    );
  }

  /** The clerk requests an adjustment that needs a checker. The attacker may be that checker. */
  async requestAdjustment(): Promise<void> {
    const { world, below } = this.attack;
    const user = pickRandom(below, world.users);
    const amount = ['1500', '5000'][below(2)] ?? '1500';
    if (!user) return;
    const input = { userId: user.id, marketId: 1, platform: 1, amount, state: 0, reason: 'x' };
    const { code, data } = await this.attack.send<ApprovalRow>(world.clerk, 'asset/active/add', input);
    if (code === 200) throw new RuleViolation(`the clerk moved ${amount} alone`);
    if (code === 202 && data) this.attack.expectChecker(data, user.id, new Decimal(amount));
  }

  async sendPlatformEvents(): Promise<void> {
    await sendPlatformEvents(this.attack.world, this.attack.below);
    await this.attack.refreshSnapshot();
  }

  /** Advances the clock. After two hours or more, settings and abilities are reset, but users and agents stay moved. */
  async advanceClock(): Promise<void> {
    const { world, below } = this.attack;
    const ms = pickRandom(below, WAIT_TIMES_MS) ?? HOUR;
    world.server.clock.move(ms);
    await expireOverdue(world.server.app, approvableActions);
    if (ms < 2 * HOUR) return;
    await this.#restore();
    await clearRateLimits(world.server);
    await this.attack.moneyMoved.recordBranches(world.server);
    await this.attack.refreshSnapshot();
  }

  async #restore(): Promise<void> {
    const { server, lastHonest } = this.attack.world;
    const settings = JSON.stringify(
      settingsOf(this.#initial.lines).map((row) =>
        row.key === PASSWORD_HOLD ? { ...row, state: this.attack.below(2) } : row,
      ),
    );
    await server.query(sql`
      with first as (
        select * from json_to_recordset(${settings}::json) as f (key text, state int, num numeric, str text))
      update config c set state = f.state, num = f.num, str = f.str from first f
      where f.key = c.key and (c.state, c.num, c.str) is distinct from (f.state, f.num, f.str)`);
    const agents = JSON.stringify(this.#initial.agents.filter(({ id }) => id <= lastHonest));
    await server.query(sql`
      with first as (select * from json_to_recordset(${agents}::json) as f (id bigint, abilities json))
      update agent a set state = 1, abilities = array(select json_array_elements_text(f.abilities)::int)
      from first f where f.id = a.id and a.deleted_at is null`);
    await server.query(sql`
      delete from agent_grant g where not exists (select from agent a where a.id = g.operator_id and g.ability = any(a.abilities))`);
    await server.query(sql`
      insert into agent_grant (operator_id, ability) select id, unnest(abilities) from agent on conflict do nothing`);
  }
}
