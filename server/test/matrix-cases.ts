import type { InputOf } from '@hengtai/contract/endpoint';
import type { ExportSpec } from '@hengtai/contract/export';
import type { nouns } from '@hengtai/contract/index';
import type { PageInput } from '@hengtai/contract/list';
import { exportAt } from './export.ts';
import { numberNotifications } from '../src/notify/notify.jobs.ts';
import {
  ABSENT_ID,
  NOBODY,
  type Place,
  WORLD_PASSWORD,
  type World,
  adjustmentOf,
  alarmAt,
  commandAt,
  agentBelow,
  agentOf,
  agentWithCodes,
  approvalAt,
  kycAt,
  closedApprovalAt,
  freeAccount,
  freshUserAt,
  frozenAt,
  followAt,
  ledgerEntryAt,
  futureAt,
  grantedMarket,
  marketSettings,
  pictureAt,
  replyAt,
  supportAt,
  ieoAt,
  liabilityOf,
  noteAt,
  rechargeAt,
  binaryContractAt,
  binaryContractConfigOf,
  sessionAt,
  announceOf,
  changeOf,
  settingOf,
  signalOf,
  signalTerms,
  spotAt,
  transferAt,
  userOf,
  workerAt,
  viewAt,
  viewInput,
  withdrawAt,
} from './matrix-world.ts';

/**
 * The callers and their targets:
 *
 * - stranger, forged: without a token, with an unknown token
 * - malformed: a valid input with an extra field
 * - unable: an operator without abilities, about its own rows
 * - own … absent: an operator with every ability, about a row or account of that place
 * - moved: about an own row in the wrong state, or an account that is already in use
 *
 * A name with + combines two errors: the answer shows which check runs first.
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

/** The code; for a list also whether it is empty; for a bulk call also the code of its only id; `-` for no case. */
export type Outcome = '-' | `${number}` | '200 empty' | `200:${number}`;
export type Codes = Record<Column, Outcome>;

export interface Case<I> {
  codes: Codes;
  /** Inputs that name a record of the place, each by another field. Calls that change the record get a new one. */
  inputs: (world: World, place: Place) => Promise<I[]> | I[];
  /** An input about a record of the place in a state that no longer allows the call. */
  moved?: (world: World, place: 'own' | 'sibling') => Promise<I> | I;
  /** All inputs also name a record of this place. */
  also?: 'own';
  /** The call ends its own session. */
  ends?: true;
}

/**
 * One row per call of the contract; a missing or extra row is a type error. Rows of exports are derived from their
 * lists.
 */
export type Cases = {
  [N in keyof typeof nouns]: {
    [C in keyof (typeof nouns)[N] as (typeof nouns)[N][C] extends ExportSpec ? never : C]: Case<
      InputOf<(typeof nouns)[N][C]>
    >;
  };
};

/** An export returns the rows of its list and requires the export ability. */
export const exportCase = ({ codes, inputs }: Case<object>): Case<object> => ({
  codes: {
    ...codes,
    unable: '403',
    'unable+malformed': '422',
    ...(codes['unable+absent'] === '-' ? {} : { 'unable+absent': '403' }),
  },
  inputs: async (world, place) =>
    (await inputs(world, place)).map((input) => {
      const { page: _page, size: _size, ...asked } = input as PageInput;
      return { ...asked, format: 'csv' };
    }),
});

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
const placeless: Codes = { ...nothing, absent: '404', 'absent+malformed': '422', 'unable+absent': '404' };
const band = { marketType: 1, minPrice: '1', planPrice: '2', maxPrice: '3', planState: 1, planMinute: 5 } as const;
const pause = { marketType: 1, planMinute: 5, reason: 'because' } as const;
const proceed = { marketType: 1, reason: 'because' } as const;
const belowOf = async (world: World, place: Place) => [{ id: (await agentBelow(world, place)).id }];
const moveIn = async (world: World, place: Place) => [
  { id: (await agentBelow(world, place)).id, parent: (await agentBelow(world, place)).account },
];
const deathIn = async (world: World, place: Place) => [
  { deleteId: (await agentBelow(world, place)).id, replaceAccount: agentOf(world, place).account },
];

/** The required ability depends on the row, so a missing row is answered first. */
const changedByKind = { ...changed, 'unable+absent': '404' } as const;

const acted = { ...looked, ...guarded } as const;
/** A user switch. The admin first calls `path`, so that the switch is in the opposite position. */
const turned = (path: string | undefined, back: string | undefined): Case<{ id: number }> => ({
  codes: changed,
  inputs: async (world, place) => [{ id: await freshUserAt(world, place, path === undefined ? {} : { path }) }],
  moved: async (world, place) => ({ id: await freshUserAt(world, place, back === undefined ? {} : { path: back }) }),
});
const turnedMany = (path: string | undefined, back: string | undefined): Case<{ ids: number[] }> => {
  const one = turned(path, back);
  return {
    codes: many,
    inputs: async (world, place) => (await one.inputs(world, place)).map(({ id }) => ({ ids: [id] })),
    moved: async (world, place) => ({ ids: [(await one.moved?.(world, place))?.id ?? 0] }),
  };
};
/**
 * Users who move between places, so that both the user and the agent belong to the place. Names suit the later viewer.
 */
const movers = async (world: World, place: Place): Promise<{ id: number; agent: string }[]> => {
  const { own, child } = world.spots;
  if (place === 'own')
    return [{ id: await freshUserAt(world, 'own', { seenBy: 'child' }), agent: child.agent.account }];
  return [
    { id: await freshUserAt(world, place), agent: own.agent.account },
    ...(place === 'child' ? [] : [{ id: await freshUserAt(world, 'own'), agent: agentOf(world, place).account }]),
  ];
};
const stayer = async (world: World, place: 'own' | 'sibling') => ({
  id: await freshUserAt(world, place),
  agent: world.spots[place].agent.account,
});

const talkAt = async (world: World, place: Place) => [{ id: await supportAt(world, place) }];

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
    // The token is its only input, and this one does not exist.
    redeem: {
      codes: {
        ...nothing,
        stranger: '404',
        forged: '404',
        own: '404',
        unable: '-',
        'stranger+malformed': '422',
        'unable+malformed': '-',
      },
      inputs: () => [{ token: 'x'.repeat(43), password: WORLD_PASSWORD }],
    },
    logout: { codes: { ...nothing, unable: '-' }, inputs: empty, ends: true },
    me: { codes: nothing, inputs: empty },
    password: {
      codes: { ...nothing, unable: '-' },
      inputs: () => [{ oldPassword: WORLD_PASSWORD, newPassword: 'another-password' }],
      ends: true,
    },
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { account } = agentOf(world, place);
        return [{ account }, { account: `${account}*`, state: 1 }, { id: await sessionAt(world, place) }];
      },
    },
    kick: {
      codes: { ...looked, moved: '409', 'sibling+moved': '404' },
      inputs: async (world, place) => [{ id: await sessionAt(world, place) }],
      moved: async (world, place) => ({ id: await sessionAt(world, place, true) }),
    },
    kickOthers: { codes: nothing, inputs: empty },
  },
  home: {
    state: { codes: nothing, inputs: empty },
    chart: { codes: nothing, inputs: empty },
    trading: { codes: nothing, inputs: empty },
  },
  agent: {
    list: {
      // An agent of the own tree is found by its account, its children by the account of their parent.
      codes: searched,
      inputs: async (world, place) => {
        const { account } = await agentBelow(world, place);
        const above = agentOf(world, place);
        return [
          { account, state: 1 },
          { account: `${account}*` },
          { parentAccount: above.account },
          // Reading the tree: the parent of the operator returns nothing, not even the operator.
          { parent: above.id, sort: 'depth' },
        ];
      },
    },
    detail: { codes: looked, inputs: belowOf },
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
    ieoReviewOpen: { codes: { ...looked, ...guarded }, inputs: belowOf },
    ieoReviewClose: { codes: { ...looked, ...guarded }, inputs: belowOf },
    pwdUpdate: {
      codes: looked,
      inputs: async (world, place) =>
        (await belowOf(world, place)).map((named) => ({ ...named, password: 'another-one' })),
    },
    otpReset: {
      codes: { ...looked, moved: '409', 'sibling+moved': '404' },
      inputs: async (world, place) => [{ id: await agentWithCodes(world, place), reason: '手机遗失' }],
      moved: async (world, place) => ({ id: (await agentBelow(world, place)).id, reason: '手机遗失' }),
    },
    remark: {
      codes: looked,
      inputs: async (world, place) => (await belowOf(world, place)).map((named) => ({ ...named, remark: 'other' })),
    },
    // Invisible agents are omitted from the answer.
    root: {
      codes: about('200', '200'),
      inputs: async (world, place) => [{ agentId: [(await agentBelow(world, place)).id] }],
    },
    parentPreview: { codes: looked, inputs: moveIn },
    parentChange: {
      codes: { ...looked, moved: '409', 'sibling+moved': '404' },
      inputs: moveIn,
      moved: async (world, place) => ({
        id: (await agentBelow(world, place)).id,
        parent: world.spots[place].agent.account,
      }),
    },
    delPreview: { codes: looked, inputs: deathIn },
    del: { codes: { ...looked, unable: '202', own: '202', child: '202' }, inputs: deathIn },
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
    detail: { codes: looked, inputs: (world, place) => [{ id: userOf(world, place).id }] },
    balance: {
      codes: looked,
      inputs: ({ server, ...world }, place) => [
        { id: userOf({ server, ...world }, place).id, at: server.clock.now() },
        { id: userOf({ server, ...world }, place).id, at: 1, platform: 1 },
      ],
    },
    noteList: {
      codes: searched,
      inputs: async (world, place) => {
        await noteAt(world, place);
        return [{ id: userOf(world, place).id }];
      },
    },
    noteAdd: { codes: acted, inputs: (world, place) => [{ id: userOf(world, place).id, text: '已电话核实' }] },
    remark: {
      codes: acted,
      inputs: async (world, place) => [{ id: await freshUserAt(world, place), remark: '老客户' }],
    },
    pwdUpdate: {
      codes: acted,
      inputs: async (world, place) => [{ id: await freshUserAt(world, place), password: WORLD_PASSWORD }],
    },
    enable: turned('user/state/disable', undefined),
    disable: turned(undefined, 'user/state/disable'),
    enableMany: turnedMany('user/state/disable', undefined),
    disableMany: turnedMany(undefined, 'user/state/disable'),
    tradeOpen: turned('user/trade/close', undefined),
    tradeClose: turned(undefined, 'user/trade/close'),
    ieoSellOpen: turned('user/ieo_sell/close', undefined),
    ieoSellClose: turned(undefined, 'user/ieo_sell/close'),
    ieoBuy: {
      codes: changed,
      inputs: async (world, place) => [{ id: await freshUserAt(world, place), state: 0 }],
      moved: async (world, place) => ({ id: await freshUserAt(world, place), state: 1 }),
    },
    ai: {
      codes: changed,
      inputs: async (world, place) => [{ userId: await freshUserAt(world, place), state: 1 }],
      moved: async (world, place) => ({ userId: await freshUserAt(world, place), state: 0 }),
    },
    second: {
      codes: changed,
      inputs: async (world, place) => [{ id: await freshUserAt(world, place), winType: 1, winRate: '80' }],
      moved: async (world, place) => ({ id: await freshUserAt(world, place), winType: 0 }),
    },
    token: { codes: acted, inputs: (world, place) => [{ id: userOf(world, place).id }] },
    agentChange: {
      also: 'own',
      codes: changed,
      inputs: async (world, place) => (await movers(world, place)).map(({ id: userId, agent }) => ({ userId, agent })),
      moved: async (world, place) => {
        const { id: userId, agent } = await stayer(world, place);
        return { userId, agent };
      },
    },
    agentChangeMany: {
      also: 'own',
      codes: many,
      inputs: async (world, place) => (await movers(world, place)).map(({ id, agent }) => ({ ids: [id], agent })),
      moved: async (world, place) => {
        const { id, agent } = await stayer(world, place);
        return { ids: [id], agent };
      },
    },
    del: {
      codes: changed,
      inputs: async (world, place) => [{ id: await freshUserAt(world, place) }],
      // The user has a balance.
      moved: (world, place) => ({ id: world.spots[place].user.id }),
    },
  },
  // Settings belong to no tree and therefore have no place.
  config: {
    list: { codes: { ...nothing, unable: '403' }, inputs: empty },
    save: {
      codes: { ...nothing, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await settingOf(world), num: '48' }],
    },
    // Requires full scope, which no operator of this table has.
    history: {
      codes: { ...nothing, unable: '403', own: '403' },
      inputs: async (world) => {
        const { id } = await changeOf(world);
        return [{}, { id, by: 'a*', restored: 0 }];
      },
    },
    diff: { codes: { ...nothing, unable: '403', own: '403' }, inputs: () => [{ from: 0 }] },
    restore: {
      codes: { ...nothing, unable: '403', own: '403' },
      inputs: async (world) => [await changeOf(world)],
    },
  },
  announce: {
    list: {
      codes: { ...nothing, unable: '403' },
      inputs: async (world) => {
        const id = await announceOf(world);
        return [{}, { id, title: '公*', lang: 'zh-CN', platform: 0, state: 0 }];
      },
    },
    detail: {
      codes: { ...nothing, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await announceOf(world) }],
    },
    add: {
      codes: { ...nothing, unable: '403' },
      inputs: () => [{ announceList: [{ lang: 'en', title: 'Notice', content: '<p>x</p>', platform: 0, state: 0 }] }],
    },
    save: {
      codes: { ...nothing, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [
        { id: place === 'absent' ? ABSENT_ID : await announceOf(world), title: 'Another' },
      ],
    },
    del: {
      codes: { ...nothing, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await announceOf(world) }],
    },
  },
  market: {
    list: { codes: nothing, inputs: () => [{}, { marketName: 'BTC', state: 1 }] },
    filter: { codes: nothing, inputs: empty },
    // Markets belong to no tree and therefore have no place.
    detail: { codes: placeless, inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2 }] },
    affected: { codes: placeless, inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2 }] },
    candles: {
      codes: placeless,
      inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2, length: '1h' as const }],
    },
    save: {
      codes: { ...placeless, ...guarded },
      inputs: async (world, place) => [await marketSettings(world, place === 'absent' ? ABSENT_ID : undefined)],
    },
  },
  // A grant belongs to its agent. Agents above see only their own grants.
  plan: {
    list: {
      codes: { ...searched, child: '200 empty' },
      inputs: async (world, place) => [{ marketName: (await grantedMarket(world, place)).name }],
    },
    save: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [{ ...band, id: (await grantedMarket(world, place)).id }],
      moved: async (world, place) => ({ ...band, id: (await grantedMarket(world, place)).id, version: 99 }),
    },
    halt: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [{ ...pause, id: (await grantedMarket(world, place)).id }],
      moved: async (world, place) => ({ ...pause, id: (await grantedMarket(world, place, 'halted')).id }),
    },
    resume: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [{ ...proceed, id: (await grantedMarket(world, place, 'halted')).id }],
      moved: async (world, place) => ({ ...proceed, id: (await grantedMarket(world, place)).id }),
    },
    // Only the admin may do this, and the admin is not an operator of this table.
    permission: { codes: { ...nothing, unable: '403', own: '403' }, inputs: () => [{ id: 2 }] },
    permit: {
      codes: { ...nothing, unable: '403', own: '403' },
      inputs: () => [{ marketId: 2, agent: [] }],
    },
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
      inputs: async (world, place) => [{ id: await ledgerEntryAt(world, place) }],
      moved: async (world, place) => ({ id: await ledgerEntryAt(world, place, true) }),
    },
    doubt: {
      codes: { ...changed, moved: '-', 'sibling+moved': '-' },
      inputs: async (world, place) => [
        { id: await ledgerEntryAt(world, place) },
        { id: await ledgerEntryAt(world, place, true) },
      ],
    },
    reset: {
      codes: changed,
      inputs: async (world, place) => [{ id: await ledgerEntryAt(world, place, true) }],
      moved: async (world, place) => ({ id: await ledgerEntryAt(world, place) }),
    },
  },
  internalTransfer: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const no = place === 'absent' ? NOBODY : await transferAt(world, place, place);
        // A transfer between two trees: each side sees it, but only its own end.
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
  asset: {
    activeAdd: { codes: { ...looked, ...guarded }, inputs: (world, place) => [adjustmentOf(world, place)] },
    activeSub: { codes: { ...looked, ...guarded }, inputs: (world, place) => [adjustmentOf(world, place)] },
    frozenAdd: { codes: { ...looked, ...guarded }, inputs: (world, place) => [adjustmentOf(world, place)] },
    frozenSub: {
      codes: { ...looked, ...guarded },
      inputs: async (world, place) => {
        await frozenAt(world, place);
        return [adjustmentOf(world, place)];
      },
    },
    preview: {
      codes: { ...looked, ...guarded },
      inputs: (world, place) => {
        const where = { userId: userOf(world, place).id, marketId: 1, platform: 1 } as const;
        return [
          { ...where, action: 1 },
          { ...where, action: 2, amount: '1' },
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
  auth: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await kycAt(world, place, 2);
        const country = place === 'absent' ? NOBODY : `${world.spots[place].canary}-land`;
        return [
          { account: `${account.slice(0, -1)}k*` },
          { agent, state: 2, level: 1 },
          { agentRoot: agent, idType: 1 },
          { id },
          { country },
        ];
      },
    },
    detail: {
      codes: looked,
      inputs: async (world, place) => {
        if (place !== 'own') return [{ id: await kycAt(world, place) }];
        // A user of another tree has the same document number. The answer must not reveal that.
        await kycAt(world, 'other', 0, 'shared-0000');
        return [{ id: await kycAt(world, place) }, { id: await kycAt(world, place, 0, 'shared-0000') }];
      },
    },
    image: {
      codes: { ...looked, ...guarded },
      inputs: async (world, place) => {
        const id = await kycAt(world, place);
        return [
          { id, side: 'front' },
          { id, side: 'back' },
        ];
      },
    },
    reveal: {
      codes: { ...looked, ...guarded },
      inputs: async (world, place) => [{ id: await kycAt(world, place), reason: 'because' }],
    },
    pass: {
      codes: changed,
      inputs: async (world, place) => [{ id: await kycAt(world, place) }],
      moved: async (world, place) => ({ id: await kycAt(world, place, 2) }),
    },
    reject: {
      codes: changed,
      inputs: async (world, place) => [{ id: await kycAt(world, place), reason: 'because' }],
      moved: async (world, place) => ({ id: await kycAt(world, place, 2), reason: 'because' }),
    },
    passMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await kycAt(world, place)] }],
      moved: async (world, place) => ({ ids: [await kycAt(world, place, 2)] }),
    },
    rejectMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await kycAt(world, place)], reason: 'because' }],
      moved: async (world, place) => ({ ids: [await kycAt(world, place, 2)], reason: 'because' }),
    },
  },
  second: {
    // Settings belong to no tree.
    configList: {
      codes: nothing,
      inputs: async (world) => [
        {},
        { id: await binaryContractConfigOf(world), marketId: 0, state: 1 },
        { seconds: 30 },
      ],
    },
    configSave: {
      codes: { ...placeless, ...guarded },
      inputs: async (world, place) => [
        {
          ...(place === 'absent' && { id: ABSENT_ID, version: 1 }),
          marketId: 0,
          seconds: 10_000 + world.next(),
          payoutRate: '80',
          minAmount: '1',
          maxAmount: '0',
          sort: 9,
          state: 1 as const,
        },
      ],
    },
    configDel: {
      codes: { ...placeless, ...guarded },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await binaryContractConfigOf(world) }],
    },
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await binaryContractAt(world, place);
        return [
          { account, state: 0 },
          { account: `${account.slice(0, -1)}*`, type: 0 },
          { agent, side: 1 },
          { agentRoot: agent, seconds: 300 },
          { id, running: 1 },
          { userId },
        ];
      },
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await binaryContractAt(world, place) }] },
    change: {
      codes: submitted,
      inputs: async (world, place) => [
        { id: await binaryContractAt(world, place), state: 0, type: 1, reason: 'because' },
      ],
      moved: async (world, place) => ({
        id: await binaryContractAt(world, place, 2),
        state: 0,
        type: 1,
        reason: 'because',
      }),
    },
    changeMany: {
      codes: { ...many, own: '200:202', child: '200:202' },
      inputs: async (world, place) => [
        { ids: [await binaryContractAt(world, place)], state: 0, type: 1, reason: 'because' },
      ],
      moved: async (world, place) => ({
        ids: [await binaryContractAt(world, place, 2)],
        state: 0,
        type: 1,
        reason: 'because',
      }),
    },
    evidence: {
      codes: { ...looked, ...guarded },
      inputs: async (world, place) => [{ id: await binaryContractAt(world, place) }],
    },
    risk: { codes: nothing, inputs: empty },
  },
  ieo: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const [waiting, id] = [await ieoAt(world, place), await ieoAt(world, place, 2)];
        return [
          { account },
          { account, type: 'review' },
          { account: `${account.slice(0, -1)}*`, state: 2 },
          { agent, type: 'history' },
          { agentRoot: agent, marketId: 6 },
          { id },
          { id: waiting, type: 'review' },
          { userId },
        ];
      },
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await ieoAt(world, place) }] },
    pass: {
      codes: changed,
      inputs: async (world, place) => [{ id: await ieoAt(world, place) }],
      moved: async (world, place) => ({ id: await ieoAt(world, place, 2) }),
    },
    reject: {
      codes: changed,
      inputs: async (world, place) => [{ id: await ieoAt(world, place), reason: 'because' }],
      moved: async (world, place) => ({ id: await ieoAt(world, place, 2), reason: 'because' }),
    },
    passMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await ieoAt(world, place)] }],
      moved: async (world, place) => ({ ids: [await ieoAt(world, place, 2)] }),
    },
    rejectMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await ieoAt(world, place)], reason: 'because' }],
      moved: async (world, place) => ({ ids: [await ieoAt(world, place, 2)], reason: 'because' }),
    },
  },
  approval: {
    list: {
      // Without the ability to decide, an operator sees only its own requests. The child made none about withdrawals.
      codes: { ...nothing, unable: '200 empty' },
      inputs: () => [{ type: 'withdraw.refund' }, { state: 0, type: 'withdraw.refund', size: 200 }],
    },
    detail: {
      // Made by the admin, so an operator who cannot decide does not see it.
      codes: { ...looked, unable: '404', 'unable+absent': '404' },
      inputs: async (world, place) => [{ id: await approvalAt(world, place) }],
    },
    // Invisible rows are omitted from the answer.
    open: {
      codes: about('200', '200'),
      inputs: (world, place) => [{ targetType: 'user', ids: [userOf(world, place).id] }],
    },
    checkers: {
      codes: looked,
      inputs: async (world, place) => [
        { userId: userOf(world, place).id },
        { agentId: place === 'absent' ? ABSENT_ID : (await agentBelow(world, place)).id },
      ],
    },
    fourEyes: { codes: { ...nothing, unable: '403' }, inputs: empty },
    // Only the admin may request it.
    lock: { codes: { ...nothing, unable: '403', own: '403' }, inputs: empty },
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
  installation: {
    state: { codes: { ...nothing, absent: '-' }, inputs: () => [{}] },
    // Only the admin may do this, and the admin is not an operator of this table.
    live: { codes: { ...nothing, unable: '403', own: '403' }, inputs: () => [{}] },
    steps: { codes: { ...nothing, unable: '403', own: '403' }, inputs: () => [{}] },
  },
  audit: {
    list: {
      codes: { ...searched, ...guarded },
      inputs: (world, place) => {
        const { account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const requestId = place === 'absent' ? NOBODY : world.spots[place].requestId;
        // The own row names the operator of the parent: the deciding operator is not hidden.
        const byOperator = place === 'parent' ? [] : [{ operator: agent }, { operator: `${agent}*` }];
        return [
          ...byOperator,
          { account },
          { account, action: 'withdraw.reject', result: 200 },
          // Not ABSENT_ID, because an operator sees its own refused attempts in its log.
          { targetType: 'withdraw', targetId: place === 'absent' ? ABSENT_ID - 1 : withdrawId(world, place) },
          { requestId },
        ];
      },
    },
    verify: { codes: { ...nothing, unable: '403' }, inputs: empty },
  },
  notify: {
    // The answer is endless. The test reads its beginning, which contains every earlier event.
    stream: {
      codes: nothing,
      inputs: async (world) => {
        await numberNotifications(world.server.app);
        return [{ last: 0 }];
      },
    },
    counts: { codes: nothing, inputs: empty },
    facts: {
      codes: nothing,
      inputs: async (world) => {
        await numberNotifications(world.server.app);
        return [{ after: 0, size: 200 }];
      },
    },
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
      // A view belongs to its owner. Operators above neither see nor change it.
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
  // Concerns the caller's own one-time codes, which nobody here has. Other tests cover their effects.
  otp: {
    state: { codes: nothing, inputs: empty },
    setup: { codes: nothing, inputs: () => [{ password: WORLD_PASSWORD }] },
    confirm: { codes: { ...nothing, unable: '401', own: '401' }, inputs: () => [{ code: '00-00-00-00' }] },
    disable: {
      codes: { ...nothing, unable: '409', own: '409' },
      inputs: () => [{ password: WORLD_PASSWORD, code: '000000' }],
    },
    recovery: { codes: { ...nothing, unable: '409', own: '409' }, inputs: () => [{ code: '000000' }] },
    fresh: { codes: { ...nothing, unable: '409', own: '409' }, inputs: () => [{ code: '000000' }] },
  },
  // An export belongs to its maker. Operators above and below do not see it.
  export: {
    list: { codes: { ...nothing, unable: '403' }, inputs: empty },
    cancel: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [{ id: await exportAt(world, place, 0) }],
      moved: async (world, place) => ({ id: await exportAt(world, place, 4) }),
    },
    remove: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [
        { id: await exportAt(world, place, 2) },
        { id: await exportAt(world, place, 3) },
      ],
      moved: async (world, place) => ({ id: await exportAt(world, place, 0) }),
    },
    download: {
      codes: { ...changed, child: '404' },
      inputs: async (world, place) => [{ id: await exportAt(world, place, 2) }],
      moved: async (world, place) => ({ id: await exportAt(world, place, 0) }),
    },
  },
  trade: {
    list: {
      codes: searched,
      inputs: async (world, place) => [
        { id: await spotAt(world, place) },
        { account: userOf(world, place).account, marketId: 2, side: 1, type: 1 },
        { userId: userOf(world, place).id },
      ],
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await spotAt(world, place) }] },
    cancel: {
      codes: changed,
      inputs: async (world, place) => [{ id: await spotAt(world, place) }],
      moved: async (world, place) => ({ id: await spotAt(world, place, 3) }),
    },
    cancelMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await spotAt(world, place)] }],
      moved: async (world, place) => ({ ids: [await spotAt(world, place, 3)] }),
    },
    preview: { codes: { ...nothing, unable: '403' }, inputs: () => [{ marketId: 2 }] },
    cancelAll: {
      codes: { ...nothing, unable: '403', moved: '409' },
      inputs: async (world) => {
        await spotAt(world, 'own');
        return [{ marketId: 2, reason: 'because' }];
      },
      moved: () => ({ marketId: 6, reason: 'because' }),
    },
  },
  // Signals are visible to all operators; the counts in them are scoped.
  signal: {
    list: {
      codes: nothing,
      inputs: async (world) => {
        // Drafts are not visible to all operators.
        const { id } = await signalOf(world, 1);
        return [{}, { id, title: '信*', marketId: 2, side: 1, state: 1 }];
      },
    },
    detail: {
      codes: placeless,
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : (await signalOf(world, 1)).id }],
    },
    add: { codes: { ...nothing, unable: '403' }, inputs: () => [signalTerms()] },
    change: {
      codes: { ...placeless, ...guarded, moved: '409' },
      inputs: async (world, place) => [
        { id: place === 'absent' ? ABSENT_ID : (await signalOf(world)).id, version: 1, title: '另一个' },
      ],
      moved: async (world) => ({ id: (await signalOf(world)).id, version: 9, title: '另一个' }),
    },
  },
  alarm: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await alarmAt(world, place);
        const targetId = withdrawId(world, place);
        return [{ id }, { account, kind: 'withdraw.paidAfterRefund' }, { userId }, { agent }, { targetId, state: 0 }];
      },
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await alarmAt(world, place) }] },
    close: {
      codes: changedByKind,
      inputs: async (world, place) => [{ id: await alarmAt(world, place), reason: 'because' }],
      moved: async (world, place) => ({ id: await alarmAt(world, place, 1), reason: 'because' }),
    },
  },
  command: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await commandAt(world, place);
        return [{ id }, { account, type: 'withdraw.reviewed', state: 4 }, { userId }, { agent }, { agentRoot: agent }];
      },
    },
    retry: {
      codes: changedByKind,
      inputs: async (world, place) => [{ id: await commandAt(world, place) }],
      moved: async (world, place) => ({ id: await commandAt(world, place, 2) }),
    },
    resolve: {
      codes: changedByKind,
      inputs: async (world, place) => [{ id: await commandAt(world, place), state: 2 }],
      moved: async (world, place) => ({ id: await commandAt(world, place, 2), state: 2 }),
    },
  },
  follow: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await followAt(world, place);
        return [{ id }, { account, state: 1, marketId: 2, auto: 0 }, { userId }, { agent }, { agentRoot: agent }];
      },
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await followAt(world, place) }] },
    close: {
      codes: changed,
      inputs: async (world, place) => [{ id: await followAt(world, place) }],
      moved: async (world, place) => ({ id: await followAt(world, place, 2) }),
    },
    closeMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await followAt(world, place)] }],
      moved: async (world, place) => ({ ids: [await followAt(world, place, 2)] }),
    },
  },
  service: {
    list: {
      codes: searched,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await supportAt(world, place);
        return [
          { id },
          // No filter by handler or unread messages, because other cases change both.
          { account: `${account}*` },
          { userId, sort: '-turn' },
          { agent },
          { agentRoot: agent },
        ];
      },
    },
    detail: { codes: looked, inputs: talkAt },
    messages: {
      codes: looked,
      inputs: async (world, place) => [{ id: await supportAt(world, place), after: 0, size: 200 }],
    },
    image: { codes: looked, inputs: async (world, place) => [{ id: await pictureAt(world, place) }] },
    operators: { codes: acted, inputs: talkAt },
    open: { codes: acted, inputs: (world, place) => [{ userId: userOf(world, place).id }] },
    send: {
      codes: acted,
      inputs: async (world, place) => [{ id: await supportAt(world, place), text: 'hello' }],
    },
    close: {
      codes: changed,
      inputs: talkAt,
      moved: async (world, place) => ({ id: await supportAt(world, place, 0) }),
    },
    assign: {
      codes: acted,
      inputs: async (world, place) => [{ id: await supportAt(world, place), operatorId: 0 }],
    },
    read: {
      codes: acted,
      inputs: async (world, place) => [{ id: await supportAt(world, place), upTo: Number.MAX_SAFE_INTEGER }],
    },
    replies: { codes: { ...nothing, unable: '403' }, inputs: empty },
    // A canned reply belongs to its owner. Operators above neither see nor change it.
    replySave: {
      codes: { ...acted, child: '404' },
      inputs: async (world, place) => [
        { id: await replyAt(world, place), title: 'x', text: 'x', shared: 0 },
        ...(place === 'own' ? [{ title: 'x', text: 'x', shared: 0 as const }] : []),
      ],
    },
    replyDel: {
      codes: { ...acted, child: '404' },
      inputs: async (world, place) => [{ id: await replyAt(world, place) }],
    },
  },
  future: {
    list: {
      codes: searched,
      inputs: async (world, place) => [
        { id: await futureAt(world, place) },
        { id: await futureAt(world, place, 1), state: 1, demo: 0 },
        { account: userOf(world, place).account, marketName: 'btc', side: 1, type: 1 },
        { agentRoot: agentOf(world, place).account, marketId: 2 },
        { userId: userOf(world, place).id },
      ],
    },
    openHistory: {
      codes: searched,
      inputs: async (world, place) => [
        { id: await futureAt(world, place, 3) },
        { id: await futureAt(world, place, 2), state: 2, closeType: 1 },
        { account: userOf(world, place).account },
        { userId: userOf(world, place).id },
      ],
    },
    closeHistory: {
      codes: searched,
      inputs: async (world, place) => [
        { orderId: await futureAt(world, place, 2) },
        { account: userOf(world, place).account, demo: 0 },
        { agent: agentOf(world, place).account, closeType: 1 },
        { userId: userOf(world, place).id },
      ],
    },
    detail: { codes: looked, inputs: async (world, place) => [{ id: await futureAt(world, place, 1) }] },
    cancel: {
      codes: changed,
      inputs: async (world, place) => [{ id: await futureAt(world, place) }],
      moved: async (world, place) => ({ id: await futureAt(world, place, 3) }),
    },
    cancelMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await futureAt(world, place)] }],
      moved: async (world, place) => ({ ids: [await futureAt(world, place, 3)] }),
    },
    close: {
      codes: changed,
      inputs: async (world, place) => [{ id: await futureAt(world, place, 1), closeAmount: '0.5' }],
      moved: async (world, place) => ({ id: await futureAt(world, place, 2), closeAmount: '0.5' }),
    },
    closeMany: {
      codes: many,
      inputs: async (world, place) => [{ ids: [await futureAt(world, place, 1)] }],
      moved: async (world, place) => ({ ids: [await futureAt(world, place, 2)] }),
    },
    expectInfo: {
      codes: about('200', '200'),
      inputs: async (world, place) => {
        await futureAt(world, place, 1);
        return [{ userId: [userOf(world, place).id] }];
      },
    },
    exposure: { codes: nothing, inputs: () => [{}, { demo: 1 }] },
    heat: { codes: placeless, inputs: (_world, place) => [{ marketId: place === 'absent' ? ABSENT_ID : 2 }] },
  },
  report: {
    fund: {
      codes: searched,
      inputs: (world, place) => [
        { agent: agentOf(world, place).account },
        { agent: agentOf(world, place).account, split: 1, marketId: 1 },
      ],
    },
    // Another tree appears as empty.
    fetchCurrentFunds: {
      codes: { ...about('200', '200') },
      inputs: (world, place) => [{ agent: agentOf(world, place).account }],
    },
    // The work of a deleted operator stays in the reports of the operators above.
    work: {
      codes: { ...searched, ...guarded },
      inputs: (world, place) => {
        const { account } = workerAt(world, place);
        return [{ operator: account }, { operator: `${account}*`, split: 1 }];
      },
    },
    liability: {
      codes: nothing,
      inputs: async (world) => {
        await liabilityOf(world);
        return [{}];
      },
    },
    // Only the admin may do this, and the admin is not an operator of this table.
    make: { codes: { ...nothing, unable: '403', own: '403' }, inputs: empty },
    proof: {
      codes: looked,
      inputs: async (world, place) => [
        { id: await liabilityOf(world), userId: place === 'absent' ? ABSENT_ID : userOf(world, place).id },
      ],
    },
  },
  search: {
    find: {
      codes: about('200', '200'),
      inputs: (world, place) => {
        const { id, account } = userOf(world, place);
        return [
          { word: account },
          // Long enough that no two places share a prefix by chance.
          { word: account.slice(0, 14) },
          { word: String(id) },
          { word: String(withdrawId(world, place)) },
        ];
      },
    },
  },
};
