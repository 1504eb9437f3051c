/** A call of a node. The result has the shape that its documentation names; it is not validated. */
export type Rpc = <T>(method: string, params?: readonly unknown[]) => Promise<T>;

/**
 * Calls of a node by JSON-RPC over HTTP.
 *
 * @param authorization value of the header, for example `Basic …`
 * @throws if the node does not answer, or answers with an error
 */
export function connectRpc(url: string, authorization?: string): Rpc {
  let id = 0;
  return async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
      body: JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }),
    });
    const answer = (await response.json()) as { result?: T; error?: { code: number; message: string } | null };
    if (answer.error) throw new Error(`${method}: ${answer.error.code} ${answer.error.message}`);
    if (answer.result === undefined) throw new Error(`${method}: status ${response.status} without a result`);
    return answer.result;
  };
}
