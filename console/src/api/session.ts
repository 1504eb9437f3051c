import { SESSION_MINUTES } from '@hengtai/contract/house/session/calls';

/** The session as stored in the browser. */
export interface Session {
  token: string;
  /** The operator's account. */
  admin: string;
  /** Whether the operator has the ability `platform`. */
  planSet: boolean;
  /** End of the session, unix milliseconds. */
  expire: number;
}

const SESSION_KEY = 'hengtai.session';
const DEVICE_KEY = 'hengtai.device';
const SESSION_MS = SESSION_MINUTES * 60_000;

const listeners = new Set<(session: Session | null) => void>();

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Partial<Record<keyof Session, unknown>>;
  return (
    typeof fields.token === 'string' &&
    fields.token !== '' &&
    typeof fields.admin === 'string' &&
    typeof fields.planSet === 'boolean' &&
    typeof fields.expire === 'number'
  );
}

function loadSession(): Session | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null');
    return isSession(value) ? value : null;
  } catch {
    return null;
  }
}

/** The stored session; null if there is none or it has expired. */
export function readSession(): Session | null {
  const session = loadSession();
  return session && session.expire > Date.now() ? session : null;
}

function writeSession(session: Session) {
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  notify(session);
}

/** Stores a new session with its full duration and notifies all windows. */
export function saveSession({ token, admin, planSet }: Omit<Session, 'expire'>) {
  writeSession({ token, admin, planSet, expire: Date.now() + SESSION_MS });
}

/** Stores a renewed token. The session is extended unless the request was an idle one. */
export function renewToken(token: string, idle = false) {
  const session = loadSession();
  if (session) writeSession({ ...session, token, expire: idle ? session.expire : Date.now() + SESSION_MS });
}

/** Updates `planSet` when the ability changed during the session. */
export function correctPlanSet(planSet: boolean) {
  const session = loadSession();
  if (session && session.planSet !== planSet) writeSession({ ...session, planSet });
}

/** Ends the session in all windows of the browser. */
export function clearSession() {
  localStorage.removeItem(SESSION_KEY);
  notify(null);
}

function notify(session: Session | null) {
  for (const listener of listeners) listener(session);
}

/** Subscribes to changes of the session in all windows; returns the unsubscribe function. */
export function onSessionChange(listener: (session: Session | null) => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', fromOtherWindow);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', fromOtherWindow);
  };
}

function fromOtherWindow(event: StorageEvent) {
  if (event.key === SESSION_KEY || event.key === null) notify(readSession());
}

/** Identifies this browser at the next login, so that it is recognized as a known device. */
export const readDevice = (): string | null => localStorage.getItem(DEVICE_KEY);
export const saveDevice = (device: string) => localStorage.setItem(DEVICE_KEY, device);
