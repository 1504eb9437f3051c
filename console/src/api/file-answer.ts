/** A file received as the response to a call. */
export interface FileAnswer {
  name: string;
  blob: Blob;
}

/**
 * Reads the whole body and reports the bytes received so far.
 *
 * @throws Error if the response is no file or the stream breaks off
 */
export async function readFile(response: Response, onBytes?: (bytes: number) => void): Promise<FileAnswer> {
  if (!response.ok || !response.body) throw new Error(`no file, status ${response.status}`);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    onBytes?.(bytes);
  }
  const type = response.headers.get('content-type') ?? '';
  return { name: fileNameOf(response.headers.get('content-disposition') ?? ''), blob: new Blob(chunks, { type }) };
}

/** File name of a Content-Disposition header: the UTF-8 one, else the plain one, else `export`. */
export function fileNameOf(disposition: string): string {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (encoded) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // A malformed name must not lose the file.
    }
  }
  return /filename="([^"]+)"/i.exec(disposition)?.[1] ?? 'export';
}

/** Starts a browser download; works on plain HTTP as well. */
export function saveFile({ name, blob }: FileAnswer) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser needs the URL until the download has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
