/** Where an operator's preferences live besides this browser. The shell gives it; this room knows no server. */
export interface PreferenceLink {
  /** All that is kept, as JSON text by key. */
  load: () => Promise<ReadonlyMap<string, string>>;
  /** Keeps changes, null deletes. It returns when there is nothing more to be done about them, and throws to be asked again. */
  save: (changes: ReadonlyMap<string, string | null>) => Promise<void>;
}

/** As much of the browser's storage as is needed here. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface PreferenceState {
  /** What may be shown is known: a copy of an earlier day, or the server's first answer. */
  ready: boolean;
  /** Changes that the server has not got yet. */
  unsent: number;
}

/** Milliseconds without a further change after which changes are sent. */
const QUIET = 800;
const RETRY_FIRST = 5_000;
const RETRY_MOST = 60_000;

const COPY = 'hengtai.preference.';
const UNSENT = 'hengtai.preference-unsent.';
const KNOWN = 'hengtai.preference-known.';

/**
 * What one operator likes. This browser's copy is used at once and corrected by the server's; a change is seen in every
 * window at once, and sent together with those made shortly before or after it. What could not be sent is marked on the
 * shelf, survives the window, and goes first when the server is back. For each key the last change wins.
 */
export class PreferenceStore {
  readonly #shelf: Shelf | undefined;
  #owner = '';
  #link: PreferenceLink | undefined;
  readonly #read = new Map<string, string | null>();
  /** Keys changed and not kept by the server yet, each with the number of its last change. */
  readonly #unsent = new Map<string, number>();
  /** When each key last changed here or in another window; an answer asked for before is older than that. */
  readonly #touched = new Map<string, number>();
  #changes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryIn = RETRY_FIRST;
  #sending: Promise<void> | undefined;
  #loaded = false;
  #state: PreferenceState = { ready: false, unsent: 0 };
  readonly #listeners = new Set<() => void>();

  constructor(shelf: Shelf | undefined) {
    this.#shelf = shelf;
  }

  /** Serves this operator from now on: his copy at once, what he could not send before, then the server's word. */
  open(owner: string, link: PreferenceLink): Promise<void> {
    this.close();
    this.#owner = owner;
    this.#link = link;
    for (const key of this.#keysOn(UNSENT)) this.#unsent.set(key, 0);
    if (this.#unsent.size > 0) this.#sendIn(0);
    this.#tell(this.#get(KNOWN + owner) !== null);
    return this.refresh();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#link = undefined;
    this.#owner = '';
    this.#loaded = false;
    this.#read.clear();
    this.#unsent.clear();
    this.#touched.clear();
    this.#tell(false);
  }

  readonly read = (key: string): string | null => {
    let text = this.#read.get(key);
    if (text === undefined) this.#read.set(key, (text = this.#get(this.#at(COPY, key))));
    return text;
  };

  write(key: string, text: string | null): void {
    if (text === this.read(key)) return;
    this.#keep(key, text);
    this.#changes += 1;
    this.#touched.set(key, this.#changes);
    this.#unsent.set(key, this.#changes);
    this.#put(this.#at(UNSENT, key), '1');
    this.#sendIn(QUIET);
    this.#tell();
  }

  /** Sends what waits to be sent, now. */
  flush(): Promise<void> {
    if (this.#sending) return this.#sending.then(() => this.#unsentNow());
    return this.#unsentNow();
  }

  /** Asks the server what it has, unless nothing can have been missed. */
  async refresh(): Promise<void> {
    const { link: asked, since } = { link: this.#link, since: this.#changes };
    if (!asked) return;
    try {
      const answer = await asked.load();
      if (asked !== this.#link) return;
      for (const key of new Set([...answer.keys(), ...this.#keysOn(COPY)])) {
        const newer = (this.#touched.get(key) ?? 0) > since || this.#unsent.has(key);
        // Another window may have a change under way of which this one only sees the mark.
        if (!newer && this.#get(this.#at(UNSENT, key)) === null) this.#keep(key, answer.get(key) ?? null);
      }
      this.#put(KNOWN + this.#owner, '1');
      this.#loaded = true;
    } catch {
      // The copy serves until the server is back; `resume` asks again.
    }
    if (asked === this.#link) this.#tell(true);
  }

  /** The server can be reached again. */
  resume(): void {
    if (!this.#loaded) void this.refresh();
    if (this.#unsent.size > 0) this.#sendIn(0);
  }

  /** Another window of this browser changed its shelf; null is all of it. */
  hear(place: string | null): void {
    if (place === null) this.#read.clear();
    else {
      const own = this.#at(COPY, '');
      if (!place.startsWith(own)) return;
      const key = place.slice(own.length);
      this.#read.delete(key);
      this.#changes += 1;
      this.#touched.set(key, this.#changes);
    }
    this.#tell();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): PreferenceState => this.#state;

  async #unsentNow(): Promise<void> {
    const link = this.#link;
    if (!link || this.#unsent.size === 0) return;
    clearTimeout(this.#timer);
    const sent = new Map(this.#unsent);
    const changes = new Map([...sent.keys()].map((key) => [key, this.read(key)]));
    this.#sending = this.#send(link, sent, changes).finally(() => {
      this.#sending = undefined;
      this.#tell();
    });
    await this.#sending;
  }

  async #send(link: PreferenceLink, sent: Map<string, number>, changes: Map<string, string | null>): Promise<void> {
    try {
      await link.save(changes);
      if (link !== this.#link) return;
      this.#retryIn = RETRY_FIRST;
      for (const [key, change] of sent) this.#sent(key, change);
    } catch {
      if (link !== this.#link) return;
      this.#sendIn(this.#retryIn);
      this.#retryIn = Math.min(this.#retryIn * 2, RETRY_MOST);
    }
  }

  /** Changed again while it was on its way: the mark stays for the next time. */
  #sent(key: string, change: number): void {
    if (this.#unsent.get(key) !== change) return;
    this.#unsent.delete(key);
    // An answer that was asked for before this was kept knows nothing of it.
    this.#changes += 1;
    this.#touched.set(key, this.#changes);
    this.#drop(this.#at(UNSENT, key));
  }

  #sendIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #keep(key: string, text: string | null): void {
    this.#read.set(key, text);
    if (text === null) this.#drop(this.#at(COPY, key));
    else this.#put(this.#at(COPY, key), text);
  }

  #tell(ready = this.#state.ready): void {
    const unsent = this.#unsent.size;
    if (ready !== this.#state.ready || unsent !== this.#state.unsent) this.#state = { ready, unsent };
    for (const listener of this.#listeners) listener();
  }

  #at(kind: string, key: string): string {
    return `${kind}${this.#owner}/${key}`;
  }

  #keysOn(kind: string): string[] {
    const own = this.#at(kind, '');
    const found: string[] = [];
    for (let i = 0; i < (this.#shelf?.length ?? 0); i += 1) {
      const place = this.#shelf?.key(i);
      if (place?.startsWith(own)) found.push(place.slice(own.length));
    }
    return found;
  }

  #get(place: string): string | null {
    try {
      return this.#shelf?.getItem(place) ?? null;
    } catch {
      return null;
    }
  }

  // A full or forbidden shelf: the preference lives until the window is closed, and on the server.
  #put(place: string, text: string): void {
    try {
      this.#shelf?.setItem(place, text);
    } catch {}
  }

  #drop(place: string): void {
    try {
      this.#shelf?.removeItem(place);
    } catch {}
  }
}
