/** The plugin in the form in which HollaEx Kit stores it. */
export function buildPlugin(): Promise<{ name: string; script: string; [field: string]: unknown }>;
export function buildPeatioAdapter(outfile: string): Promise<unknown>;
