import { parseHost, parseSwitch, wholeNumber } from './env-parse.ts';

/** How one variable is read. */
export interface Variable<T> {
  fallback: T;
  /** Returns undefined for a text that is not accepted. */
  parse: (text: string) => T | undefined;
  /** The accepted values, as the end of a sentence. */
  rule: string;
  /** The value must not appear in messages. */
  isSecret?: true;
}

export const port = (fallback: number): Variable<number> => ({
  fallback,
  parse: wholeNumber(1, 65_535),
  rule: 'a port number from 1 to 65535',
});
export const host: Variable<string> = {
  fallback: '127.0.0.1',
  parse: parseHost,
  rule: 'an IP address or a host name, without a port',
};
export const onOff = (fallback: boolean): Variable<boolean> => ({ fallback, parse: parseSwitch, rule: 'on or off' });
export const optional = (parse: (text: string) => string | undefined, rule: string): Variable<string | undefined> => ({
  fallback: undefined,
  parse,
  rule,
});
export const secret = <T>(variable: Variable<T>): Variable<T> => ({ ...variable, isSecret: true });

export const matching = (pattern: RegExp, rule: string): Variable<string | undefined> =>
  optional((text) => (pattern.test(text) ? text : undefined), rule);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

/** The values of variables, DATA_DIR as `dataDir`. */
export type ValuesOf<V extends Record<string, Variable<unknown>>> = {
  [K in keyof V & string as CamelCase<K>]: V[K]['fallback'];
};

export const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
