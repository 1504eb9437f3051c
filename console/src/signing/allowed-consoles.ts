const KEY = 'hengtai.signing.consoles';

/** Consoles that the person has allowed in this browser. The page has no configuration, so that its hash never changes. */
function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** The console at the page's own address can change the page anyway. */
export const isAllowed = (origin: string): boolean => origin === location.origin || read().includes(origin);

export function allow(origin: string): void {
  localStorage.setItem(KEY, JSON.stringify([...read().filter((one) => one !== origin), origin]));
}
