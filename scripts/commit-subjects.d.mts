export function problemOf(subject: string): string | undefined;
export function listSubjects(root: string): string[];
