/** A page of a list as the server sends it. */
export interface Answer<Row, Sum> {
  list: Row[];
  total: number;
  summary?: Sum[];
}

/** The data of an answer if they are a page of a list; those of a newer server may not be. */
export function findAnswer<Row, Sum>(data: unknown): Answer<Row, Sum> | undefined {
  const { list, total } = (data ?? {}) as Partial<Answer<Row, Sum>>;
  return Array.isArray(list) && typeof total === 'number' ? (data as Answer<Row, Sum>) : undefined;
}
