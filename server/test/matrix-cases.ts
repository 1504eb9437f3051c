import type { InputOf } from '@hengtai/contract/wire/endpoint';
import type { ExportSpec } from '@hengtai/contract/desk/export/calls';
import type { GatewayKeySave } from '@hengtai/contract/house/gateway-key/schema';
import type { nouns } from '@hengtai/contract/index';
import type { PageInput } from '@hengtai/contract/wire/list';
import type { RuleSave } from '@hengtai/contract/risk/rule/schema';
import { inheritedTerms } from '@hengtai/contract/risk/withdraw-limit/calls';
import { makeSigner } from '../../testing/signer.ts';
import { makeExportAt } from './export.ts';
import { numberNotifications } from '../src/domains/desk/notify/notify.jobs.ts';
import { PNG } from './identity.ts';
import {
  ABSENT_ID,
  CLEARED_MARKET,
  NOBODY,
  PLACES,
  type Place,
  WORLD_PASSWORD,
  type World,
  adjustmentOf,
  makeAlarmAt,
  makeCommandAt,
  makeAgentBelow,
  agentOf,
  makeOtpAgentBelow,
  makeApprovalAt,
  makeKycAt,
  makeRejectedApprovalAt,
  unusedAccount,
  makeUserAt,
  makeUserGroup,
  freezeAssetsAt,
  makeFollowAt,
  makeLedgerEntryAt,
  makePositionAt,
  makeGrantedMarket,
  makeMarketInput,
  makeImageMessageAt,
  makeReplyAt,
  makeConversationAt,
  makeIeoAt,
  makeLiabilityProof,
  addNoteAt,
  makeRechargeAt,
  makeBinaryContractAt,
  makeBinaryContractConfig,
  makeSessionAt,
  makeAnnouncement,
  makeAnnouncementImage,
  changeSetting,
  fetchSettingId,
  nextName,
  makeSignal,
  signalTerms,
  makeSpotOrderAt,
  makeTransferAt,
  userOf,
  operatorAt,
  makeChannelAt,
  makeGatewayKey,
  makeScheduleAt,
  makeViewAt,
  viewInput,
  makeWithdrawAt,
} from './matrix-world.ts';

/**
 * The callers and their targets:
 *
 * - stranger, forged: without a token, with an unknown token
 * - malformed: a valid input with an extra field
 * - unable: an operator without abilities, about its own rows
 * - own … absent: an operator with every ability, about a row or account of that place
 * - conflict: about an own row in the wrong state, an account in use, or a value that is already set
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
  'conflict',
  'stranger+malformed',
  'unable+malformed',
  'absent+malformed',
  'unable+absent',
  'sibling+conflict',
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
  conflict?: (world: World, place: 'own' | 'sibling') => Promise<I> | I;
  /** All inputs also name a record of this place. */
  alsoNames?: 'own';
  /** The call ends sessions of its caller. */
  endsSession?: true;
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
      const { page: _page, size: _size, ...filters } = input as PageInput;
      return { ...filters, format: 'csv' };
    }),
});

const ownOnlyCodes: Codes = {
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
  conflict: '-',
  'stranger+malformed': '400',
  'unable+malformed': '422',
  'absent+malformed': '-',
  'unable+absent': '-',
  'sibling+conflict': '-',
};
/** Of a public call about passkeys, which a new installation does not allow alone. */
const publicCodes: Codes = {
  ...ownOnlyCodes,
  stranger: '403',
  forged: '403',
  own: '403',
  unable: '-',
  'stranger+malformed': '422',
  'unable+malformed': '-',
};
const WRONG_ASSERTION = { id: 'AAAA', clientData: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' };
const targetCodes = (allowed: Outcome, outside: Outcome): Codes => ({
  ...ownOnlyCodes,
  unable: allowed,
  own: allowed,
  child: allowed,
  sibling: outside,
  other: outside,
  parent: outside,
  absent: outside,
  'absent+malformed': '422',
  'unable+absent': outside,
});
const searchCodes = targetCodes('200', '200 empty');
const readCodes = targetCodes('200', '404');
const abilityCodes = { unable: '403', 'unable+absent': '403' } as const;
const changeCodes = { ...readCodes, ...abilityCodes, conflict: '409', 'sibling+conflict': '404' } as const;
/** What is already so has no effect. */
const settingCodes = { ...changeCodes, conflict: '200' } as const;
const approvalCodes = { ...changeCodes, own: '202', child: '202' } as const;
const bulkCodes = {
  ...targetCodes('200:200', '200:404'),
  ...abilityCodes,
  conflict: '200:409',
  'sibling+conflict': '200:404',
} as const;

const bulkApprovalCodes = { ...bulkCodes, own: '200:202', child: '200:202' } as const;
const bulkSettingCodes = { ...bulkCodes, conflict: '200:200' } as const;

const withdrawId = (world: World, place: Place): number =>
  place === 'absent' ? ABSENT_ID : world.places[place].rejected.id;
const withdrawInput = (state: 0 | 7 | 8) => async (world: World, place: Place) => [
  { id: await makeWithdrawAt(world, place, state) },
];
const withdrawReasonInput = (state: 0 | 7 | 8) => async (world: World, place: Place) => [
  { id: await makeWithdrawAt(world, place, state), reason: 'because' },
];
const decidedWithdraw = async (world: World, place: 'own' | 'sibling') => ({
  id: await makeWithdrawAt(world, place, 5),
});
const decidedWithdrawReason = async (world: World, place: 'own' | 'sibling') => ({
  ...(await decidedWithdraw(world, place)),
  reason: 'because',
});
const emptyInput = () => [{}];
/** Calls that need full scope. */
const houseCodes: Codes = { ...ownOnlyCodes, unable: '403', own: '403' };
const idOnlyCodes: Codes = { ...ownOnlyCodes, absent: '404', 'absent+malformed': '422', 'unable+absent': '404' };
const gatewayKeyInput = {
  name: 'engine',
  rights: ['tick'],
  addresses: [],
  expiresAt: null,
  nonce: 1,
} satisfies GatewayKeySave;
const autoBudget = {
  on: true,
  dayAmount: '100',
  dayCount: 1,
  userDayAmount: '100',
  largestUnverified: '100',
  largestBasic: '100',
  largestAdvanced: '100',
  firstByHand: true,
  reviewPercent: 0,
};
/** A user of the place, and a group that operators of agents may choose. */
const groupInput = async (world: World, place: Place) => ({
  id: await makeUserAt(world, place),
  groupId: await makeUserGroup(world),
});
const ruleSaveInput = (name: string): RuleSave => ({
  name: `rule ${name}`,
  conditions: [{ fact: 'amount', op: 'gt', value: '0' }],
  actions: { points: 1, hold: false, people: 0, manual: false, openCase: false, stopCoin: false },
  unknownHits: false,
});
const scheduleInput = { name: 'daily', format: 'csv', period: 0, day: 1, hour: 9, range: 1 } as const;
const priceBand = { marketType: 1, minPrice: '1', planPrice: '2', maxPrice: '3', planState: 1, planMinute: 5 } as const;
const haltInput = { marketType: 1, planMinute: 5, reason: 'because' } as const;
const resumeInput = { marketType: 1, reason: 'because' } as const;
const agentBelowInput = async (world: World, place: Place) => [{ id: (await makeAgentBelow(world, place)).id }];
const parentChangeInput = async (world: World, place: Place) => [
  { id: (await makeAgentBelow(world, place)).id, parent: (await makeAgentBelow(world, place)).account },
];
const agentDeleteInput = async (world: World, place: Place) => [
  { deleteId: (await makeAgentBelow(world, place)).id, replaceAccount: agentOf(world, place).account },
];

/** Of a call about a request of the admin, which only its maker may make. */
const makersCase: Case<{ id: number }> = {
  codes: {
    ...targetCodes('403', '404'),
    unable: '404',
    conflict: '403',
    'sibling+conflict': '404',
  },
  inputs: async (world, place) => [{ id: await makeApprovalAt(world, place) }],
  conflict: async (world, place) => ({ id: await makeRejectedApprovalAt(world, place) }),
};

/** The required ability depends on the row, so a missing row is answered first. */
const changeCodesByKind = { ...changeCodes, 'unable+absent': '404' } as const;

const actionCodes = { ...readCodes, ...abilityCodes } as const;
/** A user switch. The admin first calls `path`, so that the switch is in the opposite position. */
const switchCase = (path: string | undefined, reverse: string | undefined): Case<{ id: number }> => ({
  codes: settingCodes,
  inputs: async (world, place) => [{ id: await makeUserAt(world, place, path === undefined ? {} : { path }) }],
  conflict: async (world, place) => ({
    id: await makeUserAt(world, place, reverse === undefined ? {} : { path: reverse }),
  }),
});
const bulkSwitchCase = (path: string | undefined, reverse: string | undefined): Case<{ ids: number[] }> => {
  const single = switchCase(path, reverse);
  return {
    codes: bulkSettingCodes,
    inputs: async (world, place) => (await single.inputs(world, place)).map(({ id }) => ({ ids: [id] })),
    conflict: async (world, place) => ({ ids: [(await single.conflict?.(world, place))?.id ?? 0] }),
  };
};
/**
 * Users who move between places, so that both the user and the agent belong to the place. Names suit the later viewer.
 */
const userMoveInputs = async (world: World, place: Place): Promise<{ id: number; agent: string }[]> => {
  const { own, child } = world.places;
  if (place === 'own') return [{ id: await makeUserAt(world, 'own', { viewer: 'child' }), agent: child.agent.account }];
  return [
    { id: await makeUserAt(world, place), agent: own.agent.account },
    ...(place === 'child' ? [] : [{ id: await makeUserAt(world, 'own'), agent: agentOf(world, place).account }]),
  ];
};
const unchangedUserMove = async (world: World, place: 'own' | 'sibling') => ({
  id: await makeUserAt(world, place),
  agent: world.places[place].agent.account,
});

const TAB = 'tab-of-the-matrix';
/** A record of each kind that the queues contain. */
const reviewInputs = async (world: World, place: Place) => [
  { targetType: 'withdraw' as const, targetId: await makeWithdrawAt(world, place, 0) },
  { targetType: 'auth' as const, targetId: await makeKycAt(world, place) },
  { targetType: 'ieo' as const, targetId: await makeIeoAt(world, place) },
  { targetType: 'approval' as const, targetId: await makeApprovalAt(world, place) },
  { targetType: 'alarm' as const, targetId: await makeAlarmAt(world, place) },
  { targetType: 'recharge' as const, targetId: await makeRechargeAt(world, place, 3) },
];
const withdrawTarget = async (world: World, place: Place) => ({
  targetType: 'withdraw' as const,
  targetId: await makeWithdrawAt(world, place, 0),
});
/** A withdrawal that was decided: it can be claimed or given to nobody. */
const decidedTarget = async (world: World, place: 'own' | 'sibling') => ({
  targetType: 'withdraw' as const,
  targetId: await makeWithdrawAt(world, place, 5),
});

const conversationInput = async (world: World, place: Place) => [{ id: await makeConversationAt(world, place) }];

export const cases: Cases = {
  session: {
    login: {
      codes: {
        ...ownOnlyCodes,
        stranger: '200',
        forged: '200',
        unable: '-',
        'stranger+malformed': '422',
        'unable+malformed': '-',
      },
      inputs: ({ places }) => [{ account: places.own.agent.account, password: WORLD_PASSWORD }],
    },
    // The token is its only input, and this one does not exist.
    redeem: {
      codes: {
        ...ownOnlyCodes,
        stranger: '404',
        forged: '404',
        own: '404',
        unable: '-',
        'stranger+malformed': '422',
        'unable+malformed': '-',
      },
      inputs: () => [{ token: 'x'.repeat(43), password: WORLD_PASSWORD }],
    },
    logout: { codes: { ...ownOnlyCodes, unable: '-' }, inputs: emptyInput, endsSession: true },
    me: { codes: ownOnlyCodes, inputs: emptyInput },
    password: {
      codes: { ...ownOnlyCodes, unable: '-' },
      inputs: () => [{ oldPassword: WORLD_PASSWORD, newPassword: 'another-password' }],
      endsSession: true,
    },
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { account } = agentOf(world, place);
        return [{ account }, { account: `${account}*`, state: 1 }, { id: await makeSessionAt(world, place) }];
      },
    },
    kick: {
      codes: { ...readCodes, conflict: '409', 'sibling+conflict': '404' },
      inputs: async (world, place) => [{ id: await makeSessionAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeSessionAt(world, place, true) }),
    },
    kickOthers: { codes: ownOnlyCodes, inputs: emptyInput, endsSession: true },
  },
  home: {
    state: { codes: ownOnlyCodes, inputs: emptyInput },
    chart: { codes: ownOnlyCodes, inputs: emptyInput },
    trading: { codes: ownOnlyCodes, inputs: emptyInput },
    queues: { codes: ownOnlyCodes, inputs: emptyInput },
    trends: { codes: ownOnlyCodes, inputs: emptyInput },
  },
  agent: {
    list: {
      // An agent of the own tree is found by its account, its children by the account of their parent.
      codes: searchCodes,
      inputs: async (world, place) => {
        const { account } = await makeAgentBelow(world, place);
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
    detail: { codes: readCodes, inputs: agentBelowInput },
    find: {
      codes: readCodes,
      inputs: async (world, place) => [{ account: (await makeAgentBelow(world, place)).account }],
    },
    add: {
      codes: { ...readCodes, conflict: '409', 'sibling+conflict': '404' },
      inputs: (world, place) => [
        { account: unusedAccount(world), password: WORLD_PASSWORD, parentAccount: agentOf(world, place).account },
      ],
      conflict: (world, place) => ({
        account: world.places[place].agent.account,
        password: WORLD_PASSWORD,
        parentAccount: world.places[place].agent.account,
      }),
    },
    state: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: async (world, place) => [{ id: (await makeAgentBelow(world, place)).id, type: 3, state: 1 }],
    },
    ieoReviewOpen: { codes: { ...readCodes, ...abilityCodes }, inputs: agentBelowInput },
    ieoReviewClose: { codes: { ...readCodes, ...abilityCodes }, inputs: agentBelowInput },
    pwdUpdate: {
      codes: readCodes,
      inputs: async (world, place) =>
        (await agentBelowInput(world, place)).map((named) => ({ ...named, password: 'another-one' })),
    },
    otpReset: {
      codes: { ...readCodes, conflict: '409', 'sibling+conflict': '404' },
      inputs: async (world, place) => [{ id: await makeOtpAgentBelow(world, place), reason: '手机遗失' }],
      conflict: async (world, place) => ({ id: (await makeAgentBelow(world, place)).id, reason: '手机遗失' }),
    },
    oidcLink: {
      codes: { ...readCodes, conflict: '200', 'sibling+conflict': '404' },
      inputs: async (world, place) =>
        (await agentBelowInput(world, place)).map((named) => ({ ...named, subject: `subject${world.next()}` })),
      conflict: async (world, place) => ({ id: (await makeAgentBelow(world, place)).id, subject: null }),
    },
    remark: {
      codes: readCodes,
      inputs: async (world, place) =>
        (await agentBelowInput(world, place)).map((named) => ({ ...named, remark: 'other' })),
    },
    // Invisible agents are omitted from the answer.
    root: {
      codes: targetCodes('200', '200'),
      inputs: async (world, place) => [{ agentId: [(await makeAgentBelow(world, place)).id] }],
    },
    parentPreview: { codes: readCodes, inputs: parentChangeInput },
    parentChange: {
      codes: { ...readCodes, conflict: '200', 'sibling+conflict': '404' },
      inputs: parentChangeInput,
      conflict: async (world, place) => ({
        id: (await makeAgentBelow(world, place)).id,
        parent: world.places[place].agent.account,
      }),
    },
    delPreview: { codes: readCodes, inputs: agentDeleteInput },
    del: { codes: { ...readCodes, unable: '202', own: '202', child: '202' }, inputs: agentDeleteInput },
  },
  user: {
    list: {
      codes: searchCodes,
      inputs: (world, place) => {
        const { id, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        return [
          { account },
          { account: `${account}*` },
          { id },
          { agent, state: 1 },
          { agentRoot: agent },
          { ip: '10.1.1.1', agentRoot: agent },
        ];
      },
    },
    add: {
      codes: { ...changeCodes },
      inputs: (world, place) => [
        { account: unusedAccount(world), password: WORLD_PASSWORD, agent: agentOf(world, place).account },
      ],
      conflict: (world, place) => ({
        account: world.places[place].user.account,
        password: WORLD_PASSWORD,
        agent: world.places[place].agent.account,
      }),
    },
    asset: {
      codes: readCodes,
      inputs: (world, place) => [{ id: userOf(world, place).id }, { id: userOf(world, place).id, platform: 1 }],
    },
    detail: { codes: readCodes, inputs: (world, place) => [{ id: userOf(world, place).id }] },
    balance: {
      codes: readCodes,
      inputs: ({ server, ...world }, place) => [
        { id: userOf({ server, ...world }, place).id, at: server.clock.now() },
        { id: userOf({ server, ...world }, place).id, at: 1, platform: 1 },
      ],
    },
    noteList: {
      codes: searchCodes,
      inputs: async (world, place) => {
        await addNoteAt(world, place);
        return [{ id: userOf(world, place).id }];
      },
    },
    noteAdd: { codes: actionCodes, inputs: (world, place) => [{ id: userOf(world, place).id, text: '已电话核实' }] },
    remark: {
      codes: actionCodes,
      inputs: async (world, place) => [{ id: await makeUserAt(world, place), remark: '老客户' }],
    },
    pwdUpdate: {
      codes: actionCodes,
      inputs: async (world, place) => [{ id: await makeUserAt(world, place), password: WORLD_PASSWORD }],
    },
    enable: switchCase('user/state/disable', undefined),
    disable: switchCase(undefined, 'user/state/disable'),
    enableMany: bulkSwitchCase('user/state/disable', undefined),
    disableMany: bulkSwitchCase(undefined, 'user/state/disable'),
    tradeOpen: switchCase('user/trade/close', undefined),
    tradeClose: switchCase(undefined, 'user/trade/close'),
    ieoSellOpen: switchCase('user/ieo_sell/close', undefined),
    ieoSellClose: switchCase(undefined, 'user/ieo_sell/close'),
    ieoBuy: {
      codes: settingCodes,
      inputs: async (world, place) => [{ id: await makeUserAt(world, place), state: 0 }],
      conflict: async (world, place) => ({ id: await makeUserAt(world, place), state: 1 }),
    },
    ai: {
      codes: settingCodes,
      inputs: async (world, place) => [{ userId: await makeUserAt(world, place), state: 1 }],
      conflict: async (world, place) => ({ userId: await makeUserAt(world, place), state: 0 }),
    },
    second: {
      codes: settingCodes,
      inputs: async (world, place) => [{ id: await makeUserAt(world, place), winType: 1, winRate: '80' }],
      conflict: async (world, place) => ({ id: await makeUserAt(world, place), winType: 0 }),
    },
    token: { codes: actionCodes, inputs: (world, place) => [{ id: userOf(world, place).id }] },
    agentChange: {
      alsoNames: 'own',
      codes: settingCodes,
      inputs: async (world, place) =>
        (await userMoveInputs(world, place)).map(({ id: userId, agent }) => ({ userId, agent })),
      conflict: async (world, place) => {
        const { id: userId, agent } = await unchangedUserMove(world, place);
        return { userId, agent };
      },
    },
    agentChangeMany: {
      alsoNames: 'own',
      codes: bulkSettingCodes,
      inputs: async (world, place) =>
        (await userMoveInputs(world, place)).map(({ id, agent }) => ({ ids: [id], agent })),
      conflict: async (world, place) => {
        const { id, agent } = await unchangedUserMove(world, place);
        return { ids: [id], agent };
      },
    },
    del: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeUserAt(world, place) }],
      // The user has a balance.
      conflict: (world, place) => ({ id: world.places[place].user.id }),
    },
  },
  // Settings belong to no tree and therefore have no place.
  config: {
    list: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    save: {
      codes: { ...ownOnlyCodes, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await fetchSettingId(world), num: '48' }],
    },
    // Requires full scope, which no operator of this table has.
    history: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: async (world) => {
        const { id } = await changeSetting(world);
        return [{}, { id, by: 'a*', restored: 0 }];
      },
    },
    diff: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ from: 0 }] },
    restore: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: async (world) => [await changeSetting(world)],
    },
  },
  announce: {
    list: {
      codes: { ...ownOnlyCodes, unable: '403' },
      inputs: async (world) => {
        const id = await makeAnnouncement(world);
        return [{}, { id, title: '公*', lang: 'zh-CN', platform: 0, state: 0 }];
      },
    },
    detail: {
      codes: { ...ownOnlyCodes, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await makeAnnouncement(world) }],
    },
    add: {
      codes: { ...ownOnlyCodes, unable: '403' },
      inputs: () => [{ announceList: [{ lang: 'en', title: 'Notice', content: '<p>x</p>', platform: 0, state: 0 }] }],
    },
    save: {
      codes: { ...ownOnlyCodes, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [
        { id: place === 'absent' ? ABSENT_ID : await makeAnnouncement(world), title: 'Another' },
      ],
    },
    del: {
      codes: { ...ownOnlyCodes, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await makeAnnouncement(world) }],
    },
    image: {
      codes: { ...ownOnlyCodes, unable: '403', absent: '404', 'absent+malformed': '422', 'unable+absent': '403' },
      inputs: async (world, place) => [
        { key: place === 'absent' ? '0'.repeat(32) : await makeAnnouncementImage(world) },
      ],
    },
    imageAdd: {
      codes: { ...ownOnlyCodes, unable: '403' },
      inputs: () => [{ image: PNG }],
    },
  },
  market: {
    list: { codes: ownOnlyCodes, inputs: () => [{}, { marketName: 'BTC', state: 1 }] },
    filter: { codes: ownOnlyCodes, inputs: emptyInput },
    // Markets belong to no tree and therefore have no place.
    detail: { codes: idOnlyCodes, inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2 }] },
    affected: { codes: idOnlyCodes, inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2 }] },
    candles: {
      codes: idOnlyCodes,
      inputs: (_world, place) => [{ id: place === 'absent' ? ABSENT_ID : 2, length: '1h' as const }],
    },
    save: {
      codes: { ...idOnlyCodes, ...abilityCodes },
      inputs: async (world, place) => [await makeMarketInput(world, place === 'absent' ? ABSENT_ID : undefined)],
    },
  },
  // A grant belongs to its agent. Agents above see only their own grants.
  plan: {
    list: {
      codes: { ...searchCodes, child: '200 empty' },
      inputs: async (world, place) => [{ marketName: (await makeGrantedMarket(world, place)).name }],
    },
    save: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [{ ...priceBand, id: (await makeGrantedMarket(world, place)).id }],
      conflict: async (world, place) => ({ ...priceBand, id: (await makeGrantedMarket(world, place)).id, version: 99 }),
    },
    halts: {
      codes: { ...readCodes, child: '404' },
      inputs: async (world, place) => [{ id: (await makeGrantedMarket(world, place, 'halted')).id, marketType: 1 }],
    },
    halt: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [{ ...haltInput, id: (await makeGrantedMarket(world, place)).id }],
      conflict: async (world, place) => ({ ...haltInput, id: (await makeGrantedMarket(world, place, 'halted')).id }),
    },
    resume: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [{ ...resumeInput, id: (await makeGrantedMarket(world, place, 'halted')).id }],
      conflict: async (world, place) => ({ ...resumeInput, id: (await makeGrantedMarket(world, place)).id }),
    },
    // Only the admin may do this, and the admin is not an operator of this table.
    permission: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ id: 2 }] },
    permit: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ marketId: 2, agent: [] }],
    },
  },
  recharge: {
    list: {
      codes: searchCodes,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const canary = place === 'absent' ? NOBODY : world.places[place].canary;
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
    url: { codes: readCodes, inputs: async (world, place) => [{ id: await makeRechargeAt(world, place, 2) }] },
    hold: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeRechargeAt(world, place, 0) }],
      conflict: async (world, place) => ({ id: await makeRechargeAt(world, place, 2) }),
    },
    release: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeRechargeAt(world, place, 3) }],
      conflict: async (world, place) => ({ id: await makeRechargeAt(world, place, 2) }),
    },
    releaseMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeRechargeAt(world, place, 3)] }],
      conflict: async (world, place) => ({ ids: [await makeRechargeAt(world, place, 2)] }),
    },
  },
  fund: {
    record: {
      codes: searchCodes,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        return [
          { account },
          { account: `${account.slice(0, -1)}*`, type: 1 },
          { agent, state: 0 },
          { agentRoot: agent, types: '1,7' },
          { agentRoot: agent, marketId: 1, platform: 1, bucket: 'active' },
          { userId },
        ];
      },
    },
    check: {
      codes: settingCodes,
      inputs: async (world, place) => [{ id: await makeLedgerEntryAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeLedgerEntryAt(world, place, true) }),
    },
    doubt: {
      codes: { ...changeCodes, conflict: '-', 'sibling+conflict': '-' },
      inputs: async (world, place) => [
        { id: await makeLedgerEntryAt(world, place) },
        { id: await makeLedgerEntryAt(world, place, true) },
      ],
    },
    reset: {
      codes: settingCodes,
      inputs: async (world, place) => [{ id: await makeLedgerEntryAt(world, place, true) }],
      conflict: async (world, place) => ({ id: await makeLedgerEntryAt(world, place) }),
    },
  },
  internalTransfer: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const no = place === 'absent' ? NOBODY : await makeTransferAt(world, place, place);
        // A transfer between two trees: each side sees it, but only its own end.
        if (place === 'own') {
          await makeTransferAt(world, 'own', 'other');
          await makeTransferAt(world, 'sibling', 'own');
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
    activeAdd: { codes: { ...readCodes, ...abilityCodes }, inputs: (world, place) => [adjustmentOf(world, place)] },
    activeSub: { codes: { ...readCodes, ...abilityCodes }, inputs: (world, place) => [adjustmentOf(world, place)] },
    frozenAdd: { codes: { ...readCodes, ...abilityCodes }, inputs: (world, place) => [adjustmentOf(world, place)] },
    frozenSub: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: async (world, place) => {
        await freezeAssetsAt(world, place);
        return [adjustmentOf(world, place)];
      },
    },
    preview: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: (world, place) => {
        const target = { userId: userOf(world, place).id, marketId: 1, platform: 1 } as const;
        return [
          { ...target, action: 1 },
          { ...target, action: 2, amount: '1' },
        ];
      },
    },
  },
  withdraw: {
    list: {
      codes: searchCodes,
      inputs: (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const canary = place === 'absent' ? NOBODY : world.places[place].canary;
        const no = place === 'absent' ? NOBODY : world.places[place].rejected.no;
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
      codes: readCodes,
      inputs: async (world, place) => [
        ...(await withdrawInput(0)(world, place)),
        ...(place === 'own' ? [{ id: world.withdrawalInApproval }, { id: world.sharedAddressWithdrawal }] : []),
      ],
    },
    pass: { codes: changeCodes, inputs: withdrawInput(0), conflict: decidedWithdraw },
    reject: { codes: changeCodes, inputs: withdrawReasonInput(0), conflict: decidedWithdrawReason },
    retry: { codes: changeCodes, inputs: withdrawInput(7), conflict: decidedWithdraw },
    recall: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeWithdrawAt(world, place, 2), reason: 'because' }],
      conflict: decidedWithdrawReason,
    },
    refund: { codes: approvalCodes, inputs: withdrawReasonInput(7), conflict: decidedWithdrawReason },
    resolve: {
      codes: approvalCodes,
      inputs: async (world, place) => [{ id: await makeWithdrawAt(world, place, 8), paid: false, reason: 'because' }],
      conflict: async (world, place) => ({ ...(await decidedWithdrawReason(world, place)), paid: true, txHash: '0x1' }),
    },
    passMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeWithdrawAt(world, place, 0)] }],
      conflict: async (world, place) => ({ ids: [await makeWithdrawAt(world, place, 5)] }),
    },
    resolveMany: {
      codes: bulkApprovalCodes,
      inputs: async (world, place) => [
        { ids: [await makeWithdrawAt(world, place, 8)], paid: false, reason: 'because' },
      ],
      conflict: async (world, place) => ({
        ids: [await makeWithdrawAt(world, place, 5)],
        paid: true,
        txHash: '0x1',
        reason: 'because',
      }),
    },
    rejectMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeWithdrawAt(world, place, 0)], reason: 'because' }],
      conflict: async (world, place) => ({ ids: [await makeWithdrawAt(world, place, 5)], reason: 'because' }),
    },
  },
  auth: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeKycAt(world, place, 2);
        const country = place === 'absent' ? NOBODY : `${world.places[place].canary}-land`;
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
      codes: readCodes,
      inputs: async (world, place) => {
        if (place !== 'own') return [{ id: await makeKycAt(world, place) }];
        // A user of another tree has the same document number. The answer must not reveal that.
        await makeKycAt(world, 'other', 0, 'shared-0000');
        return [{ id: await makeKycAt(world, place) }, { id: await makeKycAt(world, place, 0, 'shared-0000') }];
      },
    },
    image: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: async (world, place) => {
        const id = await makeKycAt(world, place);
        return [
          { id, side: 'front' },
          { id, side: 'back' },
        ];
      },
    },
    reveal: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: async (world, place) => [{ id: await makeKycAt(world, place), reason: 'because' }],
    },
    find: {
      codes: { ...targetCodes('200', '200'), ...abilityCodes },
      inputs: async (world, place) => {
        await makeKycAt(world, place);
        const canary = place === 'absent' ? NOBODY : world.places[place].canary;
        return [{ name: `${canary} name` }, { idNumber: `${canary}0000` }];
      },
    },
    pass: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeKycAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeKycAt(world, place, 2) }),
    },
    reject: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeKycAt(world, place), reason: 'because' }],
      conflict: async (world, place) => ({ id: await makeKycAt(world, place, 2), reason: 'because' }),
    },
    passMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeKycAt(world, place)] }],
      conflict: async (world, place) => ({ ids: [await makeKycAt(world, place, 2)] }),
    },
    rejectMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeKycAt(world, place)], reason: 'because' }],
      conflict: async (world, place) => ({ ids: [await makeKycAt(world, place, 2)], reason: 'because' }),
    },
  },
  second: {
    // Settings belong to no tree.
    configList: {
      codes: ownOnlyCodes,
      inputs: async (world) => [
        {},
        { id: await makeBinaryContractConfig(world), marketId: 0, state: 1 },
        { seconds: 30 },
      ],
    },
    configDetail: {
      codes: idOnlyCodes,
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await makeBinaryContractConfig(world) }],
    },
    configSave: {
      codes: { ...idOnlyCodes, ...abilityCodes },
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
      codes: { ...idOnlyCodes, ...abilityCodes },
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : await makeBinaryContractConfig(world) }],
    },
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeBinaryContractAt(world, place);
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
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makeBinaryContractAt(world, place) }] },
    change: {
      codes: approvalCodes,
      inputs: async (world, place) => [
        { id: await makeBinaryContractAt(world, place), state: 0, type: 1, reason: 'because' },
      ],
      conflict: async (world, place) => ({
        id: await makeBinaryContractAt(world, place, 2),
        state: 0,
        type: 1,
        reason: 'because',
      }),
    },
    changeMany: {
      codes: { ...bulkCodes, own: '200:202', child: '200:202' },
      inputs: async (world, place) => [
        { ids: [await makeBinaryContractAt(world, place)], state: 0, type: 1, reason: 'because' },
      ],
      conflict: async (world, place) => ({
        ids: [await makeBinaryContractAt(world, place, 2)],
        state: 0,
        type: 1,
        reason: 'because',
      }),
    },
    evidence: {
      codes: { ...readCodes, ...abilityCodes },
      inputs: async (world, place) => [{ id: await makeBinaryContractAt(world, place) }],
    },
    risk: { codes: ownOnlyCodes, inputs: emptyInput },
  },
  ieo: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const [waiting, id] = [await makeIeoAt(world, place), await makeIeoAt(world, place, 2)];
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
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makeIeoAt(world, place) }] },
    pass: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeIeoAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeIeoAt(world, place, 2) }),
    },
    reject: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeIeoAt(world, place), reason: 'because' }],
      conflict: async (world, place) => ({ id: await makeIeoAt(world, place, 2), reason: 'because' }),
    },
    passMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeIeoAt(world, place)] }],
      conflict: async (world, place) => ({ ids: [await makeIeoAt(world, place, 2)] }),
    },
    rejectMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeIeoAt(world, place)], reason: 'because' }],
      conflict: async (world, place) => ({ ids: [await makeIeoAt(world, place, 2)], reason: 'because' }),
    },
  },
  approval: {
    list: {
      // Without the ability to decide, an operator sees only its own requests. The child made none about withdrawals.
      codes: { ...ownOnlyCodes, unable: '200 empty' },
      inputs: () => [{ type: 'withdraw.refund' }, { state: 0, type: 'withdraw.refund', size: 200 }],
    },
    detail: {
      // Made by the admin, so an operator who cannot decide does not see it.
      codes: { ...readCodes, unable: '404', 'unable+absent': '404' },
      inputs: async (world, place) => [{ id: await makeApprovalAt(world, place) }],
    },
    // It is no request about a rule.
    backtest: {
      codes: { ...readCodes, ...abilityCodes, own: '404', child: '404' },
      inputs: async (world, place) => [{ id: await makeApprovalAt(world, place) }],
    },
    // Invisible rows are omitted from the answer.
    open: {
      codes: targetCodes('200', '200'),
      inputs: (world, place) => [{ targetType: 'user', ids: [userOf(world, place).id] }],
    },
    checkers: {
      codes: readCodes,
      inputs: async (world, place) => [
        { userId: userOf(world, place).id },
        { agentId: place === 'absent' ? ABSENT_ID : (await makeAgentBelow(world, place)).id },
      ],
    },
    fourEyes: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    operators: {
      codes: { ...ownOnlyCodes, unable: '403' },
      inputs: () => [{}, { search: '.a' }, { recorded: 1 }],
    },
    // Nobody needs it while four-eyes are open.
    known: {
      codes: { ...targetCodes('409', '404'), ...abilityCodes, conflict: '409', 'sibling+conflict': '404' },
      inputs: async (world, place) => [
        { id: place === 'absent' ? ABSENT_ID : (await makeAgentBelow(world, place)).id },
      ],
      conflict: async (world, place) => ({ id: (await makeAgentBelow(world, place)).id }),
    },
    // Only the admin may request it.
    lock: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    pass: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeApprovalAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeRejectedApprovalAt(world, place) }),
    },
    reject: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeApprovalAt(world, place), reason: 'because' }],
      conflict: async (world, place) => ({ id: await makeRejectedApprovalAt(world, place), reason: 'because' }),
    },
    // Only for the maker, which is the admin here. An operator who cannot decide does not see the request.
    cancel: makersCase,
    resubmit: makersCase,
  },
  installation: {
    state: { codes: { ...ownOnlyCodes, absent: '-' }, inputs: () => [{}] },
    // Only the admin may do this, and the admin is not an operator of this table.
    live: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{}] },
    steps: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{}] },
  },
  audit: {
    list: {
      codes: { ...searchCodes, ...abilityCodes },
      inputs: (world, place) => {
        const { account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const requestId = place === 'absent' ? NOBODY : world.places[place].requestId;
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
    verify: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
  },
  notify: {
    // The answer is endless. The test reads its beginning, which contains every earlier event.
    stream: {
      codes: ownOnlyCodes,
      inputs: async (world) => {
        await numberNotifications(world.server.app);
        return [{ last: 0 }];
      },
    },
    counts: { codes: ownOnlyCodes, inputs: emptyInput },
    facts: {
      codes: ownOnlyCodes,
      inputs: async (world) => {
        await numberNotifications(world.server.app);
        return [{ after: 0, size: 200 }];
      },
    },
  },
  preference: {
    list: { codes: ownOnlyCodes, inputs: emptyInput },
    save: {
      codes: ownOnlyCodes,
      inputs: () => [{ items: [{ key: 'theme', value: 'dark' }] }, { items: [{ key: 'theme', value: null }] }],
    },
  },
  view: {
    list: { codes: ownOnlyCodes, inputs: () => [{ list: 'withdraw/list' }] },
    counts: { codes: ownOnlyCodes, inputs: () => [{ list: 'withdraw/list' }] },
    save: {
      // A view belongs to its owner. Operators above neither see nor change it.
      codes: { ...readCodes, child: '404', conflict: '409', 'sibling+conflict': '404' },
      inputs: async (world, place) => [
        { ...viewInput(world), id: await makeViewAt(world, place) },
        ...(place === 'own' ? [viewInput(world)] : []),
      ],
      conflict: async (world, place) => {
        const id = await makeViewAt(world, place);
        const existing = viewInput(world);
        await makeViewAt(world, place, existing);
        return { ...existing, id };
      },
    },
    del: {
      codes: { ...readCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeViewAt(world, place) }],
    },
  },
  // Concerns the caller's own one-time codes, which nobody here has. Other tests cover their effects.
  otp: {
    state: { codes: ownOnlyCodes, inputs: emptyInput },
    setup: { codes: ownOnlyCodes, inputs: () => [{ password: WORLD_PASSWORD }] },
    confirm: { codes: { ...ownOnlyCodes, unable: '401', own: '401' }, inputs: () => [{ code: '00-00-00-00' }] },
    disable: {
      codes: { ...ownOnlyCodes, unable: '409', own: '409' },
      inputs: () => [{ password: WORLD_PASSWORD, code: '000000' }],
    },
    recovery: { codes: { ...ownOnlyCodes, unable: '409', own: '409' }, inputs: () => [{ code: '000000' }] },
    fresh: { codes: { ...ownOnlyCodes, unable: '409', own: '409' }, inputs: () => [{ code: '000000' }] },
  },
  passkey: {
    list: { codes: ownOnlyCodes, inputs: emptyInput },
    enrol: { codes: ownOnlyCodes, inputs: () => [{ password: WORLD_PASSWORD }] },
    add: {
      codes: { ...ownOnlyCodes, unable: '401', own: '401' },
      inputs: () => [{ name: 'key', id: 'AAAA', clientData: 'AAAA', attestation: 'AAAA' }],
    },
    rename: { codes: { ...ownOnlyCodes, unable: '404', own: '404' }, inputs: () => [{ id: 999_999, name: 'key' }] },
    del: { codes: { ...ownOnlyCodes, unable: '404', own: '404' }, inputs: () => [{ id: 999_999 }] },
    begin: { codes: { ...ownOnlyCodes, unable: '409', own: '409' }, inputs: () => [{ digest: '0'.repeat(64) }] },
    fresh: { codes: { ...ownOnlyCodes, unable: '401', own: '401' }, inputs: () => [{ passkey: WRONG_ASSERTION }] },
    offer: { codes: { ...publicCodes, stranger: '200', forged: '200', own: '200' }, inputs: emptyInput },
    loginBegin: { codes: publicCodes, inputs: emptyInput },
    login: { codes: publicCodes, inputs: () => [{ passkey: WRONG_ASSERTION }] },
  },
  oidc: {
    offer: { codes: { ...publicCodes, stranger: '200', forged: '200', own: '200' }, inputs: emptyInput },
    // The provider does not answer.
    begin: { codes: { ...publicCodes, stranger: '503', forged: '503', own: '503' }, inputs: emptyInput },
    login: {
      codes: { ...publicCodes, stranger: '401', forged: '401', own: '401' },
      inputs: () => [{ flow: 'x'.repeat(43), response: 'code=a&state=b' }],
    },
  },
  // An export belongs to its maker. Operators above and below do not see it.
  export: {
    list: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    cancel: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeExportAt(world, place, 0) }],
      conflict: async (world, place) => ({ id: await makeExportAt(world, place, 4) }),
    },
    remove: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [
        { id: await makeExportAt(world, place, 2) },
        { id: await makeExportAt(world, place, 3) },
      ],
      conflict: async (world, place) => ({ id: await makeExportAt(world, place, 0) }),
    },
    download: {
      codes: { ...changeCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeExportAt(world, place, 2) }],
      conflict: async (world, place) => ({ id: await makeExportAt(world, place, 0) }),
    },
  },
  // A channel and a schedule belong to one operator. Operators above and below neither see nor change them.
  channel: {
    list: { codes: ownOnlyCodes, inputs: emptyInput },
    save: {
      codes: { ...readCodes, child: '404' },
      inputs: async (world, place) => [
        { id: await makeChannelAt(world, place), kind: 'telegram', name: 'desk', types: [], enabled: 1 },
      ],
    },
    test: {
      codes: { ...readCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeChannelAt(world, place) }],
    },
    del: {
      codes: { ...readCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeChannelAt(world, place) }],
    },
  },
  schedule: {
    list: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    add: {
      codes: { ...ownOnlyCodes, unable: '403' },
      inputs: () => [{ list: 'withdraw/list', query: 'state=0', ...scheduleInput }],
    },
    save: {
      codes: { ...actionCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeScheduleAt(world, place), enabled: 1, ...scheduleInput }],
    },
    del: {
      codes: { ...actionCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeScheduleAt(world, place) }],
    },
  },
  // Only the admin has the keys of the gateway, and the admin is not an operator of this table.
  gatewayKey: {
    list: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    save: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [gatewayKeyInput] },
    issue: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: async (world) => [{ id: await makeGatewayKey(world) }],
    },
    revoke: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: async (world) => [{ id: await makeGatewayKey(world) }],
    },
    platformSave: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ name: 'second', markets: ['BTC'] }],
    },
  },
  // Rules decide about every tree, so they require full scope, which no operator of this table has.
  rule: {
    list: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    detail: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ id: ABSENT_ID }] },
    save: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: (world) => [ruleSaveInput(nextName(world))],
    },
    state: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ id: ABSENT_ID, state: 1, seen: 0 }],
    },
    backtest: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ conditions: [{ fact: 'amount', op: 'gt', value: '0' }] }],
    },
  },
  // Requires full scope, which no operator of this table has.
  walletTransfer: {
    list: { codes: houseCodes, inputs: emptyInput },
    preview: { codes: houseCodes, inputs: () => [{ fromId: ABSENT_ID, toId: ABSENT_ID }] },
    request: {
      codes: houseCodes,
      inputs: () => [{ fromId: ABSENT_ID, toId: ABSENT_ID, amount: '1', reason: 'because' }],
    },
    cancel: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID }] },
    resolve: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID, done: true, reason: 'because' }] },
  },
  wallet: {
    list: { codes: houseCodes, inputs: emptyInput },
    items: { codes: houseCodes, inputs: emptyInput },
    explain: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID, own: false, reason: 'because' }] },
  },
  walletCoin: {
    list: { codes: houseCodes, inputs: emptyInput },
    detail: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID }] },
  },
  // Limits and groups are those of the house. Operators of agents put their users into groups that are open to them.
  withdrawLimit: {
    list: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    versions: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ marketId: ABSENT_ID, level: 0 }],
    },
    save: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ ...inheritedTerms, marketId: ABSENT_ID, level: 0, seen: 0 }],
    },
    user: { codes: readCodes, inputs: (world, place) => [{ id: userOf(world, place).id }] },
    groupList: { codes: ownOnlyCodes, inputs: emptyInput },
    groupSave: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: (world) => [{ name: unusedAccount(world), forAgents: true }],
    },
    groupDelete: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ id: ABSENT_ID }],
    },
    assign: {
      codes: settingCodes,
      inputs: async (world, place) => [await groupInput(world, place)],
      conflict: async (world, place) => ({ id: await makeUserAt(world, place), groupId: null }),
    },
    assignMany: {
      codes: bulkSettingCodes,
      inputs: async (world, place) => {
        const { id, groupId } = await groupInput(world, place);
        return [{ ids: [id], groupId }];
      },
      conflict: async (world, place) => ({ ids: [await makeUserAt(world, place)], groupId: null }),
    },
  },
  // Budgets are those of the house. Everybody who reviews withdrawals may stop a coin.
  autoPayout: {
    list: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    detail: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ id: ABSENT_ID }] },
    whatIf: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ ...autoBudget, marketId: ABSENT_ID }],
    },
    startWhatIf: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ marketId: ABSENT_ID }] },
    save: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ ...autoBudget, marketId: ABSENT_ID }],
    },
    start: {
      codes: { ...ownOnlyCodes, unable: '403', own: '403' },
      inputs: () => [{ marketId: ABSENT_ID, seen: 0, reason: 'because' }],
    },
    stop: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    // None of these withdrawals was drawn.
    review: {
      codes: { ...changeCodes, own: '409', child: '409' },
      inputs: (world, place) => [{ id: withdrawId(world, place), sound: true }],
      conflict: async (world, place) => ({ ...(await decidedWithdraw(world, place)), sound: true }),
    },
  },
  // The accounts of the house require full scope, which no operator of this table has.
  house: {
    list: { codes: houseCodes, inputs: emptyInput },
    entries: { codes: houseCodes, inputs: () => [{ house: 'custody', marketId: 1 }] },
    preview: { codes: houseCodes, inputs: () => [{ marketId: 1, from: 'fee', to: 'insurance' }] },
    transfer: {
      codes: houseCodes,
      inputs: () => [{ marketId: 1, from: 'capital', to: 'insurance', amount: '1', reason: 'because' }],
    },
  },
  // Requires full scope, which no operator of this table has.
  addressList: {
    list: { codes: houseCodes, inputs: emptyInput },
    entries: { codes: houseCodes, inputs: () => [{ list: 1 }] },
    detail: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID }] },
    recent: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID }] },
    add: { codes: houseCodes, inputs: (world) => [{ list: 1, address: nextName(world), reason: 'because' }] },
    remove: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID, reason: 'because' }] },
    upload: {
      codes: houseCodes,
      inputs: () => [{ list: 1, fileName: 'a.csv', source: 'own', publishedAt: 1, content: 'T-file' }],
    },
    apply: { codes: houseCodes, inputs: () => [{ id: ABSENT_ID, added: 0, removed: 0 }] },
  },
  screening: {
    requestWithdraw: {
      codes: changeCodes,
      inputs: withdrawInput(0),
      conflict: decidedWithdraw,
    },
    // Screening is off, so it forbids nothing.
    bypassWithdraw: {
      codes: { ...changeCodes, own: '409', child: '409' },
      inputs: async (world, place) => [{ id: await makeWithdrawAt(world, place, 0), seen: 'x', reason: 'because' }],
      conflict: async (world, place) => ({ ...(await decidedWithdraw(world, place)), seen: 'x', reason: 'because' }),
    },
    requestAuth: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeKycAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeKycAt(world, place, 2) }),
    },
    bypassAuth: {
      codes: { ...changeCodes, own: '409', child: '409' },
      inputs: async (world, place) => [{ id: await makeKycAt(world, place), seen: 'x', reason: 'because' }],
      conflict: async (world, place) => ({ id: await makeKycAt(world, place, 2), seen: 'x', reason: 'because' }),
    },
  },
  signing: {
    // Requires full scope, which no operator of this table has.
    state: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    mine: { codes: ownOnlyCodes, inputs: emptyInput },
    // Invisible rows are omitted from the answer.
    texts: {
      codes: targetCodes('200', '200'),
      inputs: async (world, place) => [
        { ids: [withdrawId(world, place)], action: 'pass' },
        { ids: [await makeApprovalAt(world, place)], action: 'approve' },
      ],
    },
    record: { codes: readCodes, inputs: (world, place) => [{ id: withdrawId(world, place) }] },
    enrol: {
      codes: ownOnlyCodes,
      inputs: () => {
        const { id: key, publicKey } = makeSigner('');
        return [{ key, publicKey }];
      },
    },
    propose: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ text: '{}' }] },
    // There is no roster.
    add: {
      codes: { ...ownOnlyCodes, unable: '422', own: '422' },
      inputs: () => [{ signature: makeSigner('').sign([''], { at: 0 }) }],
    },
    close: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: () => [{ id: ABSENT_ID }] },
  },
  trade: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => [
        { id: await makeSpotOrderAt(world, place) },
        { account: userOf(world, place).account, marketId: 2, side: 1, type: 1 },
        { userId: userOf(world, place).id },
      ],
    },
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makeSpotOrderAt(world, place) }] },
    fills: {
      codes: searchCodes,
      inputs: async (world, place) => [
        { orderId: await makeSpotOrderAt(world, place, 2) },
        { account: userOf(world, place).account, marketId: 2, side: 1 },
        { agentRoot: agentOf(world, place).account },
        { userId: userOf(world, place).id },
      ],
    },
    cancel: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeSpotOrderAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeSpotOrderAt(world, place, 3) }),
    },
    cancelMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeSpotOrderAt(world, place)] }],
      conflict: async (world, place) => ({ ids: [await makeSpotOrderAt(world, place, 3)] }),
    },
    preview: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: () => [{ marketId: 2 }] },
    cancelAll: {
      codes: { ...ownOnlyCodes, unable: '403', conflict: '409' },
      inputs: async (world) => {
        // Each role needs an order in its own tree.
        for (const place of PLACES) await makeSpotOrderAt(world, place, 0, CLEARED_MARKET);
        return [{ marketId: CLEARED_MARKET.id, reason: 'because' }];
      },
      conflict: () => ({ marketId: 6, reason: 'because' }),
    },
  },
  // Signals are visible to all operators; the counts in them are scoped.
  signal: {
    list: {
      codes: ownOnlyCodes,
      inputs: async (world) => {
        // Drafts are not visible to all operators.
        const { id } = await makeSignal(world, 1);
        return [{}, { id, title: '信*', marketId: 2, side: 1, state: 1 }];
      },
    },
    detail: {
      codes: idOnlyCodes,
      inputs: async (world, place) => [{ id: place === 'absent' ? ABSENT_ID : (await makeSignal(world, 1)).id }],
    },
    add: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: () => [signalTerms()] },
    change: {
      codes: { ...idOnlyCodes, ...abilityCodes, conflict: '409' },
      inputs: async (world, place) => [
        { id: place === 'absent' ? ABSENT_ID : (await makeSignal(world)).id, version: 1, title: '另一个' },
      ],
      conflict: async (world) => ({ id: (await makeSignal(world)).id, version: 9, title: '另一个' }),
    },
  },
  alarm: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeAlarmAt(world, place);
        const targetId = withdrawId(world, place);
        return [{ id }, { account, kind: 'withdraw.paidAfterRefund' }, { userId }, { agent }, { targetId, state: 0 }];
      },
    },
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makeAlarmAt(world, place) }] },
    close: {
      codes: changeCodesByKind,
      inputs: async (world, place) => [{ id: await makeAlarmAt(world, place), reason: 'because' }],
      conflict: async (world, place) => ({ id: await makeAlarmAt(world, place, 1), reason: 'because' }),
    },
  },
  command: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeCommandAt(world, place);
        return [{ id }, { account, type: 'withdraw.reviewed', state: 4 }, { userId }, { agent }, { agentRoot: agent }];
      },
    },
    retry: {
      codes: changeCodesByKind,
      inputs: async (world, place) => [{ id: await makeCommandAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeCommandAt(world, place, 2) }),
    },
    resolve: {
      codes: changeCodesByKind,
      inputs: async (world, place) => [{ id: await makeCommandAt(world, place), state: 2 }],
      conflict: async (world, place) => ({ id: await makeCommandAt(world, place, 2), state: 2 }),
    },
  },
  follow: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeFollowAt(world, place);
        return [{ id }, { account, state: 1, marketId: 2, auto: 0 }, { userId }, { agent }, { agentRoot: agent }];
      },
    },
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makeFollowAt(world, place) }] },
    close: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makeFollowAt(world, place) }],
      conflict: async (world, place) => ({ id: await makeFollowAt(world, place, 2) }),
    },
    closeMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makeFollowAt(world, place)] }],
      conflict: async (world, place) => ({ ids: [await makeFollowAt(world, place, 2)] }),
    },
  },
  service: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => {
        const { id: userId, account } = userOf(world, place);
        const agent = agentOf(world, place).account;
        const id = await makeConversationAt(world, place);
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
    detail: { codes: readCodes, inputs: conversationInput },
    messages: {
      codes: readCodes,
      inputs: async (world, place) => [{ id: await makeConversationAt(world, place), after: 0, size: 200 }],
    },
    image: { codes: readCodes, inputs: async (world, place) => [{ id: await makeImageMessageAt(world, place) }] },
    operators: { codes: actionCodes, inputs: conversationInput },
    open: { codes: actionCodes, inputs: (world, place) => [{ userId: userOf(world, place).id }] },
    send: {
      codes: actionCodes,
      inputs: async (world, place) => [{ id: await makeConversationAt(world, place), text: 'hello' }],
    },
    close: {
      codes: changeCodes,
      inputs: conversationInput,
      conflict: async (world, place) => ({ id: await makeConversationAt(world, place, 0) }),
    },
    assign: {
      codes: actionCodes,
      inputs: async (world, place) => [{ id: await makeConversationAt(world, place), operatorId: 0 }],
    },
    read: {
      codes: actionCodes,
      inputs: async (world, place) => [{ id: await makeConversationAt(world, place), upTo: Number.MAX_SAFE_INTEGER }],
    },
    replies: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: emptyInput },
    // A canned reply belongs to its owner. Operators above neither see nor change it.
    replySave: {
      codes: { ...actionCodes, child: '404' },
      inputs: async (world, place) => [
        { id: await makeReplyAt(world, place), title: 'x', text: 'x', shared: 0 },
        ...(place === 'own' ? [{ title: 'x', text: 'x', shared: 0 as const }] : []),
      ],
    },
    replyDel: {
      codes: { ...actionCodes, child: '404' },
      inputs: async (world, place) => [{ id: await makeReplyAt(world, place) }],
    },
  },
  future: {
    list: {
      codes: searchCodes,
      inputs: async (world, place) => [
        { id: await makePositionAt(world, place) },
        { id: await makePositionAt(world, place, 1), state: 1, demo: 0 },
        { account: userOf(world, place).account, marketName: 'btc', side: 1, type: 1 },
        { agentRoot: agentOf(world, place).account, marketId: 2 },
        { userId: userOf(world, place).id },
      ],
    },
    openHistory: {
      codes: searchCodes,
      inputs: async (world, place) => [
        { id: await makePositionAt(world, place, 3) },
        { id: await makePositionAt(world, place, 2), state: 2, closeType: 1 },
        { account: userOf(world, place).account },
        { userId: userOf(world, place).id },
      ],
    },
    closeHistory: {
      codes: searchCodes,
      inputs: async (world, place) => [
        { orderId: await makePositionAt(world, place, 2) },
        { account: userOf(world, place).account, demo: 0 },
        { agent: agentOf(world, place).account, closeType: 1 },
        { userId: userOf(world, place).id },
      ],
    },
    detail: { codes: readCodes, inputs: async (world, place) => [{ id: await makePositionAt(world, place, 1) }] },
    cancel: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makePositionAt(world, place) }],
      conflict: async (world, place) => ({ id: await makePositionAt(world, place, 3) }),
    },
    cancelMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makePositionAt(world, place)] }],
      conflict: async (world, place) => ({ ids: [await makePositionAt(world, place, 3)] }),
    },
    close: {
      codes: changeCodes,
      inputs: async (world, place) => [{ id: await makePositionAt(world, place, 1), closeAmount: '0.5' }],
      conflict: async (world, place) => ({ id: await makePositionAt(world, place, 2), closeAmount: '0.5' }),
    },
    closeMany: {
      codes: bulkCodes,
      inputs: async (world, place) => [{ ids: [await makePositionAt(world, place, 1)] }],
      conflict: async (world, place) => ({ ids: [await makePositionAt(world, place, 2)] }),
    },
    expectInfo: {
      codes: targetCodes('200', '200'),
      inputs: async (world, place) => {
        await makePositionAt(world, place, 1);
        return [{ userId: [userOf(world, place).id] }];
      },
    },
    exposure: { codes: ownOnlyCodes, inputs: () => [{}, { demo: 1 }] },
    heat: { codes: idOnlyCodes, inputs: (_world, place) => [{ marketId: place === 'absent' ? ABSENT_ID : 2 }] },
    cancelPreview: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: () => [{ marketId: 2 }] },
    cancelAll: {
      codes: { ...ownOnlyCodes, unable: '403', conflict: '409' },
      inputs: async (world) => {
        // Each role needs an order in its own tree.
        for (const place of PLACES) await makePositionAt(world, place, 0, CLEARED_MARKET);
        return [{ marketId: CLEARED_MARKET.id, reason: 'because' }];
      },
      conflict: () => ({ marketId: 6, reason: 'because' }),
    },
  },
  queue: {
    // Records of other trees are never given.
    next: { codes: { ...ownOnlyCodes, unable: '403' }, inputs: () => [{ queue: 'withdrawReview', tab: TAB }] },
    claim: {
      codes: actionCodes,
      inputs: async (world, place) => (await reviewInputs(world, place)).map((record) => ({ ...record, tab: TAB })),
    },
    release: { codes: ownOnlyCodes, inputs: () => [{ tab: TAB }] },
    // Invisible records are omitted from the answer.
    marks: {
      codes: targetCodes('200', '200'),
      inputs: (world, place) => [{ targetType: 'withdraw', ids: [withdrawId(world, place)] }],
    },
    history: { codes: readCodes, inputs: async (world, place) => [await withdrawTarget(world, place)] },
    colleagues: { codes: actionCodes, inputs: reviewInputs },
    park: {
      codes: changeCodes,
      inputs: async (world, place) => [{ ...(await withdrawTarget(world, place)), until: 0 }],
      conflict: async (world, place) => ({ ...(await decidedTarget(world, place)), until: 0 }),
    },
    handOver: {
      codes: changeCodes,
      inputs: async (world, place) => [{ ...(await withdrawTarget(world, place)), operatorId: 0 }],
      conflict: async (world, place) => ({ ...(await decidedTarget(world, place)), operatorId: 0 }),
    },
    escalate: {
      codes: changeCodes,
      inputs: async (world, place) => [{ ...(await withdrawTarget(world, place)), reason: 'because' }],
      conflict: async (world, place) => ({ ...(await decidedTarget(world, place)), reason: 'because' }),
    },
    comment: {
      codes: actionCodes,
      inputs: async (world, place) => [{ ...(await withdrawTarget(world, place)), text: 'hello' }],
    },
    absent: { codes: ownOnlyCodes, inputs: () => [{ absent: 0 }] },
    presence: { codes: ownOnlyCodes, inputs: emptyInput },
  },
  report: {
    fund: {
      codes: searchCodes,
      inputs: (world, place) => [
        { agent: agentOf(world, place).account },
        { agent: agentOf(world, place).account, split: 1, marketId: 1 },
      ],
    },
    // Another tree appears as empty.
    fetchCurrentFunds: {
      codes: { ...targetCodes('200', '200') },
      inputs: (world, place) => [{ agent: agentOf(world, place).account }],
    },
    // The work of a deleted operator stays in the reports of the operators above.
    work: {
      codes: { ...searchCodes, ...abilityCodes },
      inputs: (world, place) => {
        const { account } = operatorAt(world, place);
        return [{ operator: account }, { operator: `${account}*`, split: 1 }];
      },
    },
    reviews: {
      codes: { ...ownOnlyCodes, unable: '403', own: '200 empty' },
      inputs: () => [{ operator: NOBODY }, { operator: NOBODY, queue: 'withdrawReview' }],
    },
    liability: {
      codes: ownOnlyCodes,
      inputs: async (world) => {
        await makeLiabilityProof(world);
        return [{}];
      },
    },
    // Only the admin may do this, and the admin is not an operator of this table.
    make: { codes: { ...ownOnlyCodes, unable: '403', own: '403' }, inputs: emptyInput },
    proof: {
      codes: readCodes,
      inputs: async (world, place) => [
        { id: await makeLiabilityProof(world), userId: place === 'absent' ? ABSENT_ID : userOf(world, place).id },
      ],
    },
    // These require full scope, which no operator of this table has.
    solvency: { codes: houseCodes, inputs: async (world) => [{ id: await makeLiabilityProof(world) }] },
    leaves: { codes: houseCodes, inputs: async (world) => [{ id: await makeLiabilityProof(world) }] },
  },
  search: {
    find: {
      codes: targetCodes('200', '200'),
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
