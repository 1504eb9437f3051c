/** What the page shows, as plain data, so that tests compare it with what is signed. */
export interface View {
  title: string;
  lead: string;
  blocks: Block[];
}

export interface Block {
  title: string;
  /** Added, removed: parts of a change. */
  tag?: 'added' | 'removed' | 'kept';
  rows: Row[];
}

export interface Row {
  label: string;
  value: string;
  /** code: addresses and numbers that are compared character by character; large: what counts most. */
  look?: 'code' | 'large' | 'changed';
}

/** A moment of the person's clock, with its distance from UTC. */
export function timeText(ms: number): string {
  const at = new Date(ms);
  const minutes = -at.getTimezoneOffset();
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const sign = minutes < 0 ? '-' : '+';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${local}（UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}）`;
}
