/** The text of a file in UTF-8 or, as spreadsheets write it in China, GB18030. */
export function decodeFile(bytes: ArrayBuffer): string {
  return decodeText(bytes).replace(END_OF_FILE, '');
}

/** How files of OFAC end; the server refuses control characters. */
const END_OF_FILE = /\x1A\s*$/;

function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
