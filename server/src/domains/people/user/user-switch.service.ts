import type { ActionInput } from '@hengtai/contract/wire/schema';
import { frozenLabels } from '@hengtai/contract/wire/switches';
import {
  type UserSwitchAction,
  type UserSwitch,
  user as calls,
  userSwitchActions,
  userPayout,
} from '@hengtai/contract/people/user/calls';
import type { UserAi, UserIeoBuy, UserRow, UserTier } from '@hengtai/contract/people/user/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import type { Ctx } from '../../../app/context.ts';
import { type Action, defineAction } from '../../../actions/action.ts';
import { noEffect } from '../../../actions/setting.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { refuseField } from '../../../app/refuse.ts';
import { type UserChanges, followChange } from './user-changes.rules.ts';
import { finishAndNotify, mustFind, recordOf, subjectOf } from './user.steps.ts';
import { type UserRecord, findUser, setTier, setSwitch } from './user.store.ts';

export const userEnable = defineMove('enable', calls.enable);
export const userDisable = (changes: readonly UserChanges[]) => defineMove('disable', calls.disable, changes);
export const userTradeOpen = defineMove('tradeOpen', calls.tradeOpen);
export const userTradeClose = defineMove('tradeClose', calls.tradeClose);
export const userIeoSellOpen = defineMove('ieoSellOpen', calls.ieoSellOpen);
export const userIeoSellClose = defineMove('ieoSellClose', calls.ieoSellClose);

export const userIeoBuy = defineSwitch<UserIeoBuy>(calls.ieoBuy, (input) => ({
  id: input.id,
  field: 'ieoBuy',
  to: input.state,
}));

/** Turns automatic following of signals on or off. */
export const userAi = defineSwitch<UserAi>(calls.ai, (input) => ({
  id: input.userId,
  field: 'ai',
  to: input.state,
}));

/**
 * Sets the payout tier of future binary contracts. Open contracts keep the rate that they were opened with, and no
 * outcome changes.
 */
export const userSecond = defineAction<UserTier, UserRow, UserRecord>({
  call: calls.second,
  validate: ({ winType, winRate }) => {
    if (winType === 0) return;
    if (winRate === undefined || winRate === null) throw refuseField('winRate', '不能为空');
    const rate = new Decimal(winRate);
    if (rate.lt(1) || rate.gt(100)) throw refuseField('winRate', '须在 1 到 100 之间');
  },
  load: (ctx, { id }) => findUser(ctx, id),
  setting: { record: recordOf, isSet: (target, input) => isTier(target, tierOf(input)) },
  policy: { subject: subjectOf, amount: () => null, preview: previewTier },
  execute: async (ctx, input, target) => {
    if (!(await setTier(ctx, target.id, tierOf(input)))) return noEffect(recordOf(await mustFind(ctx, target.id)));
    return finishAndNotify(ctx, target);
  },
});

const tierOf = ({ winType, winRate }: UserTier): { winType: number; winRate: string | null } => ({
  winType,
  winRate: winType === 1 ? (winRate ?? null) : null,
});

function isTier(user: UserRow, { winType, winRate }: Pick<UserRecord, 'winRate'> & { winType: number }): boolean {
  const same = winRate === null ? user.winRate === null : new Decimal(winRate).eq(user.winRate ?? 0);
  return winType === user.winType && same;
}

async function previewTier(ctx: Ctx, input: UserTier): Promise<Preview> {
  const user = await mustFind(ctx, input.id);
  const tier = tierOf(input);
  const [wanted, now] = [tier, user].map(({ winType, winRate }) =>
    userPayout({ winType: winType === 1 ? 1 : 0, winRate }),
  );
  return {
    input: [
      textItem('用户', `${user.account}（${user.id}）`),
      textItem('收益率档位改为', wanted ?? ''),
      textItem('适用范围', '此后新开的秒合约；不影响任何合约的输赢'),
    ],
    now: [textItem('当前档位', now ?? ''), textItem('用户状态', frozenLabels[user.state])],
    legs: [],
    problem: null,
  };
}

function defineMove(
  name: UserSwitchAction,
  call: Action<ActionInput, UserRow, UserRecord>['call'],
  changes: readonly UserChanges[] = [],
) {
  const { field, to } = userSwitchActions[name];
  return defineSwitch<ActionInput>(call, ({ id }) => ({ id, field, to }), changes);
}

interface SwitchChange {
  id: number;
  field: UserSwitch;
  to: 0 | 1;
}

function defineSwitch<I>(
  call: Action<I, UserRow, UserRecord>['call'],
  toChange: (input: I) => SwitchChange,
  changes: readonly UserChanges[] = [],
) {
  return defineAction<I, UserRow, UserRecord>({
    call,
    load: (ctx, input) => findUser(ctx, toChange(input).id),
    setting: {
      record: recordOf,
      isSet: (target, input) => {
        const { field, to } = toChange(input);
        return target[field] === to;
      },
    },
    execute: async (ctx, input, target) => {
      const change = toChange(input);
      if (!(await setSwitch(ctx, target.id, change))) return noEffect(recordOf(await mustFind(ctx, target.id)));
      // After the write, which locks the user: payouts are ordered under the same lock.
      if (change.field === 'state' && change.to === 0) await followChange(changes, 'frozen', ctx, target);
      return finishAndNotify(ctx, target);
    },
  });
}
