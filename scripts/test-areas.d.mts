export declare const areas: readonly (readonly [area: string, pattern: RegExp])[];
/** The area of a file by its path from the root; `other` where none matches. */
export declare function areaOf(path: string): string;
