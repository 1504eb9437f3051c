import type { AlarmKind } from './facts.ts';

/** What an open alarm stops. */
export const alarmStopLabels = {
  nothing: '不影响自动打款',
  user: '该用户的自动打款',
  coin: '该币种在该平台的自动打款',
} as const;
export type AlarmStop = keyof typeof alarmStopLabels;

/**
 * What each kind of alarm stops while it is open. A customer must not be able to cause a kind that stops a coin: only what the
 * wallet reports about a known withdrawal or a move on a chain does. An alarm about no user stops no user; one about neither of
 * these records stops no coin.
 */
export const alarmStops: Readonly<Record<AlarmKind, AlarmStop>> = {
  'recharge.reversed': 'user',
  'recharge.repeated': 'user',
  'withdraw.paidAfterRefund': 'user',
  'withdraw.unexpected': 'coin',
  'withdraw.screenHit': 'user',
  'auth.screenHit': 'user',
  'holds.differ': 'user',
  'event.conflict': 'nothing',
  'passkey.cloned': 'nothing',
  'market.networks': 'nothing',
  'house.insuranceLow': 'nothing',
  'chain.unordered': 'coin',
  'wallet.differs': 'nothing',
};

const kindsThatStop = (...stops: readonly AlarmStop[]): string[] =>
  Object.entries(alarmStops).flatMap(([kind, stop]) => (stops.includes(stop) ? [kind] : []));

/** Kinds that stop the coin of their withdrawal or move on its platform. */
export const coinStoppingKinds: readonly string[] = kindsThatStop('coin');
/** Kinds that leave the withdrawals of their user to people. What stops a coin does as well, after the coin was resumed. */
export const userStoppingKinds: readonly string[] = kindsThatStop('coin', 'user');
