import type { ActionFacts, ActionTable } from './action.ts';
import { agentActions } from './agent.actions.ts';
import { alarmActions } from './alarm.actions.ts';
import { announceActions } from './announce.actions.ts';
import { approvalActions } from './approval.actions.ts';
import { assetActionTable } from './asset.actions.ts';
import { binaryContractActions } from './binary-contract.actions.ts';
import { commandActions } from './command.actions.ts';
import { configActions } from './config.actions.ts';
import { exportJobActions } from './export.actions.ts';
import { followActions } from './follow.actions.ts';
import { futureActions } from './future.actions.ts';
import { ieoActions } from './ieo.actions.ts';
import { installationActions } from './installation.actions.ts';
import { kycActions } from './kyc.actions.ts';
import { ledgerEntryActions } from './ledger-entry.actions.ts';
import { marketActions } from './market.actions.ts';
import { otpActions } from './otp.actions.ts';
import { preferenceActions } from './preference.actions.ts';
import { priceProtectionActions } from './price-protection.actions.ts';
import { rechargeActions } from './recharge.actions.ts';
import { reportActions } from './report.actions.ts';
import { sessionActions } from './session.actions.ts';
import { signalActions } from './signal.actions.ts';
import { spotActions } from './spot.actions.ts';
import { supportActions } from './support.actions.ts';
import { userActions } from './user.actions.ts';
import { viewActions } from './view.actions.ts';
import { withdrawActions } from './withdraw.actions.ts';

/** The facts of every action by noun. The policies of a new installation have this order. */
export const actions = {
  withdraw: withdrawActions,
  agent: agentActions,
  user: userActions,
  asset: assetActionTable,
  config: configActions,
  market: marketActions,
  plan: priceProtectionActions,
  trade: spotActions,
  ieo: ieoActions,
  second: binaryContractActions,
  follow: followActions,
  future: futureActions,
  approval: approvalActions,
  recharge: rechargeActions,
  fund: ledgerEntryActions,
  auth: kycActions,
  session: sessionActions,
  otp: otpActions,
  announce: announceActions,
  installation: installationActions,
  export: exportJobActions,
  preference: preferenceActions,
  view: viewActions,
  signal: signalActions,
  service: supportActions,
  alarm: alarmActions,
  command: commandActions,
  report: reportActions,
} as const satisfies Readonly<Record<string, ActionTable>>;

type Actions = typeof actions;
type Facts = { [N in keyof Actions]: { [C in keyof Actions[N] & string]: [`${N}.${C}`, Actions[N][C]] } };
type Each = { [N in keyof Facts]: Facts[N][keyof Facts[N]] }[keyof Facts];

/** `noun.call` of every action. */
export type ActionCallName = Each[0];
/** The name of every action that may need a second person, as audit rows and approvals have it. */
export type ApprovableName = Each extends infer E
  ? E extends [infer N, infer F]
    ? F extends { approvable: string } | { guard: { loosens: string } }
      ? F extends { name: infer Name extends string }
        ? Name
        : N & string
      : never
    : never
  : never;
type PolicyOf<F> = Each extends infer E
  ? E extends [unknown, { approvable: infer P extends string; policy: F }]
    ? P
    : never
  : never;
export type PolicyName = PolicyOf<object>;
/** Policies with a limit per branch and for the house, and with an amount above which two checkers are needed. */
export type LimitedPolicy = PolicyOf<{ limited: true }>;

export interface NamedAction extends ActionFacts {
  /** `noun.call`. */
  call: ActionCallName;
  /** Name in audit rows and approvals. */
  name: string;
}

export const allActions: readonly NamedAction[] = Object.entries<ActionTable>(actions).flatMap(([noun, table]) =>
  Object.entries(table).map(([key, facts]) => {
    const call = `${noun}.${key}` as ActionCallName;
    return { ...facts, call, name: facts.name ?? call };
  }),
);

export const loosensOf = ({ guard }: ActionFacts): string | undefined =>
  typeof guard === 'object' ? guard.loosens : undefined;

export const auditLabelOf = ({ audit, summary }: ActionFacts): string => audit ?? summary;
export const approvalLabelOf = (action: ActionFacts): string => action.approval ?? auditLabelOf(action);
