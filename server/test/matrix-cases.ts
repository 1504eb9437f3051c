import type { InputOf } from '@hengtai/contract/endpoint';
import type { nouns } from '@hengtai/contract/index';
import {
  ABSENT_ID,
  NOBODY,
  type Place,
  WORLD_PASSWORD,
  type World,
  agentBelow,
  agentOf,
  approvalAt,
  closedApprovalAt,
  freeAccount,
  fundAt,
  rechargeAt,
  transferAt,
  userOf,
  viewAt,
  viewInput,
  withdrawAt,
} from './matrix-world.ts';

/**
 * Who asks, and for what:
 *
 * - stranger, forged: without a token, with one that nobody has
 * - malformed: a valid input with one field too many
 * - unable: an operator without abilities, about its own rows
 * - own … absent: an operator with every ability, about a row or account of that place
 * - moved: about an own row that is no longer in the state for it, or an account that is taken
 *
 * A name with + has two faults at once: the answer tells which check comes first.
 */
export const COLUMNS = [
  'stranger',
  'forged',
  'malformed',
  'unable',
  'own',
  'child',
  'sibling',
  'other',
  'parent',
  'absent',
  'moved',
  'stranger+malformed',
  'unable+malformed',
  'absent+malformed',
  'unable+absent',
  'sibling+moved',
] as const;
export type Column = (typeof COLUMNS)[number];

/** The code; of a list also whether it is empty; of a bulk call also the code of the one id; `-`: no such case. */
export type Outcome = '-' | `${number}` | '200 empty' | `200:${number}`;
export type Codes = Record<Column, Outcome>;

export interface Case<I> {
  codes: Codes;
  /** Inputs that name something of the place, each by another field; what they name is fresh where the call changes it. */
  inputs: (world: World, place: Place) => Promise<I[]> | I[];
  /** An input that names something of the place for which it is too late. */
  moved?: (world: World, place: 'own' | 'sibling') => Promise<I> | I;
  /** The session that the call is made in ends by it. */
  ends?: true;
}

/** A row for every call of the contract; one that is missing, or too many, is a type error. */
export type Cases = {
  [N in keyof typeof nouns]: { [C in keyof (typeof nouns)[N]]: Case<InputOf<(typeof nouns)[N][C]>> };
};

const nothing: Codes = {
  stranger: '400',
  forged: '400',
  malformed: '422',
  unable: '200',
  own: '200',
  child: '-',
  sibling: '-',
  other: '-',
  parent: '-',
  absent: '-',
  moved: '-',
  'stranger+malformed': '400',
  'unable+malformed': '422',
  'absent+malformed': '-',
  'unable+absent': '-',
  'sibling+moved': '-',
};
const about = (done: Outcome, outside: Outcome): Codes => ({
  ...nothing,
  unable: done,
  own: done,
  child: done,
  sibling: outside,
  other: outside,
  parent: outside,
  absent: outside,
  'absent+malformed': '422',
  'unable+absent': outside,
});
const searched = about('200', '200 empty');
const looked = about('200', '404');
const guarded = { unable: '403', 'unable+absent': '403' } as const;
const changed = { ...looked, ...guarded, moved: '409', 'sibling+moved': '404' } as const;
const submitted = { ...changed, own: '202', child: '202' } as const;
const many = { ...about('200:200', '200:404'), ...guarded, moved: '200:409', 'sibling+moved': '200:404' } as const;

const withdrawId = (world: World, place: Place): number =>
  place === 'absent' ? ABSENT_ID : world.spots[place].rejected.id;
const withdrawIn = (state: 0 | 7 | 8) => async (world: World, place: Place) => [
  { id: await withdrawAt(world, place, state) },
];
const withdrawFor = (state: 0 | 7 | 8) => async (world: World, place: Place) => [
  { id: await withdrawAt(world, place, state), reason: 'because' },
];
const late = async (world: World, place: 'own' | 'sibling') => ({ id: await withdrawAt(world, place, 5) });
const lateFor = async (world: World, place: 'own' | 'sibling') => ({
  ...(await late(world, place)),
  reason: 'because',
});
const empty = () => [{}];

export const cases: Cases = {
  session: {
    login: {
      codes: {
        ...nothing,
        stranger: '200',
        forged: '200',
        unable: '-',
        'stranger+malformed': '422',
        'unable+malformed': '-',
      },
      inputs: ({ spots }) => [{ account: spots.own.agent.account, password: WORLD_PASSWORD }],
    },
    logout: { codes: { ...nothing, unable: '-' }, inputs: empty, ends: true },
    me: { codes: nothing, inputs: empty },
    password: {
      codes: { ...nothing, unable: '-' },
      inputs: () => [{ oldPassword: WORLD_PASSWORD, newPassword: 'another-password' }],
      ends: true,
    },
  },
  home: { state: { codes: nothing, inputs: empty } },
  agent: {
    list: {
      // An agent of the own tree is found by its account, and what is below it by its parent's.
      codes: searched,
      inputs: async (world, place) => {
        const { account } = await agentBelow(world, place);
        return [{ account, state: 1 }, { account: `${account}*` }, { parentAccount: agentOf(world, place).account }];
      },
    },
    add: {
      codes: { ...looked, moved: '409', 'sibling+moved': '404' },
      inputs: (world, place) => [
        { account: freeAccount(world), password: WORLD_PASSWORD, parentAccount: agentOf(world, place).account },
      ],
      moved: (world, place) => ({
        account: world.spots[place].agent.account,
        password: WORLD_PASSWORD,
        parentAccount: world.spots[place].agent.account,
      }),
    },
    state: {
      codes: { ...looked, ...guarded },
      inputs: async (world, place) => [{ id: (await agentBelow(world, place)).id, type: 3, state: 1 }],
    },
  },
  user: {
    list: {
      codes: searched,
      inputs: (world, place) => {
        const { id, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        return [{ account }, { account: `${account}*` }, { id }, { agent, state: 1 }, { agentRoot: agent }];
      },
    },
    add: {
      codes: { ...changed },
      inputs: (world, place) => [
        { account: freeAccount(world), password: WORLD_PASSWORD, agent: agentOf(world, place).account },
      ],
      moved: (world, place) => ({
        account: world.spots[place].user.account,
        password: WORLD_PASSWORD,
        agent: world.spots[place].agent.account,
      }),
    },
    asset: {
      codes: looked,
      inputs: (world, place) => [{ id: userOf(world, place).id }, { id: userOf(world, place).id, platform: 1 }],
    },
  },
  market: {
    list: { codes: nothing, inputs: () => [{}, { marketName: 'BTC', state: 1 }] },
    filter: { codes: nothing, inputs: empty },
  },
  recharge: {
    list: {
      codes: searched,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const canary = place === 'absent' ? NOBODY : world.spots[place].canary;
        return [
          { account },
          { account: `${account.slice(0, -1)}*` },
          { agent, state: 1 },
          { agentRoot: agent, marketId: 1, source: 1 },
          { userId },
          { no: `${canary}-r` },
          { address: `${canary}-deposit` },
          { txHash: `${canary}-hash` },
        ];
      },
    },
    url: { codes: looked, inputs: async (world, place) => [{ id: await rechargeAt(world, place, 2) }] },
    hold: {
      codes: changed,
      inputs: async (world, place) => [{ id: await rechargeAt(world, place, 0) }],
      moved: async (world, place) => ({ id: await rechargeAt(world, place, 2) }),
    },
    release: {
      codes: changed,
      inputs: async (world, place) => [{ id: await rechargeAt(world, place, 3) }],
      moved: async (world, place) => ({ id: await rechargeAt(world, place, 2) }),
    },
  },
  fund: {
    record: {
      codes: searched,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        return [
          { account },
          { account: `${account.slice(0, -1)}*`, type: 1 },
          { agent, state: 0 },
          { agentRoot: agent, marketId: 1, platform: 1, bucket: 'active' },
          { userId },
        ];
      },
    },
    check: {
      codes: changed,
      inputs: async (world, place) => [{ id: await fundAt(world, place) }],
      moved: async (world, place) => ({ id: await fundAt(world, place, true) }),
    },
    doubt: {
      codes: { ...changed, moved: '-', 'sibling+moved': '-' },
      inputs: async (world, place) => [{ id: await fundAt(world, place) }, { id: await fundAt(world, place, true) }],
    },
    reset: {
      codes: changed,
      inputs: async (world, place) => [{ id: await fundAt(world, place, true) }],
      moved: async (world, place) => ({ id: await fundAt(world, place) }),
    },
  },
  internalTransfer: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const no = place === 'absent' ? NOBODY : await transferAt(world, place, place);
        // Between two trees: each side sees the transfer, and only its own end of it.
        if (place === 'own') {
          await transferAt(world, 'own', 'other');
          await transferAt(world, 'sibling', 'own');
        }
        return [
          { account },
          { account: `${account}*` },
          { toAccount: account },
          { agent, state: 1 },
          { userId },
          { no },
        ];
      },
    },
  },
  withdraw: {
    list: {
      codes: searched,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const canary = place === 'absent' ? NOBODY : world.spots[place].canary;
        const no = place === 'absent' ? NOBODY : world.spots[place].rejected.no;
        return [
          { account },
          { account: `${account.slice(0, -1)}*` },
          { agent, state: 5 },
          { agentRoot: agent, marketId: 1 },
          { id: withdrawId(world, place) },
          { userId },
          { userId, risk: 'first_address' },
          { no },
          { address: `${canary}-to` },
          { no, txHash: '' },
        ];
      },
    },
    detail: {
      codes: looked,
      inputs: async (world, place) => [
        ...(await withdrawIn(0)(world, place)),
        ...(place === 'own' ? [{ id: world.asked }, { id: world.shared }] : []),
      ],
    },
    pass: { codes: changed, inputs: withdrawIn(0), moved: late },
    reject: { codes: changed, inputs: withdrawFor(0), moved: lateFor },
    retry: { codes: changed, inputs: withdrawIn(7), moved: late },
    refund: { codes: submitted, inputs: withdrawFor(7), moved: lateFor },
    resolve: {
      codes: submitted,
      inputs: async (world, place) => [{ id: await withdrawAt(world, place, 8), paid: false, reason: 'because' }],
      moved: async (world, place) => ({ ...(await lateFor(world, place)), paid: true, txHash: '0x1' }),
    },
    passMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await withdrawAt(world, place, 0)] }],
      moved: async (world, place) => ({ ids: [await withdrawAt(world, place, 5)] }),
    },
    rejectMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await withdrawAt(world, place, 0)], reason: 'because' }],
      moved: async (world, place) => ({ ids: [await withdrawAt(world, place, 5)], reason: 'because' }),
    },
  },
  approval: {
    list: {
      // Who may not decide sees its own requests only, and the child made none.
      codes: { ...nothing, unable: '200 empty' },
      inputs: () => [{ size: 200 }, { state: 0, type: 'withdraw.refund', size: 200 }],
    },
    pass: {
      codes: changed,
      inputs: async (world, place) => [{ id: await approvalAt(world, place) }],
      moved: async (world, place) => ({ id: await closedApprovalAt(world, place) }),
    },
    reject: {
      codes: changed,
      inputs: async (world, place) => [{ id: await approvalAt(world, place), reason: 'because' }],
      moved: async (world, place) => ({ id: await closedApprovalAt(world, place), reason: 'because' }),
    },
  },
  audit: {
    list: {
      codes: { ...searched, ...guarded },
      inputs: (world, place) => {
        const { account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const requestId = place === 'absent' ? NOBODY : world.spots[place].requestId;
        // What the parent's operator did to an own row carries its name: who decided is no secret.
        const byOperator = place === 'parent' ? [] : [{ operator: agent }, { operator: `${agent}*` }];
        return [
          ...byOperator,
          { account },
          { account, action: 'withdraw.reject', result: 200 },
          // Not ABSENT_ID: what one tried and was refused is in one's own log.
          { targetType: 'withdraw', targetId: place === 'absent' ? ABSENT_ID - 1 : withdrawId(world, place) },
          { requestId },
        ];
      },
    },
    verify: { codes: { ...nothing, unable: '403' }, inputs: empty },
  },
  preference: {
    list: { codes: nothing, inputs: empty },
    save: {
      codes: nothing,
      inputs: () => [{ items: [{ key: 'theme', value: 'dark' }] }, { items: [{ key: 'theme', value: null }] }],
    },
  },
  view: {
    list: { codes: nothing, inputs: () => [{ list: 'withdraw/list' }] },
    counts: { codes: nothing, inputs: () => [{ list: 'withdraw/list' }] },
    save: {
      // A view is its owner's: those above it neither see nor change it.
      codes: { ...looked, child: '404', moved: '409', 'sibling+moved': '404' },
      inputs: async (world, place) => [
        { ...viewInput(world), id: await viewAt(world, place) },
        ...(place === 'own' ? [viewInput(world)] : []),
      ],
      moved: async (world, place) => {
        const id = await viewAt(world, place);
        const taken = viewInput(world);
        await viewAt(world, place, taken);
        return { ...taken, id };
      },
    },
    del: {
      codes: { ...looked, child: '404' },
      inputs: async (world, place) => [{ id: await viewAt(world, place) }],
    },
  },
};
