export const tests: Readonly<Record<string, readonly (readonly string[])[]>>;
export const survivors: Readonly<Record<string, string>>;
