/** Permanent storage of the preferences. Injected by the api layer, because ui must not know the server. */
export interface PreferenceBackend {
  /** Loads all preferences as JSON text by key. */
  load: () => Promise<ReadonlyMap<string, string>>;
  /** Saves changes; null deletes. Resolves when the changes need no further attempt; rejects to have them retried. */
  save: (changes: ReadonlyMap<string, string | null>) => Promise<void>;
}

/** The part of Storage that the store uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface PreferenceState {
  /** Preferences can be applied: a local copy exists, or the server has answered. */
  ready: boolean;
  /** Number of changes not yet saved on the server. */
  unsent: number;
}

/** Changes are sent together after this time without another change. */
const DEBOUNCE_MS = 800;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 60_000;

const COPY = 'hengtai.preference.';
const UNSENT = 'hengtai.preference-unsent.';
const KNOWN = 'hengtai.preference-known.';

/**
 * Preferences of one operator, local first. The copy in this browser is used at once and then corrected by the server.
 * A change is visible in all windows immediately and sent debounced; unsent changes are marked in the storage, survive
 * the window and are sent first when the server is back. The last change of a key wins.
 */
export class PreferenceStore {
  readonly #storage: KeyValueStorage | undefined;
  #owner = '';
  #backend: PreferenceBackend | undefined;
  readonly #cache = new Map<string, string | null>();
  /** Unsent keys, each with the clock value of its last change. */
  readonly #unsent = new Map<string, number>();
  /**
   * Clock value of the last change of each key, in this or another window; responses requested before it are outdated.
   */
  readonly #changedAt = new Map<string, number>();
  #clock = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryIn = RETRY_FIRST_MS;
  #sending: Promise<void> | undefined;
  #loaded = false;
  #state: PreferenceState = { ready: false, unsent: 0 };
  readonly #listeners = new Set<() => void>();

  constructor(storage: KeyValueStorage | undefined) {
    this.#storage = storage;
  }

  /** Switches to an operator: uses its local copy, sends what was left unsent, then loads from the server. */
  open(owner: string, backend: PreferenceBackend): Promise<void> {
    this.close();
    this.#owner = owner;
    this.#backend = backend;
    for (const key of this.#storedKeys(UNSENT)) this.#unsent.set(key, 0);
    if (this.#unsent.size > 0) this.#scheduleSend(0);
    this.#notify(this.#getItem(KNOWN + owner) !== null);
    return this.refresh();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#backend = undefined;
    this.#owner = '';
    this.#loaded = false;
    this.#cache.clear();
    this.#unsent.clear();
    this.#changedAt.clear();
    this.#notify(false);
  }

  readonly read = (key: string): string | null => {
    let text = this.#cache.get(key);
    if (text === undefined) this.#cache.set(key, (text = this.#getItem(this.#storageKey(COPY, key))));
    return text;
  };

  write(key: string, text: string | null): void {
    if (text === this.read(key)) return;
    this.#setLocal(key, text);
    this.#clock += 1;
    this.#changedAt.set(key, this.#clock);
    this.#unsent.set(key, this.#clock);
    this.#setItem(this.#storageKey(UNSENT, key), '1');
    this.#scheduleSend(DEBOUNCE_MS);
    this.#notify();
  }

  /** Sends all unsent changes now. */
  flush(): Promise<void> {
    if (this.#sending) return this.#sending.then(() => this.#sendUnsent());
    return this.#sendUnsent();
  }

  /** Loads from the server. Keys changed after the request started keep their value. */
  async refresh(): Promise<void> {
    const { backend, since } = { backend: this.#backend, since: this.#clock };
    if (!backend) return;
    try {
      const answer = await backend.load();
      if (backend !== this.#backend) return;
      for (const key of new Set([...answer.keys(), ...this.#storedKeys(COPY)])) {
        const isNewer = (this.#changedAt.get(key) ?? 0) > since || this.#unsent.has(key);
        // Another window may be sending a change, of which only the mark is visible here.
        if (!isNewer && this.#getItem(this.#storageKey(UNSENT, key)) === null)
          this.#setLocal(key, answer.get(key) ?? null);
      }
      this.#setItem(KNOWN + this.#owner, '1');
      this.#loaded = true;
    } catch {
      // The local copy is used until `resume` loads again.
    }
    if (backend === this.#backend) this.#notify(true);
  }

  /** Called when the server is reachable again. */
  resume(): void {
    if (!this.#loaded) void this.refresh();
    if (this.#unsent.size > 0) this.#scheduleSend(0);
  }

  /** Called when another window changed the storage; null means that it was cleared. */
  onStorage(storageKey: string | null): void {
    if (storageKey === null) this.#cache.clear();
    else {
      const prefix = this.#storageKey(COPY, '');
      if (!storageKey.startsWith(prefix)) return;
      const key = storageKey.slice(prefix.length);
      this.#cache.delete(key);
      this.#clock += 1;
      this.#changedAt.set(key, this.#clock);
    }
    this.#notify();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): PreferenceState => this.#state;

  async #sendUnsent(): Promise<void> {
    const backend = this.#backend;
    if (!backend || this.#unsent.size === 0) return;
    clearTimeout(this.#timer);
    const sent = new Map(this.#unsent);
    const changes = new Map([...sent.keys()].map((key) => [key, this.read(key)]));
    this.#sending = this.#send(backend, sent, changes).finally(() => {
      this.#sending = undefined;
      this.#notify();
    });
    await this.#sending;
  }

  async #send(
    backend: PreferenceBackend,
    sent: Map<string, number>,
    changes: Map<string, string | null>,
  ): Promise<void> {
    try {
      await backend.save(changes);
      if (backend !== this.#backend) return;
      this.#retryIn = RETRY_FIRST_MS;
      for (const [key, change] of sent) this.#confirmSent(key, change);
    } catch {
      if (backend !== this.#backend) return;
      this.#scheduleSend(this.#retryIn);
      this.#retryIn = Math.min(this.#retryIn * 2, RETRY_MAX_MS);
    }
  }

  /** Removes the mark of a saved change, unless the key changed again meanwhile. */
  #confirmSent(key: string, change: number): void {
    if (this.#unsent.get(key) !== change) return;
    this.#unsent.delete(key);
    // A response requested before this save does not contain it.
    this.#clock += 1;
    this.#changedAt.set(key, this.#clock);
    this.#removeItem(this.#storageKey(UNSENT, key));
  }

  #scheduleSend(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #setLocal(key: string, text: string | null): void {
    this.#cache.set(key, text);
    if (text === null) this.#removeItem(this.#storageKey(COPY, key));
    else this.#setItem(this.#storageKey(COPY, key), text);
  }

  #notify(ready = this.#state.ready): void {
    const unsent = this.#unsent.size;
    if (ready !== this.#state.ready || unsent !== this.#state.unsent) this.#state = { ready, unsent };
    for (const listener of this.#listeners) listener();
  }

  #storageKey(kind: string, key: string): string {
    return `${kind}${this.#owner}/${key}`;
  }

  #storedKeys(kind: string): string[] {
    const prefix = this.#storageKey(kind, '');
    const keys: string[] = [];
    for (let i = 0; i < (this.#storage?.length ?? 0); i += 1) {
      const storageKey = this.#storage?.key(i);
      if (storageKey?.startsWith(prefix)) keys.push(storageKey.slice(prefix.length));
    }
    return keys;
  }

  #getItem(storageKey: string): string | null {
    try {
      return this.#storage?.getItem(storageKey) ?? null;
    } catch {
      return null;
    }
  }

  // With full or forbidden storage a preference lives in this window and on the server.
  #setItem(storageKey: string, text: string): void {
    try {
      this.#storage?.setItem(storageKey, text);
    } catch {}
  }

  #removeItem(storageKey: string): void {
    try {
      this.#storage?.removeItem(storageKey);
    } catch {}
  }
}
