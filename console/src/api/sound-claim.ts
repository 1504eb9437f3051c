interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'hengtai.sounded';
/** Windows receive a notification within this time of each other. */
const SETTLE_MS = 80;

/**
 * Decides without a shared worker whether this window plays the sound of a notification: each window writes its name to
 * the storage, and after a delay the last writer wins. Later windows find the claim settled.
 */
export async function claimInStorage(
  id: number,
  store: Store = localStorage,
  name: string = String(Math.random()),
): Promise<boolean> {
  const [claimedId = '0', status] = store.getItem(KEY)?.split(' ') ?? [];
  if (Number(claimedId) > id || (Number(claimedId) === id && status === 'settled')) return false;
  store.setItem(KEY, `${id} ${name}`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (store.getItem(KEY) !== `${id} ${name}`) return false;
  store.setItem(KEY, `${id} settled`);
  return true;
}
