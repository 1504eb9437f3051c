/** What the modules declare to one of them. It is set once, when they are joined. */
export class Declared<T> {
  readonly #what: string;
  #value: T | undefined;

  constructor(what: string) {
    this.#what = what;
  }

  set(value: T): void {
    this.#value = value;
  }

  /** @throws Error before the modules are joined */
  get(): T {
    if (this.#value === undefined) throw new Error(`No module has declared ${this.#what}.`);
    return this.#value;
  }
}
