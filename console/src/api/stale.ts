import type { CallSpec } from '@hengtai/contract/wire/endpoint';

/**
 * Other reads that show what the actions of a topic change, as beginnings of their paths. The topic of a path is its first
 * part.
 */
export const SHOWN_IN: Readonly<Record<string, readonly string[]>> = {
  agent: ['user', 'approval'],
  approval: ['withdraw', 'signing/record', 'user', 'me', 'config'],
  asset: ['fund'],
  auth: ['user'],
  follow: ['signal'],
  ieo: ['user'],
  market: ['plan'],
  otp: ['me', 'session'],
  passkey: ['me', 'otp', 'session'],
  plan: ['market/plan'],
  second: ['user'],
  user: ['withdraw/limit'],
  withdraw: ['signing/record', 'user'],
};

/** The home page, which counts the work of all topics. */
const HOME = 'state';
/** Kept by the dialog that signs, which loads it again itself. */
const SIGNED_TEXTS = 'signing/texts';

/** The details of records show their user. */
const showsUser = (path: string): boolean => path.endsWith('/detail');
const topicOf = (path: string): string => path.split('/', 1)[0] ?? path;
const isWithin = (path: string, beginning: string): boolean => path === beginning || path.startsWith(`${beginning}/`);

/**
 * Whether an action may have changed what a read shows: one of its own topic, of its target, or of what shows these. A lookup
 * changes nothing.
 */
export function makesStale({ kind, lookup, path, target }: CallSpec): (readPath: string) => boolean {
  if (kind === 'read' || lookup) return () => false;
  const topic = topicOf(path);
  const beginnings = [HOME, topic, ...(SHOWN_IN[topic] ?? []), ...(target === undefined ? [] : [target])];
  return (readPath) =>
    readPath !== SIGNED_TEXTS &&
    (beginnings.some((beginning) => isWithin(readPath, beginning)) || (topic === 'user' && showsUser(readPath)));
}
