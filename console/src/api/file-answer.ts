/** A file that came as the answer to a call. */
export interface FileAnswer {
  name: string;
  blob: Blob;
}

/** Reads the whole body, and says as it comes how much there is. What breaks off is thrown. */
export async function readFile(response: Response, onBytes?: (bytes: number) => void): Promise<FileAnswer> {
  if (!response.ok || !response.body) throw new Error(`no file, status ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const drawer = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await drawer.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    onBytes?.(bytes);
  }
  const type = response.headers.get('content-type') ?? '';
  return { name: nameOf(response.headers.get('content-disposition') ?? ''), blob: new Blob(parts, { type }) };
}

/** The name that the server gives a file: the one in UTF-8, else the plain one. */
export function nameOf(disposition: string): string {
  const wide = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (wide) {
    try {
      return decodeURIComponent(wide);
    } catch {
      // A broken name is no reason to lose the file.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? 'export';
}

/** Hands a file to the browser's downloads; works on plain HTTP as well. */
export function saveFile({ name, blob }: FileAnswer) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
