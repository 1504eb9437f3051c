import type { AgentRow } from '@hengtai/contract/people/agent/schema';
import { approval as calls } from '@hengtai/contract/desk/approval/calls';
import { controlKinds } from '@hengtai/contract/desk/approval/facts';
import type { ApprovalRow, OtherOperator } from '@hengtai/contract/desk/approval/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { ActionInput } from '@hengtai/contract/wire/schema';
import { defineAction } from '../../../actions/action.ts';
import type { Subject } from '../../../actions/action-audit.ts';
import { clearControls, findAskedAt, findControls } from '../../../authority/control.store.ts';
import { findLockedAt } from '../../../actions/four-eyes.store.ts';
import { problemOf, textItem, timeItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { findAgent } from '../../people/agent/agent.store.ts';

interface Target {
  agent: AgentRow;
  records: OtherOperator['records'];
  locked: boolean;
}

async function findTarget(ctx: Ctx, id: number): Promise<Target | undefined> {
  const agent = await findAgent(ctx, id);
  if (!agent) return undefined;
  return {
    agent,
    records: await findControls(ctx.db, ctx.scope, id),
    locked: (await findLockedAt(ctx.db)) !== null,
  };
}

function checkTarget({ locked, records }: Target): void {
  if (!locked) throw refuse(refusals.fourEyesOpen);
  if (records.length === 0) throw refuse(refusals.knownAlready);
}

const subjectOf = ({ id }: AgentRow): Subject => ({ type: 'agent', id, agentId: id });

/** An operator counts as known: deletes what was on record of it when the request was made. Always needs a checker. */
export const operatorKnown = defineAction<ActionInput, ApprovalRow, Target>({
  call: calls.known,
  authorize: ({ operator }, { id }) => {
    if (operator.id === id) throw refuse(refusals.forbidden, '不能为自己确认');
  },
  load: (ctx, { id }) => findTarget(ctx, id),
  check: (_ctx, target) => checkTarget(target),
  guard: {
    subject: ({ agent }) => subjectOf(agent),
    preview: async (ctx, { id }) => {
      const target = requireFound(await findTarget(ctx, id));
      return {
        input: [
          textItem('操作员', `${target.agent.account}（${id}）`),
          textItem('通过后', '此人与下列操作员视为相互独立，可以互相复核'),
        ],
        now: target.records.map(({ by, how, at }) => timeItem(`${by ?? '范围外的操作员'} ${controlKinds[how]}`, at)),
        legs: [],
        problem: await problemOf(() => checkTarget(target)),
      };
    },
  },
  execute: async (ctx, { id }, { agent, records }, approved) => {
    if (!approved) throw refuse(refusals.fourEyesOpen);
    // What happened since the request was not asked about.
    await clearControls(ctx.db, [id], await findAskedAt(ctx.db, approved.id));
    const left = await findControls(ctx.db, ctx.scope, id);
    return {
      // The checker receives the approval as data, so the action returns none.
      data: undefined as never,
      subject: subjectOf(agent),
      before: { records },
      after: { records: left },
    };
  },
});
