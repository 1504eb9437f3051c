import { CODE } from '@hengtai/contract/envelope';
import { PREFERENCE_CHANGES_MAX, preference } from '@hengtai/contract/preference';
import type { PreferenceLink } from '../ui/preference-store.ts';
import { preferences } from '../ui/preferences.ts';
import { CallError, send } from './client.ts';
import { readNetwork, subscribeNetwork } from './network.ts';

type Change = [key: string, text: string | null];

const link: PreferenceLink = {
  load: async () => {
    const { items } = (await send(preference.list, {})).data;
    return new Map(items.map(({ key, value }) => [key, JSON.stringify(value)]));
  },
  save: async (changes) => {
    const all = [...changes];
    for (let at = 0; at < all.length; at += PREFERENCE_CHANGES_MAX) {
      await save(all.slice(at, at + PREFERENCE_CHANGES_MAX));
    }
  },
};

/** What the server will never take (another version's key, one too many) stays in this browser and keeps nothing else back. */
async function save(changes: readonly Change[]): Promise<void> {
  const items = changes.map(([key, text]) => ({ key, value: text === null ? null : (JSON.parse(text) as unknown) }));
  try {
    await send(preference.save, { items });
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== CODE.invalid) throw error;
    if (changes.length > 1) for (const change of changes) await save([change]);
  }
}

const MINUTE = 60_000;

/** Preferences of the operator at work: from this browser at once, from the server as soon as it answers. */
export function startPreferences(account: string): void {
  let readAt = Date.now();
  void preferences.open(account, link);
  window.addEventListener('storage', (event) => preferences.hear(event.key));
  subscribeNetwork(() => {
    if (!readNetwork().trouble) preferences.resume();
  });
  // A window that is hidden may never return; one that returns may be behind another window's choices.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void preferences.flush();
    else if (Date.now() - readAt > MINUTE) {
      readAt = Date.now();
      void preferences.refresh();
    }
  });
}
