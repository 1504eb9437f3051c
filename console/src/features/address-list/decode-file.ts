/** The text of a file in UTF-8 or, as spreadsheets write it in China, GB18030. */
export function decodeFile(bytes: ArrayBuffer): string {
  const text = decodeText(bytes).trimEnd();
  return text.endsWith(END_OF_FILE) ? text.slice(0, -1) : text;
}

/** How files of OFAC end. The server refuses control characters. */
const END_OF_FILE = '\u001A';

function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}
