import { CODE } from '@hengtai/contract/wire/envelope';
import { PREFERENCE_CHANGES_MAX } from '@hengtai/contract/wire/input-values';
import { preference } from '@hengtai/contract/desk/preference/calls';
import type { PreferenceBackend } from '../ui/browser/preference-store.ts';
import { preferences } from '../ui/browser/preferences.ts';
import { CallError, send } from './client.ts';
import { readNetwork, subscribeNetwork } from './network.ts';

type Change = [key: string, text: string | null];

const backend: PreferenceBackend = {
  load: async () => {
    const { items } = (await send(preference.list, {})).data;
    return new Map(items.map(({ key, value }) => [key, JSON.stringify(value)]));
  },
  save: async (changes) => {
    const entries = [...changes];
    for (let start = 0; start < entries.length; start += PREFERENCE_CHANGES_MAX) {
      await save(entries.slice(start, start + PREFERENCE_CHANGES_MAX));
    }
  },
};

/**
 * Saves changes. If the server rejects a batch as invalid, each change is saved alone, so that one invalid key (for
 * example of another version) blocks no other.
 */
async function save(changes: readonly Change[]): Promise<void> {
  const items = changes.map(([key, text]) => ({ key, value: text === null ? null : (JSON.parse(text) as unknown) }));
  try {
    await send(preference.save, { items });
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== CODE.invalid) throw error;
    if (changes.length > 1) for (const change of changes) await save([change]);
  }
}

const MINUTE_MS = 60_000;

/** Loads the operator's preferences, from this browser first and then from the server, and keeps them synchronized. */
export function startPreferences(account: string): void {
  let refreshedAt = Date.now();
  void preferences.open(account, backend);
  window.addEventListener('storage', (event) => preferences.onStorage(event.key));
  subscribeNetwork(() => {
    if (!readNetwork().isDown) preferences.resume();
  });
  // A hidden window may never return, so changes are sent now. A returning one may have missed changes of other
  // browsers.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void preferences.flush();
    else if (Date.now() - refreshedAt > MINUTE_MS) {
      refreshedAt = Date.now();
      void preferences.refresh();
    }
  });
}
