import { SESSION_MINUTES } from '@hengtai/contract/session';

/** What the browser keeps of a session. */
export interface Session {
  token: string;
  /** The operator's account. */
  admin: string;
  planSet: boolean;
  /** Unix milliseconds. */
  expire: number;
}

const SESSION_KEY = 'hengtai.session';
const DEVICE_KEY = 'hengtai.device';
const SESSION_MS = SESSION_MINUTES * 60_000;

const listeners = new Set<(session: Session | null) => void>();

function isSession(value: unknown): value is Session {
  if (typeof value !== 'object' || value === null) return false;
  const it = value as Partial<Record<keyof Session, unknown>>;
  return (
    typeof it.token === 'string' &&
    it.token !== '' &&
    typeof it.admin === 'string' &&
    typeof it.planSet === 'boolean' &&
    typeof it.expire === 'number'
  );
}

function stored(): Session | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null');
    return isSession(value) ? value : null;
  } catch {
    return null;
  }
}

/** The session, unless there is none or its time is over. */
export function readSession(): Session | null {
  const session = stored();
  return session && session.expire > Date.now() ? session : null;
}

function store(session: Session) {
  localStorage.setItem(SESSION_KEY, JSON.stringify(session));
  tell(session);
}

export function saveSession({ token, admin, planSet }: Omit<Session, 'expire'>) {
  store({ token, admin, planSet, expire: Date.now() + SESSION_MS });
}

/** A response brought a new token: it replaces the old one and the time starts again, unless nobody is at it. */
export function renewToken(token: string, idle = false) {
  const session = stored();
  if (session) store({ ...session, token, expire: idle ? session.expire : Date.now() + SESSION_MS });
}

/** Planned settings were granted or taken while the session lived. */
export function correctPlanSet(planSet: boolean) {
  const session = stored();
  if (session && session.planSet !== planSet) store({ ...session, planSet });
}

export function clearSession() {
  localStorage.removeItem(SESSION_KEY);
  tell(null);
}

function tell(session: Session | null) {
  for (const listener of listeners) listener(session);
}

/** Hears of every change of the session, in this window and in all others of the browser. */
export function onSessionChange(listener: (session: Session | null) => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', fromOtherWindow);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', fromOtherWindow);
  };
}

function fromOtherWindow(event: StorageEvent) {
  if (event.key === SESSION_KEY || event.key === null) tell(readSession());
}

/** The name by which the server knows this browser again at a login. */
export const readDevice = (): string | null => localStorage.getItem(DEVICE_KEY);
export const saveDevice = (device: string) => localStorage.setItem(DEVICE_KEY, device);
