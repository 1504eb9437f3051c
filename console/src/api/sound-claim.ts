interface Store {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = 'hengtai.sounded';
/** Windows hear of an item within this time of each other. */
const SETTLE_MS = 80;

/**
 * Where windows share no worker they agree through what they all can read: each writes its name beside the item, the last
 * one that wrote is the one. Later windows find the item taken.
 */
export async function claimInStorage(
  id: number,
  store: Store = localStorage,
  name: string = String(Math.random()),
): Promise<boolean> {
  const [taken = '0', settled] = store.getItem(KEY)?.split(' ') ?? [];
  if (Number(taken) > id || (Number(taken) === id && settled === 'settled')) return false;
  store.setItem(KEY, `${id} ${name}`);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  if (store.getItem(KEY) !== `${id} ${name}`) return false;
  store.setItem(KEY, `${id} settled`);
  return true;
}
