/** A file that cannot be used; the message is for the operator. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile';
}

/** What a file says of one address. Fields that it lacks are empty. */
export interface FileLine {
  /** Its number in the file, from 1. */
  line: number;
  /** As it is shown if it cannot be read. */
  text: string;
  address: string;
  network: string;
  memo: string;
  reason: string;
  /** The coin that the file names, where it names no network that entries could have. */
  coin?: string;
}
